#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/problem/tables/key_text.hpp"
#include "gfdt/problem/toml/toml_table.hpp"

namespace gfdt::problem {

/// A key of a section of options: its description, and the function that reads its value. `what` names the value in
/// messages.
template <class Options>
struct Key {
  KeyText text;
  std::function<void(const TomlValue& value, const std::string& what, Options& options)> read;
};

/// Throws InputError with a message that the value is not one of the choices, and suggests the nearest one.
[[noreturn]] void fail_choice(const TomlValue& value, const std::string& what, const std::vector<std::string>& choices);

/// Reads a value of the given type. Throws InputError if the value has another type or if an integer is negative.
void read_value(const TomlValue& value, const std::string& what, double& result);
void read_value(const TomlValue& value, const std::string& what, int& result);
void read_value(const TomlValue& value, const std::string& what, std::uint64_t& result);
void read_value(const TomlValue& value, const std::string& what, bool& result);
void read_value(const TomlValue& value, const std::string& what, std::string& result);
void read_value(const TomlValue& value, const std::string& what, std::vector<int>& result);
template <class Value>
void read_value(const TomlValue& value, const std::string& what, std::optional<Value>& result) {
  read_value(value, what, result.emplace());
}

/// A value in the notation of a problem file, for Markdown; empty if it cannot be shown.
std::string shown(double value);
std::string shown(int value);
std::string shown(std::uint64_t value);
std::string shown(bool value);
inline std::string shown(const std::string&) { return {}; }
inline std::string shown(const std::vector<int>&) { return {}; }
template <class Value>
std::string shown(const std::optional<Value>& value) {
  return value ? shown(*value) : std::string{};
}

/// A key that sets a member. The documented default is the value of the member in default-constructed options, or
/// `otherwise`.
template <class Options, class Value>
Key<Options> key(const char* name, const char* kind, Value Options::*member, const char* meaning,
                 const std::string& otherwise = {}) {
  return {{name, kind, otherwise.empty() ? shown(Options{}.*member) : otherwise, meaning},
          [member](const TomlValue& value, const std::string& what, Options& options) {
            read_value(value, what, options.*member);
          }};
}

/// `one of "a", "b"`
std::string choice_kind(const std::vector<std::string>& names);

/// A key whose value is the name of an enumerator; `names` are in the order of the enumerators.
template <class Options, class Choice>
Key<Options> choice(const char* name, Choice Options::*member, const std::vector<std::string>& names,
                    const char* meaning) {
  const std::string otherwise = "`\"" + names[static_cast<std::size_t>(Options{}.*member)] + "\"`";
  return {{name, choice_kind(names), otherwise, meaning},
          [member, names](const TomlValue& value, const std::string& what, Options& options) {
            const std::string& chosen = value.words(what);
            std::size_t index = 0;
            while (index < names.size() && names[index] != chosen) ++index;
            if (index == names.size()) fail_choice(value, what, names);
            options.*member = static_cast<Choice>(index);
          }};
}

/// A key of options that are a member of a larger struct.
template <class Whole, class Part>
Key<Whole> within(Part Whole::*part, const Key<Part>& key) {
  return {key.text, [part, read = key.read](const TomlValue& value, const std::string& what, Whole& whole) {
            read(value, what, whole.*part);
          }};
}

template <class Options>
std::vector<KeyText> texts_of(const std::vector<Key<Options>>& keys) {
  std::vector<KeyText> texts;
  for (const Key<Options>& key : keys) texts.push_back(key.text);
  return texts;
}

/// The position at which a sentence mentions a key, also as "burn-in" or "burn in" for `burn_in`; npos if it does not.
std::size_t mention(const std::string& sentence, const std::string& key);

/// Reads options from a section of a file. If their `problem()` is not empty, throws InputError at the key whose
/// removal changes the problem; if there are several such keys, at the one that the problem mentions first.
template <class Options>
Options read_options(const TomlEntry& section, const std::vector<Key<Options>>& keys) {
  expect_keys(section.value, section.name, names_of(texts_of(keys)));
  const auto read_all = [&](const TomlEntry* left_out) {
    Options options;
    for (const TomlEntry& entry : section.value.entries)
      for (const Key<Options>& key : keys)
        if (&entry != left_out && key.text.name == entry.name)
          key.read(entry.value, section.name + "." + entry.name, options);
    return options;
  };
  Options options = read_all(nullptr);
  const std::string problem = options.problem();
  if (problem.empty()) return options;
  const TomlEntry* culprit = nullptr;
  for (const TomlEntry& entry : section.value.entries)
    if (read_all(&entry).problem() != problem)
      if (!culprit || mention(problem, entry.name) < mention(problem, culprit->name)) culprit = &entry;
  (culprit ? *culprit : section).value.fail(problem);
}

}  // namespace gfdt::problem
