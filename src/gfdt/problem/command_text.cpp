#include "gfdt/problem/command_text.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace gfdt::problem {
namespace {

bool belongs_to_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '.' || byte >= 0x80;
}

/// The name in braces that begins at `offset`; empty if there is none.
std::string name_at(const std::string& text, std::size_t offset) {
  if (offset >= text.size() || text[offset] != '{') return {};
  std::size_t end = offset + 1;
  while (end < text.size() && belongs_to_name(text[end])) ++end;
  const bool closed = end < text.size() && text[end] == '}';
  const bool begins_well = end > offset + 1 && std::isdigit(static_cast<unsigned char>(text[offset + 1])) == 0;
  return closed && begins_well ? text.substr(offset + 1, end - offset - 1) : std::string();
}

/// Calls `place(offset, name)` for each placeholder and `literal(text)` for the text in between.
template <class OnPlace, class OnLiteral>
void scan(const std::string& text, OnPlace place, OnLiteral literal) {
  for (std::size_t i = 0; i < text.size();) {
    const bool of_shell = i > 0 && text[i - 1] == '$';
    if (const std::string doubled = name_at(text, i + 1);
        text[i] == '{' && !doubled.empty() && text.substr(i + doubled.size() + 3, 1) == "}") {
      literal("{" + doubled + "}");
      i += doubled.size() + 4;
    } else if (const std::string name = name_at(text, i); !name.empty() && !of_shell) {
      place(i, name);
      i += name.size() + 2;
    } else {
      literal(std::string(1, text[i++]));
    }
  }
}

}  // namespace

std::vector<CommandPlace> places_of(const std::string& command) {
  std::vector<CommandPlace> places;
  scan(
      command,
      [&](std::size_t offset, const std::string& name) {
        places.push_back({offset, name});
      },
      [](const std::string&) {});
  return places;
}

std::vector<std::string> place_names(const symbolic::Model& model) {
  std::vector<std::string> names{"parameters", "output", "output.csv", "output.nc", "seed",
                                 "length",     "dt",     "members",    "burn_in",   "cadence"};
  for (const symbolic::Parameter& parameter : model.parameters)
    if (std::ranges::find(names, parameter.name) == names.end()) names.push_back(parameter.name);
  return names;
}

std::string fill_in(const std::string& command, const std::map<std::string, std::string>& values) {
  std::string result;
  scan(
      command,
      [&](std::size_t, const std::string& name) {
        const auto value = values.find(name);
        result += value == values.end() ? "{" + name + "}" : value->second;
      },
      [&](const std::string& text) { result += text; });
  return result;
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view harmless = "_/.,:=+-@%";
  if (!text.empty() && std::ranges::all_of(text, [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || harmless.find(c) != std::string_view::npos;
      }))
    return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace gfdt::problem
