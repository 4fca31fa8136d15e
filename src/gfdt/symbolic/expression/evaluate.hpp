#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// Values of the leaves. A site is asked for by its field and its absolute position, one number in [0, size) an index.
struct Values {
  std::function<double(const std::string& symbol)> symbol;
  std::function<double(const std::string& field, std::span<const int> position)> site;
};

/// The value of a formula without open indices, or of one site of it: `position` gives each open index a value.
/// Slow and plain: the reference that the kernels are tested against.
double evaluate(const Expression& formula, const Values& values, const std::map<std::string, int>& position = {});

}  // namespace gfdt::symbolic
