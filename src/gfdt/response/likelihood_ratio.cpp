#include "gfdt/response/likelihood_ratio.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gfdt/core/error.hpp"
#include "gfdt/model/likelihood_weights.hpp"
#include "gfdt/response/gfdt_findings.hpp"
#include "gfdt/response/jacobian_filling.hpp"
#include "gfdt/response/response_pass.hpp"
#include "gfdt/response/weighted_source.hpp"

namespace gfdt::response {
namespace {

using statistics::EnsembleStatistics;

/// Length of the run that tells how long observables remember, as a share of the run itself, and in samples at least;
/// and its members, at most.
constexpr double pilot_share = 0.05, shortest_pilot = 64;
constexpr int most_pilot_members = 64;
/// Another seed than that of the run.
constexpr std::uint64_t pilot_seed = 0x9e3779b97f4a7c15;
/// An autocorrelation time that the pilot is too short for is taken to be this share of its length.
constexpr double unresolved_share = 0.05;

simulate::Options pilot_of(simulate::Options options) {
  const double length = std::max(pilot_share * options.length, shortest_pilot * options.sample_interval());
  options.burn_in = std::min(options.burn_in_time(), length);
  options.length = std::min(length, options.length);
  options.members = std::min(options.members, most_pilot_members);
  options.seed ^= pilot_seed;
  return options;
}

class Estimation {
 public:
  Estimation(const LikelihoodRatioProblem& problem, const simulate::Control& control)
      : problem_(problem),
        control_(control),
        terms_(direct_terms(problem.model, problem.parameters)),
        weighted_(model::with_likelihood_weights(problem.model, problem.parameters)),
        observed_(with_observables(weighted_.model, terms_)),
        source_(observed_, problem.simulation) {
    for (const model::WeightColumn& column : weighted_.columns)
      outlook_.push_back({column.unavailable, !column.weight && column.unavailable.empty()});
  }

  GfdtJacobian run() {
    const auto begin = std::chrono::steady_clock::now();
    check_window(problem_.response, problem_.simulation);
    prepare(result_, rows(), problem_.parameters, name(Method::likelihood_ratio), outlook_, terms_);
    if (!weighted_.model.weights)
      take_statistics_alone();
    else if (find_lags())
      correlate();
    result_.jacobian.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(result_);
  }

 private:
  std::size_t rows() const { return problem_.model.observables.size(); }

  void take_statistics_alone() {
    statistics_ = statistics::simulate_statistics(observed_, simulate::ModelSource(observed_, problem_.simulation),
                                                  control_, {}, problem_.functions);
    take_statistics(statistics_, rows(), result_.jacobian);
    if (result_.jacobian.usable()) fill_exact_entries(result_, outlook_, terms_, statistics_);
  }

  bool find_lags() {
    const simulate::Options options = pilot_of(problem_.simulation);
    const EnsembleStatistics pilot = statistics::simulate_statistics(
        observed_, simulate::ModelSource(observed_, options), control_, {}, problem_.functions);
    Jacobian& jacobian = result_.jacobian;
    jacobian.simulated_time = pilot.run.simulated_time;
    if (pilot.run.status != simulate::Status::done) {
      jacobian.findings = pilot.findings;
      note_weights(pilot.run);
      return false;
    }
    double memory = options.sample_interval();
    for (const auto* list : {&pilot.observables, &pilot.watched})
      for (const statistics::Average& average : *list) {
        if (average.autocorrelation_time > memory) memory = average.autocorrelation_time;
        if (!average.autocorrelation_resolved) memory = std::max(memory, unresolved_share * options.length);
      }
    first_lag_ = first_lag * memory;
    references_ = references(pilot, rows(), observed_.own_states());
    for (double& reference : references_)
      if (!std::isfinite(reference)) reference = 0;
    result_.stretches = cut(problem_.simulation, problem_.response.window ? problem_.response.window->end : first_lag_);
    return true;
  }

  /// A member that blew up may have done so in its weights alone.
  void note_weights(const simulate::Summary& run) {
    if (run.status == simulate::Status::unstable)
      result_.jacobian.findings.push_back(
          {.check = "weights",
           .passed = false,
           .verdict = "Members also count as blown up when the weight of a parameter is not finite, as where the "
                      "amplitude of a noise is zero.",
           .advice = "If 'gfdt simulate' loses no members, use --method gfdt or finite-difference."});
  }

  void correlate() {
    const simulate::Options& options = problem_.simulation;
    std::vector<std::size_t> columns;
    for (std::size_t j = 0; j < weighted_.columns.size(); ++j)
      if (weighted_.columns[j].weight) columns.push_back(j);
    const Signals signals(weighted_.model, columns, references_, options.backend,
                          kernel::block_lanes(options.backend, observed_.dimension()), problem_.functions);
    const double stretch = options.length / static_cast<double>(result_.stretches.a_member);
    const PassOptions passing{.window = problem_.response.window,
                              .first_lag = first_lag_,
                              .longest_lag = stretch / lags_a_stretch,
                              .first_run = [this](std::span<simulate::Sink* const> sinks) {
                                statistics_ = statistics::simulate_statistics(observed_, source_, control_, sinks,
                                                                              problem_.functions);
                                return statistics_.run;
                              }};
    const ResponsePass pass =
        response_pass(source_, signals, result_.stretches, later_names(weighted_.model),
                      entries_of(signals, problem_.model, problem_.parameters), passing, control_);
    result_.passes = pass.passes - 1;
    result_.response_seconds = pass.run.wall_seconds;
    Jacobian& jacobian = result_.jacobian;
    take_statistics(statistics_, rows(), jacobian);
    jacobian.simulated_time += pass.simulated_time - statistics_.run.simulated_time;
    if (pass.run.status != simulate::Status::done && pass.passes > 1)
      jacobian.findings.push_back(
          {.check = "completion", .passed = false, .verdict = pass.run.explanation, .fatal = true});
    note_weights(statistics_.run);
    if (!jacobian.usable()) return;
    for (statistics::Finding& finding :
         window_findings(pass, result_.stretches, options.length, problem_.response.window.has_value()))
      jacobian.findings.push_back(std::move(finding));
    jacobian.window = pass.window;
    jacobian.degrees_of_freedom = pass.correlations->degrees_of_freedom();
    const LagBins& bins = pass.correlations->bins();
    const Weights weights = window_weights(bins, pass.window);
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (std::size_t m = 0; m < rows(); ++m)
        fill(result_, jacobian.at(m, columns[i]),
             pass.correlations->between(static_cast<int>(m) + 1, static_cast<int>(i) + 1, 0), bins, weights);
    fill_exact_entries(result_, outlook_, terms_, statistics_);
  }

  const LikelihoodRatioProblem& problem_;
  const simulate::Control& control_;
  std::vector<DirectTerm> terms_;
  model::WeightedModel weighted_;
  model::Model observed_;  ///< with direct terms
  std::vector<ColumnOutlook> outlook_;
  WeightedSource source_;
  std::vector<double> references_;
  double first_lag_ = 0;
  EnsembleStatistics statistics_;
  GfdtJacobian result_;
};

}  // namespace

GfdtJacobian likelihood_ratio_jacobian(const LikelihoodRatioProblem& problem, const simulate::Control& control) {
  if (const std::string wrong = problem.simulation.problem(); !wrong.empty()) throw Error(wrong);
  if (const std::string wrong = problem.response.problem(); !wrong.empty()) throw Error(wrong);
  if (problem.model.observables.empty())
    throw Error("The model has no observables: there is nothing to differentiate.");
  if (problem.parameters.empty()) throw Error("No parameter is named: there is nothing to differentiate by.");
  return Estimation(problem, control).run();
}

}  // namespace gfdt::response
