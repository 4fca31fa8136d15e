#include "gfdt/symbolic/model/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gfdt/base/error.hpp"
#include "gfdt/base/nearest.hpp"

namespace gfdt::symbolic {

int Field::sites() const {
  int count = 1;
  for (const Index& index : indices) count *= index.size;
  return count;
}

Expression Field::self() const {
  if (indices.empty()) return Expression::symbol(name);
  std::vector<SiteIndex> here;
  for (const Index& index : indices) here.push_back({index, 0});
  return Expression::site(name, std::move(here));
}

std::string Field::label() const {
  if (indices.empty()) return name;
  std::vector<std::string> names;
  for (const Index& index : indices) names.push_back(index.name);
  return fmt::format("{}[{}]", name, fmt::join(names, ","));
}

Expression sum_over_sites(const Field& field, const Expression& formula) {
  Expression total = formula;
  for (const Index& index : field.indices) total = symbolic::sum(index, total);
  return total;
}

int Model::dimension() const {
  int count = 0;
  for (const Field& state : states) count += state.sites();
  return count;
}

std::size_t Model::own_states() const { return states.size() - (weights ? weights->directions.size() : 0); }

int Model::own_dimension() const { return dimension() - static_cast<int>(states.size() - own_states()); }

std::map<std::string, double> Model::parameter_values() const {
  std::map<std::string, double> values;
  for (const Parameter& parameter : parameters) values.emplace(parameter.name, parameter.value);
  return values;
}

const Parameter& Model::parameter(const std::string& name) const {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) {
    if (parameter.name == name) return parameter;
    names.push_back(parameter.name);
  }
  throw Error(fmt::format("The model has no parameter '{}'.{}", name, suggestion(name, names)));
}

}  // namespace gfdt::symbolic
