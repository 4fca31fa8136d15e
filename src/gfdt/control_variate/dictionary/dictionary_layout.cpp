#include "gfdt/control_variate/dictionary/dictionary_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gfdt::control_variate {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

int longest_offset(const Dictionary& dictionary) {
  int longest = 0;
  for (const Function& function : dictionary.functions)
    for (const Factor& factor : function.factors) longest = std::max(longest, factor.offset);
  return longest;
}

}  // namespace

DictionaryLayout::DictionaryLayout(const symbolic::Model& model, const Dictionary& dictionary,
                                   const std::vector<std::optional<Operator>>& operators)
    : formulas{model.indices, model.states, {}},
      symbols(model.parameter_values()),
      coordinates_(static_cast<int>(dictionary.coordinates.size())),
      sites_(dictionary.sites) {
  const auto& y = dictionary.coordinates;
  const auto add = [&](const Expression& formula) {
    formulas.outputs.push_back({{fmt::format("row.{}", formulas.outputs.size()), model.states[0].indices}, formula});
    return static_cast<int>(formulas.outputs.size() - 1) * sites_;
  };
  const auto add_unless_zero = [&](const Expression& formula) { return formula.is_number(0) ? -1 : add(formula); };
  const Operator l = control_variate::generator(model);
  for (const Coordinate& coordinate : y) add(coordinate.value());
  for (const Coordinate& coordinate : y) generator.applied.push_back(add(applied(model, l, coordinate)));
  changes.resize(operators.size(), {std::vector<int>(at(coordinates_), -1), {}});
  for (std::size_t j = 0; j < operators.size(); ++j)
    if (operators[j])
      for (std::size_t q = 0; q < y.size(); ++q)
        changes[j].applied[q] = add_unless_zero(applied(model, *operators[j], y[q]));
  coupling_at_.assign(at(coordinates_ * coordinates_ * sites_), -1);
  const int reach = longest_offset(dictionary);
  for (int q = 0; q < coordinates_; ++q)
    for (int r = 0; r < coordinates_; ++r)
      for (int offset = -reach; offset <= reach; ++offset) {
        if (coupling_of(q, r, offset) >= 0) continue;
        const auto under = [&](const Operator& op) { return coupling(model, op, y[at(q)], y[at(r)], offset); };
        const Expression of_l = under(l);
        std::vector<Expression> of_changes;
        for (const std::optional<Operator>& change : operators)
          of_changes.push_back(change ? under(*change) : Expression());
        if (of_l.is_number(0) && std::ranges::all_of(of_changes, [](const Expression& e) { return e.is_number(0); }))
          continue;
        coupling_at_[at((q * coordinates_ + r) * sites_ + (offset + sites_) % sites_)] = static_cast<int>(couplings++);
        generator.couplings.push_back(add(of_l));
        for (std::size_t j = 0; j < operators.size(); ++j)
          changes[j].couplings.push_back(add_unless_zero(of_changes[j]));
      }
  find_profiles(dictionary);
}

void DictionaryLayout::find_profiles(const Dictionary& dictionary) {
  profiles_used.assign(at(coordinates_), 0);
  for (const Function& function : dictionary.functions)
    for (const Factor& factor : function.factors)
      profiles_used[at(factor.coordinate)] = std::max(profiles_used[at(factor.coordinate)], at(factor.profile) + 1);
  first_profile.push_back(0);
  for (const std::size_t used : profiles_used) first_profile.push_back(first_profile.back() + used * at(sites_));
}

int DictionaryLayout::coupling_of(int first, int second, int offset) const {
  return coupling_at_[at((first * coordinates_ + second) * sites_ + (offset + sites_) % sites_)];
}

std::vector<ProductPlaces> DictionaryLayout::places(const Dictionary& dictionary, const OperatorRows& rows) const {
  std::vector<ProductPlaces> result;
  for (const Function& function : dictionary.functions) {
    ProductPlaces& product = result.emplace_back();
    product.factors = static_cast<int>(function.factors.size());
    for (std::size_t a = 0; a < function.factors.size(); ++a) {
      const Factor& factor = function.factors[a];
      const std::size_t q = at(factor.coordinate);
      product.offset[a] = factor.offset;
      product.profile[a] = static_cast<int>(first_profile[q]) + factor.profile;
      product.profiles[a] = static_cast<int>(profiles_used[q]);
      product.applied[a] = rows.applied[q];
      for (std::size_t b = a; b < function.factors.size(); ++b) {
        const Factor& other = function.factors[b];
        const int known = coupling_of(factor.coordinate, other.coordinate, other.offset - factor.offset);
        if (known >= 0) product.coupling[a][b] = rows.couplings[at(known)];
      }
    }
  }
  return result;
}

}  // namespace gfdt::control_variate
