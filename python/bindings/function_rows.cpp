#include "function_rows.hpp"

#include <cmath>
#include <limits>
#include <optional>

namespace gfdt::python {
namespace {

/// A run at a multiple of the step, and what it counts in the difference quotient.
struct Node {
  double steps = 0;
  double weight = 0;  ///< over the step
};

/// Of second order, to one side where the parameter stands on a bound.
std::vector<Node> nodes_of(const model::Parameter& parameter, double step) {
  if (parameter.value - step < parameter.lower) return {{0, -1.5}, {1, 2}, {2, -0.5}};
  if (parameter.value + step > parameter.upper) return {{0, 1.5}, {-1, -2}, {-2, 0.5}};
  return {{1, 0.5}, {-1, -0.5}};
}

using Means = std::vector<std::vector<double>>;  // [function][member]

/// Nothing where the run did not come to its end.
std::optional<ObservedSink> run_at(const io::Problem& problem, const std::string& parameter, double change,
                                   const std::vector<Observed>& observed, const simulate::Control& control) {
  model::Model model = problem.model;
  for (model::Parameter& own : model.parameters)
    if (own.name == parameter) own.value += change;
  std::optional<ObservedSink> sink(std::in_place, observed, model.dimension(), problem.simulation);
  simulate::Sink* sinks[] = {&*sink};
  if (simulate::run(model, problem.simulation, sinks, control).status != simulate::Status::done) return {};
  return sink;
}

/// Mean and standard error over members.
std::pair<double, double> estimate(const std::vector<double>& members) {
  const double count = static_cast<double>(members.size());
  double sum = 0, square = 0;
  for (const double value : members) sum += value;
  for (const double value : members) square += (value - sum / count) * (value - sum / count);
  return {sum / count, std::sqrt(square / (count * (count - 1)))};
}

}  // namespace

void add_function_rows(response::Jacobian& jacobian, const io::Problem& problem, const std::vector<Observed>& observed,
                       const simulate::Control& control) {
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  const std::optional<ObservedSink> base = run_at(problem, "", 0, observed, control);
  if (!base) return;
  const std::size_t rows = jacobian.rows(), columns = jacobian.columns.size();
  for (statistics::Average& average : base->averages()) jacobian.statistics.push_back(std::move(average));
  for (auto* values : {&jacobian.value, &jacobian.standard_error})
    values->resize((rows + observed.size()) * columns, missing);
  jacobian.score_error.resize(jacobian.value.size(), 0.0);
  for (std::size_t j = 0; j < columns; ++j) {
    const double step = jacobian.columns[j].step;
    const bool nowhere = !(step > 0) && rows > 0 && jacobian.value[j] == 0;
    std::vector<Node> nodes;
    if (step > 0) nodes = nodes_of(problem.model.parameter(jacobian.columns[j].parameter), step);
    Means quotients(observed.size(), std::vector<double>(static_cast<std::size_t>(problem.simulation.members), 0.0));
    bool complete = nowhere || !nodes.empty();
    for (const Node& node : nodes) {
      const std::optional<ObservedSink> run =
          run_at(problem, jacobian.columns[j].parameter, node.steps * step, observed, control);
      complete &= run.has_value();
      if (!complete) break;
      const Means means = run->member_means();
      for (std::size_t q = 0; q < observed.size(); ++q)
        for (std::size_t i = 0; i < means[q].size(); ++i) quotients[q][i] += node.weight / step * means[q][i];
    }
    for (std::size_t q = 0; q < observed.size() && complete; ++q)
      std::tie(jacobian.value[(rows + q) * columns + j], jacobian.standard_error[(rows + q) * columns + j]) =
          estimate(quotients[q]);
  }
}

}  // namespace gfdt::python
