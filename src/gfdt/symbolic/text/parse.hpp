#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// What a name stands for: a formula over its indices. A scalar has none; the field X over k is {{k}, X[k]}.
struct Definition {
  std::vector<Index> indices;
  Expression formula;
};

/// The names a formula may use.
class Scope {
 public:
  virtual ~Scope() = default;
  /// What `name` stands for, or nothing when it is unknown. May throw InputError, for a recursive definition say.
  virtual std::optional<Definition> find(const std::string& name) const = 0;
  virtual std::optional<Index> index(const std::string& name) const = 0;
  /// All known names, for suggestions.
  virtual std::vector<std::string> names() const = 0;
  /// A sentence, after a space, on how a name that is not known could become so; empty when there is nothing to say.
  virtual std::string remedy(const std::string&) const { return ""; }
};

/// Reads a formula. `open` are the indices it may leave open: {k} for a formula per site of k, none for a scalar.
/// Throws InputError with the place of the culprit.
Expression parse(std::string_view text, const Scope& scope, const Origin& origin = {},
                 const std::vector<Index>& open = {});

/// Whether a text is a name: a letter or underscore, then letters, digits, underscores; not a function, a constant or a
/// keyword.
bool is_name(std::string_view text);

/// Whether a text is a name that the language keeps for itself: a function, `pi`, `and`, `sum`, ...
bool is_reserved(std::string_view text);

}  // namespace gfdt::symbolic
