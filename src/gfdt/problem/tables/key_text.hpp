#pragma once

#include <span>
#include <string>
#include <vector>

namespace gfdt::problem {

/// What the reference of the problem file says of a key. The rows that keys are known by are those that are printed.
struct KeyText {
  std::string name;
  std::string kind;       ///< of its value: `number > 0`
  std::string otherwise;  ///< what holds where it is left out; empty where it cannot be, or where there is nothing then
  std::string meaning;    ///< in Markdown
};

/// A table of the problem file in the reference.
struct SectionText {
  std::string name;     ///< `model.parameters`
  std::string opening;  ///< a sentence or two, in Markdown
  std::vector<KeyText> keys;
};

/// The names of keys, in their order.
std::vector<std::string> names_of(std::span<const KeyText> keys);

}  // namespace gfdt::problem
