#pragma once

#include <span>
#include <string>
#include <vector>

namespace gfdt::problem {

/// The description of a key in the reference of the problem file. The same rows define which keys are accepted.
struct KeyText {
  std::string name;
  std::string kind;       ///< kind of the value, such as `number > 0`
  std::string otherwise;  ///< default; empty if the key is required or has no default
  std::string meaning;    ///< in Markdown
};

/// The description of a table of the problem file in the reference.
struct SectionText {
  std::string name;     ///< such as `model.parameters`
  std::string opening;  ///< one or two sentences, in Markdown
  std::vector<KeyText> keys;
};

/// The names of the keys, in order.
std::vector<std::string> names_of(std::span<const KeyText> keys);

}  // namespace gfdt::problem
