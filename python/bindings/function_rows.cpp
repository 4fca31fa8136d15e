#include "function_rows.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <tuple>

#include "gfdt/statistics/statistics_sink.hpp"

namespace gfdt::python {
namespace {

/// A run at a multiple of the step, and its weight in the difference quotient.
struct Node {
  double steps = 0;
  double weight = 0;  ///< over the step
};

/// Second-order differences, one-sided if the parameter is on a bound.
std::vector<Node> nodes_of(const symbolic::Parameter& parameter, double step) {
  if (parameter.value - step < parameter.lower) return {{0, -1.5}, {1, 2}, {2, -0.5}};
  if (parameter.value + step > parameter.upper) return {{0, 1.5}, {-1, -2}, {-2, 0.5}};
  return {{1, 0.5}, {-1, -0.5}};
}

using Means = std::vector<std::vector<double>>;  // [function][member]

/// Averages of functions over a run at a changed parameter. Refers to its inputs.
class FunctionRuns {
 public:
  FunctionRuns(const problem::Problem& problem, const Functions& functions, const simulate::Control& control)
      : model_(problem.model), options_(problem.simulation), control_(control) {
    model_.observables.clear();
    model_ = with_observables(std::move(model_), functions);
    functions_ = observed(functions, model_.dimension(), std::make_shared<std::mutex>());
  }

  /// Null if the run did not complete.
  std::unique_ptr<statistics::StatisticsSink> at(const std::string& parameter, double change) const {
    symbolic::Model model = model_;
    for (symbolic::Parameter& own : model.parameters)
      if (own.name == parameter) own.value += change;
    auto sink = std::make_unique<statistics::StatisticsSink>(model, options_, 1, functions_);
    simulate::Sink* sinks[] = {sink.get()};
    if (simulate::run(model, options_, sinks, control_).status != simulate::Status::done) return {};
    return sink;
  }

 private:
  symbolic::Model model_;
  const simulate::Options& options_;
  statistics::ObservedFunctions functions_;
  const simulate::Control& control_;
};

/// Mean and standard error over members.
std::pair<double, double> estimate(const std::vector<double>& members) {
  const double count = static_cast<double>(members.size());
  double sum = 0, square = 0;
  for (const double value : members) sum += value;
  for (const double value : members) square += (value - sum / count) * (value - sum / count);
  return {sum / count, std::sqrt(square / (count * (count - 1)))};
}

}  // namespace

void add_function_rows(jacobian::Jacobian& jacobian, const problem::Problem& problem, const Functions& functions,
                       const simulate::Control& control) {
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  const FunctionRuns runs(problem, functions, control);
  const auto base = runs.at("", 0);
  if (!base) return;
  const std::size_t rows = jacobian.rows(), columns = jacobian.columns.size();
  for (const statistics::Average& average : base->observables()) jacobian.statistics.push_back(average);
  for (auto* values : {&jacobian.value, &jacobian.standard_error, &jacobian.sampling_error})
    values->resize((rows + functions.size()) * columns, missing);
  jacobian.score_error.resize(jacobian.value.size(), 0.0);
  for (std::size_t j = 0; j < columns; ++j) {
    const double step = jacobian.columns[j].step;
    const bool nowhere = !(step > 0) && rows > 0 && jacobian.value[j] == 0;
    std::vector<Node> nodes;
    if (step > 0) nodes = nodes_of(problem.model.parameter(jacobian.columns[j].parameter), step);
    Means quotients(functions.size(), std::vector<double>(static_cast<std::size_t>(problem.simulation.members), 0.0));
    bool complete = nowhere || !nodes.empty();
    for (const Node& node : nodes) {
      const auto run = runs.at(jacobian.columns[j].parameter, node.steps * step);
      complete &= run != nullptr;
      if (!complete) break;
      const Means means = run->member_means();
      for (std::size_t q = 0; q < functions.size(); ++q)
        for (std::size_t i = 0; i < means[q].size(); ++i) quotients[q][i] += node.weight / step * means[q][i];
    }
    for (std::size_t q = 0; q < functions.size() && complete; ++q) {
      const std::size_t at = (rows + q) * columns + j;
      std::tie(jacobian.value[at], jacobian.standard_error[at]) = estimate(quotients[q]);
      jacobian.sampling_error[at] = jacobian.standard_error[at];
    }
  }
}

}  // namespace gfdt::python
