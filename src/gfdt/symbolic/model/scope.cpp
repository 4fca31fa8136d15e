#include "gfdt/symbolic/model/scope.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gfdt/base/nearest.hpp"

namespace gfdt::symbolic {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

void ModelScope::take(const Text& name) {
  if (symbolic::is_reserved(name.text))
    throw InputError(fmt::format("'{}' is a word of the formula language and cannot be a name.", name.text),
                     name.origin);
  if (!symbolic::is_name(name.text))
    throw InputError(
        fmt::format("'{}' is not a name: a name is a letter followed by letters, digits or underscores.", name.text),
        name.origin);
  if (!taken_.insert(name.text).second)
    throw InputError(fmt::format("The name '{}' is defined twice.", name.text), name.origin);
}

void ModelScope::add_index(const SitesText& sites) {
  constexpr int most_sites = 1 << 24;
  take(sites.name);
  if (sites.size < 1 || sites.size > most_sites)
    throw InputError(fmt::format("The number of sites of '{}' is {}; it must be between 1 and {}.", sites.name.text,
                                 sites.size, most_sites),
                     sites.name.origin);
  indices_.push_back({sites.name.text, sites.size});
}

void ModelScope::add(const Text& name, Definition definition) {
  take(name);
  known_[name.text] = std::move(definition);
}

void ModelScope::add_formula(const NamedText& formula) {
  Field target = declare(formula.name);
  take({target.name, formula.name.origin});
  pending_.insert_or_assign(target.name, Pending{target, formula.formula});
}

void ModelScope::add_observable(const NamedText& formula) {
  const auto known = known_.find(formula.name.text);
  const bool scalar = known != known_.end() && known->second.indices.empty();
  if (scalar && trimmed(formula.formula.text) == formula.name.text && observed_as_they_are_.insert(known->first).second)
    return;
  if (!symbolic::is_reserved(formula.name.text)) return add_formula(formula);
  if (!pending_.insert_or_assign(formula.name.text, Pending{{formula.name.text, {}}, formula.formula}).second)
    throw InputError(fmt::format("The name '{}' is defined twice.", formula.name.text), formula.name.origin);
}

Field ModelScope::declare(const Text& label) const {
  std::string_view text = trimmed(label.text);
  std::size_t bracket = text.find('[');
  Field field{std::string(trimmed(text.substr(0, bracket))), {}};
  if (bracket == std::string_view::npos) return field;
  if (text.back() != ']') throw InputError(fmt::format("'{}' lacks its closing bracket.", label.text), label.origin);
  std::string_view inside = text.substr(bracket + 1, text.size() - bracket - 2);
  while (true) {
    std::size_t comma = inside.find(',');
    std::string name(trimmed(inside.substr(0, comma)));
    std::optional<Index> known = index(name);
    if (!known) {
      std::vector<std::string> all;
      for (const Index& i : indices_) all.push_back(i.name);
      throw InputError(fmt::format("The index '{}' of '{}' is not among the model's sites.{}", name, label.text,
                                   suggestion(name, all)),
                       label.origin);
    }
    if (std::ranges::find(field.indices, *known) != field.indices.end())
      throw InputError(fmt::format("'{}' names the index '{}' twice.", label.text, name), label.origin);
    field.indices.push_back(*known);
    if (comma == std::string_view::npos) break;
    inside.remove_prefix(comma + 1);
  }
  if (field.indices.size() > 2)
    throw InputError(fmt::format("'{}' has {} indices; two is the most.", label.text, field.indices.size()),
                     label.origin);
  return field;
}

std::optional<Definition> ModelScope::find(const std::string& name) const {
  if (auto found = known_.find(name); found != known_.end()) return found->second;
  auto found = pending_.find(name);
  if (found == pending_.end()) return std::nullopt;
  const Pending& pending = found->second;
  if (auto start = std::ranges::find(in_progress_, name); start != in_progress_.end()) {
    std::vector<std::string> cycle(start, in_progress_.end());
    cycle.push_back(name);
    throw InputError(fmt::format("The definition of '{}' is recursive: {}.", name, fmt::join(cycle, " needs ")),
                     pending.formula.origin);
  }
  in_progress_.push_back(name);
  Definition definition{pending.target.indices, {}};
  try {
    definition.formula = symbolic::parse(pending.formula.text, *this, pending.formula.origin, pending.target.indices);
  } catch (...) {
    in_progress_.pop_back();
    throw;
  }
  in_progress_.pop_back();
  return known_[name] = definition;
}

std::optional<Index> ModelScope::index(const std::string& name) const {
  auto found = std::ranges::find(indices_, name, &Index::name);
  return found == indices_.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::string> ModelScope::names() const {
  std::vector<std::string> all;
  for (const auto& [name, definition] : known_) all.push_back(name);
  for (const auto& [name, pending] : pending_)
    if (!known_.contains(name)) all.push_back(name);
  return all;
}

std::string ModelScope::remedy(const std::string& name) const {
  if (name != time_name) return "";
  return " If it is the time, say so in [model]: 'period = 6.2832' when the formulas repeat after that time, else "
         "'time = true'.";
}

}  // namespace gfdt::symbolic
