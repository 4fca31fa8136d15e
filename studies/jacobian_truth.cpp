// The Jacobian of an experiment to compare others with: long runs at θ±h and θ±h/2 with common random numbers,
// S = (4 S(h/2) − S(h))/3, which is off by a term in h⁴ only. The truth is that of the model as the experiment's file
// discretises it. Prints one JSON object.
//   study_jacobian_truth triad|lorenz96 [members]
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "gfdt/data/json.hpp"
#include "gfdt/data/provenance.hpp"
#include "gfdt/jacobian/finite_difference/difference_runs.hpp"
#include "gfdt/problem/problem.hpp"

namespace {

using namespace gfdt;
using jacobian::mean;
using jacobian::Quotients;
using jacobian::standard_error;
using nlohmann::ordered_json;

struct Study {
  int members;
  std::map<std::string, double> steps;  ///< the larger of the two
  bool half_time_step;                  ///< whether all is done once more with dt/2, with half the members
};

const std::map<std::string, Study> studies = {
    {"triad",
     {10000,
      {{"d_u", 0.03}, {"omega", 0.08}, {"d_tau", 0.25}, {"sigma1", 0.1}, {"sigma2", 0.1}, {"sigma3", 0.3}},
      true}},
    {"lorenz96",
     {5120, {{"alpha0", 0.6}, {"alpha1", 0.05}, {"alpha2", 0.0084}, {"alpha3", 0.0004}, {"sigma", 0.5}}, false}},
};

/// Matrices are [observable][parameter].
struct Truth {
  std::vector<statistics::Average> statistics;
  std::vector<double> jacobian, error;
  std::vector<double> bias, bias_error;  ///< of the difference quotient at h/2, which is removed
  int replaced_members = 0;
  double simulated_time = 0;
};

Quotients central(jacobian::DifferenceRuns& runs, const std::string& parameter, double step) {
  const auto result = runs.difference(parameter, step, runs.options().length);
  if (result.status == simulate::Status::done) return result.quotients;
  fmt::print(stderr, "{} at step {:g}: {}\n", parameter, step, result.explanation);
  std::exit(1);
}

Truth truth_of(const symbolic::Model& model, const simulate::Options& options, const Study& study) {
  const simulate::Control control;
  jacobian::DifferenceRuns runs(model, options, control);
  Truth truth;
  const auto unperturbed = runs.unperturbed();
  for (const auto& diagnostic : unperturbed.diagnostics)
    if (!diagnostic.passed()) fmt::print(stderr, "{}: {}\n", name(diagnostic.check), diagnostic.text);
  truth.statistics = unperturbed.observables;
  truth.replaced_members = unperturbed.run.replaced_members;
  const std::size_t rows = model.observables.size(), columns = model.parameters.size();
  for (auto* matrix : {&truth.jacobian, &truth.error, &truth.bias, &truth.bias_error}) matrix->resize(rows * columns);
  for (std::size_t j = 0; j < columns; ++j) {
    const std::string& name = model.parameters[j].name;
    const double step = study.steps.at(name);
    const Quotients wide = central(runs, name, step), narrow = central(runs, name, step / 2);
    for (std::size_t m = 0; m < rows; ++m) {
      std::vector<double> extrapolated, bias;
      for (std::size_t unit = 0; unit < wide.units[m].size(); ++unit) {
        bias.push_back((wide.units[m][unit] - narrow.units[m][unit]) / 3);
        extrapolated.push_back(narrow.units[m][unit] - bias.back());
      }
      const std::size_t at = m * columns + j;
      truth.jacobian[at] = mean(extrapolated);
      truth.error[at] = standard_error(extrapolated);
      truth.bias[at] = mean(bias);
      truth.bias_error[at] = standard_error(bias);
    }
    fmt::print(stderr, "{} done, time {:g}\n", name, runs.simulated_time());
  }
  truth.simulated_time = runs.simulated_time();
  return truth;
}

/// Norms of the columns of a matrix relative to those of the Jacobian, rows scaled by the standard deviations.
ordered_json relative_norms(const std::vector<double>& matrix, const Truth& truth) {
  const std::size_t rows = truth.statistics.size(), columns = matrix.size() / rows;
  std::vector<double> norms;
  for (std::size_t j = 0; j < columns; ++j) {
    double square = 0, size = 0;
    for (std::size_t m = 0; m < rows; ++m) {
      const double scale = truth.statistics[m].standard_deviation;
      square += std::pow(matrix[m * columns + j] / scale, 2);
      size += std::pow(truth.jacobian[m * columns + j] / scale, 2);
    }
    norms.push_back(std::round(1e5 * std::sqrt(square / size)) / 1e5);
  }
  return data::json_numbers(norms);
}

template <class Member>
ordered_json numbers(const std::vector<statistics::Average>& averages, Member member) {
  std::vector<double> values;
  for (const statistics::Average& average : averages) values.push_back(average.*member);
  return data::json_numbers(values);
}

ordered_json half_time_step(const symbolic::Model& model, simulate::Options options, const Study& study,
                            const Truth& truth) {
  options.dt /= 2;
  options.cadence *= 2;
  options.members /= 2;
  const Truth half = truth_of(model, options, study);
  std::vector<double> change, error, statistics_change, statistics_error;
  for (std::size_t i = 0; i < truth.jacobian.size(); ++i) {
    change.push_back(half.jacobian[i] - truth.jacobian[i]);
    error.push_back(std::hypot(half.error[i], truth.error[i]));
  }
  for (std::size_t m = 0; m < truth.statistics.size(); ++m) {
    statistics_change.push_back(half.statistics[m].mean - truth.statistics[m].mean);
    statistics_error.push_back(std::hypot(half.statistics[m].standard_error, truth.statistics[m].standard_error));
  }
  return {{"dt", options.dt},
          {"simulated_time", half.simulated_time},
          {"statistics_change", data::json_numbers(statistics_change)},
          {"statistics_change_error", data::json_numbers(statistics_error)},
          {"column_change", relative_norms(change, truth)},
          {"column_change_error", relative_norms(error, truth)}};
}

}  // namespace

int main(int argc, char** argv) {
  const auto found = studies.find(argc > 1 ? argv[1] : "");
  if (found == studies.end()) {
    fmt::print(stderr, "usage: study_jacobian_truth triad|lorenz96 [members]\n");
    return 2;
  }
  const Study& study = found->second;
  const problem::Problem problem = problem::read_problem("experiments/" + found->first + ".toml");
  simulate::Options options = problem.simulation;
  options.members = argc > 2 ? std::atoi(argv[2]) : study.members;
  const Truth truth = truth_of(problem.model, options, study);
  const std::size_t columns = problem.model.parameters.size();

  std::vector<std::string> parameters, observables;
  std::vector<double> values, steps;
  for (const auto& parameter : problem.model.parameters) {
    parameters.push_back(parameter.name);
    values.push_back(parameter.value);
    steps.push_back(study.steps.at(parameter.name));
  }
  for (const auto& observable : problem.model.observables) observables.push_back(observable.name);
  ordered_json json = {
      {"experiment", found->first},
      {"command", fmt::format("study_jacobian_truth {} {}", found->first, options.members)},
      {"version", data::version()},
      {"method",
       "central differences with common random numbers at steps h and h/2, S = (4 S(h/2) - S(h))/3; standard errors "
       "from the spread of this over members; the truth of the model as discretised by this scheme and dt"},
      {"problem_file", problem.file},
      {"scheme", simulate::name(options.scheme)},
      {"dt", options.dt},
      {"precision", simulate::name(options.precision)},
      {"members", options.members},
      {"length", options.length},
      {"burn_in", options.burn_in_time()},
      {"seed", options.seed},
      {"replaced_members", truth.replaced_members},
      {"simulated_time", truth.simulated_time},
      {"parameters", parameters},
      {"values", data::json_numbers(values)},
      {"steps", data::json_numbers(steps)},
      {"observables", observables},
      {"statistics", numbers(truth.statistics, &statistics::Average::mean)},
      {"statistics_error", numbers(truth.statistics, &statistics::Average::standard_error)},
      {"standard_deviations", numbers(truth.statistics, &statistics::Average::standard_deviation)},
      {"jacobian", data::json_matrix(truth.jacobian, columns)},
      {"jacobian_error", data::json_matrix(truth.error, columns)},
      {"relative_to", "column norms of the Jacobian, rows scaled by standard_deviations"},
      {"column_error", relative_norms(truth.error, truth)},
      {"column_bias_of_half_step", relative_norms(truth.bias, truth)},
      {"column_bias_of_half_step_error", relative_norms(truth.bias_error, truth)}};
  if (study.half_time_step) json["half_time_step"] = half_time_step(problem.model, options, study, truth);
  fmt::print("{}", data::json_text(json));
  return 0;
}
