#include "gfdt/problem/toml/toml_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/nearest.hpp"

namespace gfdt::problem {
namespace {

const char* found(const TomlValue& value) {
  switch (value.kind) {
    case TomlKind::boolean:
      return "true or false";
    case TomlKind::integer:
    case TomlKind::real:
      return "a number";
    case TomlKind::text:
      return "a string";
    case TomlKind::array:
      return "an array";
    case TomlKind::table:
      return "a table";
    case TomlKind::date:
      return "a date or time";
  }
  return "something else";
}

}  // namespace

void TomlValue::fail_kind(const std::string& what, const std::string& expected) const {
  fail(fmt::format("{}: expected {}, found {}.", what, expected, found(*this)));
}

double TomlValue::number(const std::string& what) const {
  if (!is_number()) fail_kind(what, "a number");
  return real;
}

double TomlValue::finite_number(const std::string& what) const {
  const double value = number(what);
  if (!std::isfinite(value)) fail(fmt::format("{}: expected a finite number, found {}.", what, value));
  return value;
}

std::int64_t TomlValue::whole_number(const std::string& what, std::int64_t least, std::int64_t most) const {
  if (!is_number()) fail_kind(what, "a whole number");
  constexpr double exact_up_to = 9007199254740992.0;  // 2^53
  if (kind == TomlKind::real && (real != std::trunc(real) || std::abs(real) > exact_up_to))
    fail(fmt::format("{}: expected a whole number, found {}.", what, real));
  const std::int64_t value = kind == TomlKind::integer ? integer : static_cast<std::int64_t>(real);
  if (value < least || value > most)
    fail(fmt::format("{}: {} is out of range; it must be between {} and {}.", what, value, least, most));
  return value;
}

bool TomlValue::truth(const std::string& what) const {
  if (kind != TomlKind::boolean) fail_kind(what, "true or false");
  return integer != 0;
}

const std::string& TomlValue::words(const std::string& what) const {
  if (kind != TomlKind::text) fail_kind(what, "a string");
  return text;
}

const std::vector<TomlValue>& TomlValue::array_items(const std::string& what) const {
  if (kind != TomlKind::array) fail_kind(what, "an array");
  return items;
}

const std::vector<TomlEntry>& TomlValue::table_entries(const std::string& what) const {
  if (kind != TomlKind::table) fail_kind(what, "a table");
  return entries;
}

const TomlEntry* TomlValue::find(const std::string& name) const {
  const auto entry = std::ranges::find(entries, name, &TomlEntry::name);
  return entry == entries.end() ? nullptr : &*entry;
}

TomlEntry* TomlValue::find(const std::string& name) {
  const auto entry = std::ranges::find(entries, name, &TomlEntry::name);
  return entry == entries.end() ? nullptr : &*entry;
}

void expect_keys(const TomlValue& table, const std::string& section, std::span<const std::string> known) {
  for (const TomlEntry& entry : table.table_entries(section)) {
    if (std::ranges::find(known, entry.name) != known.end()) continue;
    const std::string where = section.empty() ? "a problem file" : fmt::format("[{}]", section);
    const std::string all = fmt::format(" Known: {}.", fmt::join(known, ", "));
    const std::string hint = suggestion(entry.name, known);
    entry.fail(fmt::format("'{}' is not a key of {}.{}", entry.name, where, hint.empty() ? all : hint));
  }
}

}  // namespace gfdt::problem
