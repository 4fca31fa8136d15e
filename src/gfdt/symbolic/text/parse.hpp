#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// Definition of a name: a formula and its indices. A scalar has no index; the field X over k is {{k}, X[k]}.
struct Definition {
  std::vector<Index> indices;
  Expression formula;
};

/// The names that a formula may use.
class Scope {
 public:
  virtual ~Scope() = default;
  /// Definition of a name; nothing if it is unknown. May throw InputError, for example for a recursive definition.
  virtual std::optional<Definition> find(const std::string& name) const = 0;
  virtual std::optional<Index> index(const std::string& name) const = 0;
  /// All known names, for suggestions.
  virtual std::vector<std::string> names() const = 0;
  /// Advice, preceded by a space, on how to define an unknown name; may be empty.
  virtual std::string remedy(const std::string&) const { return ""; }
};

/// Parses a formula. `open` lists the indices that may be free: {k} for a formula per site of k, none for a scalar.
/// Throws InputError with the position of the error.
Expression parse(std::string_view text, const Scope& scope, const Origin& origin = {},
                 const std::vector<Index>& open = {});

/// Whether a text is a valid name: a letter or underscore followed by letters, digits or underscores, and not a
/// reserved word.
bool is_name(std::string_view text);

/// Whether a text is a reserved word of the formula language: a function, `pi`, `and`, `sum`, ...
bool is_reserved(std::string_view text);

}  // namespace gfdt::symbolic
