#include "experiment_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "gfdt/base/error.hpp"
#include "gfdt/score/exact/stationary_statistics.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using nlohmann::json;

std::vector<double> flat(const json& matrix) {
  std::vector<double> values;
  for (const json& row : matrix) values.insert(values.end(), row.begin(), row.end());
  return values;
}

/// What was kept is of this problem, or of nothing.
void expect_same_problem(const json& kept, const Experiment& experiment, const symbolic::Model& model) {
  std::vector<double> values;
  for (const symbolic::Parameter& parameter : model.parameters) values.push_back(parameter.value);
  if (kept.at("parameters") != parameter_names(model) || kept.at("observables") != observable_names(model) ||
      kept.at("values") != values)
    throw Error(fmt::format("The kept truth of '{}' is of other parameters or observables: 'make study' makes it.",
                            experiment.name));
}

ExperimentTruth by_quadrature(const symbolic::Model& model) {
  score::StationaryStatistics statistics = score::stationary_statistics(model);
  ExperimentTruth truth;
  truth.source = "quadrature of the invariant density";
  truth.statistics = std::move(statistics.mean);
  truth.standard_deviation = std::move(statistics.standard_deviation);
  truth.jacobian = score::stationary_jacobian(model);
  truth.statistics_error.assign(truth.statistics.size(), 0);
  truth.jacobian_error.assign(truth.jacobian.size(), 0);
  return truth;
}

}  // namespace

std::optional<ExperimentTruth> experiment_truth(const Experiment& experiment, const symbolic::Model& model) {
  if (model.dimension() == 1) return by_quadrature(model);
  if (experiment.truth.empty()) return {};
  const json kept = json::parse(experiment.truth);
  expect_same_problem(kept, experiment, model);
  ExperimentTruth truth;
  truth.source =
      fmt::format("differences of perturbed runs, {:.3g} time units in all", kept.at("simulated_time").get<double>());
  truth.statistics = kept.at("statistics").get<std::vector<double>>();
  truth.statistics_error = kept.at("statistics_error").get<std::vector<double>>();
  truth.standard_deviation = kept.at("standard_deviations").get<std::vector<double>>();
  truth.jacobian = flat(kept.at("jacobian"));
  truth.jacobian_error = flat(kept.at("jacobian_error"));
  return truth;
}

PaperTable paper_table(const Experiment& experiment, const symbolic::Model& model) {
  PaperTable table;
  if (experiment.paper.empty()) return table;
  const json kept = json::parse(experiment.paper);
  if (kept.at("observables") != observable_names(model))
    throw Error(fmt::format("The paper's table of '{}' is of other observables.", experiment.name));
  table.source = kept.at("source").get<std::string>();
  table.remarks = kept.value("remarks", std::vector<std::string>{});
  const auto printed = kept.at("parameters").get<std::vector<std::string>>();
  const auto turned = kept.value("opposite_sign", std::vector<std::string>{});
  const std::vector<std::string> parameters = parameter_names(model);
  for (const json& method : kept.at("methods")) {
    PaperTable::Method read{method.at("name").get<std::string>(), {}, {}};
    for (const json& row : method.at("jacobian"))
      for (const std::string& name : parameters) {
        const auto found = std::ranges::find(printed, name);
        const double value = found == printed.end()
                                 ? std::numeric_limits<double>::quiet_NaN()
                                 : row.at(static_cast<std::size_t>(found - printed.begin())).get<double>();
        const bool turn = std::ranges::find(turned, name) != turned.end();
        read.jacobian.push_back(value);
        read.meant.push_back(turn ? -value : value);
      }
    table.methods.push_back(std::move(read));
  }
  return table;
}

}  // namespace gfdt::app
