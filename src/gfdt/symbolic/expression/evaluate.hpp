#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// Values of symbols and fields. The position of a site is absolute: one number in [0, size) per index.
struct Values {
  std::function<double(const std::string& symbol)> symbol;
  std::function<double(const std::string& field, std::span<const int> position)> site;
};

/// Value of a formula. `position` gives the value of each free index. A simple, slow implementation, used as the
/// reference for tests of generated code.
double evaluate(const Expression& formula, const Values& values, const std::map<std::string, int>& position = {});

}  // namespace gfdt::symbolic
