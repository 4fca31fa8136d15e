#include "gfdt/problem/tables/options_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "gfdt/base/nearest.hpp"

namespace gfdt::problem {

std::vector<std::string> names_of(std::span<const KeyText> keys) {
  std::vector<std::string> names;
  for (const KeyText& key : keys) names.push_back(key.name);
  return names;
}

void fail_choice(const TomlValue& value, const std::string& what, const std::vector<std::string>& choices) {
  throw InputError(fmt::format("{}: '{}' is not one of {}.{}", what, value.text, fmt::join(choices, ", "),
                               suggestion(value.text, choices)),
                   value.text_place.origin());
}

void read_value(const TomlValue& value, const std::string& what, double& result) { result = value.finite_number(what); }

void read_value(const TomlValue& value, const std::string& what, int& result) {
  result = static_cast<int>(value.whole_number(what, 0, std::numeric_limits<int>::max()));
}

void read_value(const TomlValue& value, const std::string& what, std::uint64_t& result) {
  result = static_cast<std::uint64_t>(value.whole_number(what, 0, std::numeric_limits<std::int64_t>::max()));
}

void read_value(const TomlValue& value, const std::string& what, bool& result) { result = value.truth(what); }

void read_value(const TomlValue& value, const std::string& what, std::string& result) { result = value.words(what); }

void read_value(const TomlValue& value, const std::string& what, std::vector<int>& result) {
  for (const TomlValue& item : value.array_items(what)) read_value(item, what, result.emplace_back());
}

std::string shown(double value) { return fmt::format("{}", value); }
std::string shown(int value) { return fmt::format("{}", value); }
std::string shown(std::uint64_t value) { return fmt::format("{}", value); }
std::string shown(bool value) { return value ? "`true`" : "`false`"; }

std::string choice_kind(const std::vector<std::string>& names) {
  return fmt::format("one of `\"{}\"`", fmt::join(names, "\"`, `\""));
}

std::size_t mention(const std::string& sentence, const std::string& key) {
  std::size_t first = sentence.find(key);
  for (char joint : {'-', ' '}) {
    std::string spoken = key;
    std::ranges::replace(spoken, '_', joint);
    first = std::min(first, sentence.find(spoken));
  }
  return first;
}

}  // namespace gfdt::problem
