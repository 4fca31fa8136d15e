#include "gfdt/jacobian/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gfdt::jacobian {

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names{"auto", "gfdt", "control-variate", "finite-difference",
                                              "likelihood-ratio"};
  return names;
}

const char* name(Method method) { return method_names()[static_cast<std::size_t>(method)].c_str(); }

std::optional<Method> method_named(const std::string& name) {
  const auto found = std::ranges::find(method_names(), name);
  if (found == method_names().end()) return std::nullopt;
  return static_cast<Method>(found - method_names().begin());
}

std::string Options::problem() const {
  if (window && !(std::isfinite(window->end) && window->start >= 0 && window->end > window->start))
    return fmt::format("The window [{:g}, {:g}] is empty; give a start of at least 0 and a later end.", window->start,
                       window->end);
  if (accuracy && !(*accuracy > 0 && *accuracy < 1))
    return fmt::format("The accuracy is {:g}; it is a share of the size of columns, such as 0.02.", *accuracy);
  if (samples && *samples < 1000) return fmt::format("The number of samples is {}; use at least 1000.", *samples);
  for (const auto& [parameter, step] : steps)
    if (!(std::isfinite(step) && step > 0))
      return fmt::format("The step of '{}' is {:g}; steps must be positive.", parameter, step);
  if (relative_step && !(std::isfinite(*relative_step) && *relative_step > 0))
    return fmt::format("The relative_step is {:g}; it must be positive.", *relative_step);
  return "";
}

}  // namespace gfdt::jacobian
