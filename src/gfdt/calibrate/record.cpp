#include "gfdt/calibrate/record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/codegen/program/component_names.hpp"
#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::calibrate {
namespace {

std::vector<std::vector<double>> evaluate(const symbolic::Model& model,
                                          const std::vector<const symbolic::Observable*>& observables,
                                          const Record& record) {
  const std::size_t rows = record.rows();
  std::vector<std::vector<double>> values(observables.size(), std::vector<double>(rows));
  codegen::EvaluationPlan plan{model.indices, model.states, {}};
  for (const symbolic::Observable* observable : observables)
    plan.outputs.push_back({{"observable." + observable->name, {}}, observable->formula});
  const auto evaluator = codegen::make_evaluator<double>(plan, model.parameter_values(), codegen::Backend::interpreter);
  const auto lanes = static_cast<std::size_t>(evaluator->lanes());
  std::vector<const std::vector<double>*> measured;
  for (const std::string& name : codegen::component_names(model)) {
    const auto series = record.series.find(name);
    measured.push_back(series == record.series.end() ? nullptr : &series->second);
  }
  codegen::AlignedArray<double> state(measured.size() * lanes), output(observables.size() * lanes),
      scratch(evaluator->scratch_size());
  for (std::size_t first = 0; first < rows; first += lanes) {
    const std::size_t count = std::min(lanes, rows - first);
    for (std::size_t i = 0; i < measured.size(); ++i)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const double value = measured[i] && lane < count ? (*measured[i])[first + lane] : 0;
        state.data()[i * lanes + lane] = std::isnan(value) ? 0 : value;
      }
    evaluator->evaluate(state.data(), 1, output.data(), scratch.data());
    for (std::size_t m = 0; m < observables.size(); ++m)
      for (std::size_t lane = 0; lane < count; ++lane) values[m][first + lane] = output.data()[m * lanes + lane];
  }
  return values;
}

}  // namespace

std::vector<std::string> needed_series(const symbolic::Model& model, const symbolic::Expression& formula) {
  const std::set<std::string> present = symbolic::names_in(formula);
  const std::vector<std::string> names = codegen::component_names(model);
  std::vector<std::string> result;
  auto next = names.begin();
  for (const symbolic::Field& state : model.states)
    for (int site = 0; site < state.sites(); ++site, ++next)
      if (present.contains(state.name)) result.push_back(*next);
  return result;
}

std::vector<std::vector<double>> computed_series(const symbolic::Model& model,
                                                 const std::vector<const symbolic::Observable*>& observables,
                                                 const Record& record) {
  if (observables.empty()) return {};
  std::vector<std::vector<double>> values = evaluate(model, observables, record);
  for (std::size_t m = 0; m < observables.size(); ++m)
    for (const std::string& name : needed_series(model, observables[m]->formula)) {
      const auto measured = record.series.find(name);
      if (measured == record.series.end()) continue;
      for (std::size_t row = 0; row < record.rows(); ++row)
        if (std::isnan(measured->second[row])) values[m][row] = std::numeric_limits<double>::quiet_NaN();
    }
  return values;
}

}  // namespace gfdt::calibrate
