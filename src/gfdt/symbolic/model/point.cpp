#include "gfdt/symbolic/model/point.hpp"

#include <algorithm>

#include "gfdt/base/philox.hpp"
#include "gfdt/symbolic/expression/evaluate.hpp"

namespace gfdt::symbolic {

Point::Point(const Model& model, std::uint64_t seed, std::uint32_t number) : model_(model) {
  codegen::Stream stream(seed, codegen::Purpose::sampling, number);
  std::uint64_t position = 0;
  for (const Parameter& p : model.parameters) parameters[p.name] = p.value;
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    const InitialDistribution law =
        i == model.time_state ? InitialDistribution{0, model.period.value_or(1)} : model.initial[i];
    for (int site = 0; site < model.states[i].sites(); ++site)
      states[model.states[i].name].push_back(law.mean + law.std * stream.normal(position++));
  }
}

double Point::operator()(const Expression& formula, std::map<std::string, int> position) const {
  Values values{
      .symbol =
          [this](const std::string& name) { return states.contains(name) ? states.at(name)[0] : parameters.at(name); },
      .site = [this](const std::string& field,
                     std::span<const int> site) { return states.at(field)[flat(field, site)]; }};
  for (const std::string& index : formula.free_indices()) position.try_emplace(index, 0);
  return symbolic::evaluate(formula, values, position);
}

std::size_t Point::flat(const std::string& field, std::span<const int> position) const {
  const Field& f = *std::ranges::find(model_.states, field, &Field::name);
  std::size_t place = 0;
  for (std::size_t i = 0; i < position.size(); ++i)
    place = place * static_cast<std::size_t>(f.indices[i].size) + static_cast<std::size_t>(position[i]);
  return place;
}

}  // namespace gfdt::symbolic
