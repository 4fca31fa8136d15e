#include "gfdt/score/selection/options.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gfdt::score {

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names{"auto", "exact", "gaussian", "kgmm", "dsm", "patch", "unet"};
  return names;
}

const char* name(Method method) { return method_names()[static_cast<std::size_t>(method)].c_str(); }

std::optional<Method> method_named(const std::string& name) {
  const auto found = std::ranges::find(method_names(), name);
  if (found == method_names().end()) return std::nullopt;
  return static_cast<Method>(found - method_names().begin());
}

std::string Origin::name() const { return method ? score::name(*method) : "function"; }

namespace {

template <class T>
std::string below(const std::optional<T>& value, T least, const char* what) {
  if (!value || *value >= least) return {};
  return fmt::format("The {} must be at least {}; {} is not.", what, least, *value);
}

}  // namespace

std::string Options::problem() const {
  if (samples < 100) return fmt::format("A score needs at least 100 samples; {} are too few.", samples);
  if (noise && !(*noise > 0 && *noise < 1))
    return fmt::format("The noise level is in standard deviations of the data: above 0 and below 1; {} is not.",
                       *noise);
  if (hidden && (hidden->empty() || std::ranges::any_of(*hidden, [](int units) { return units < 1; })))
    return "The hidden widths must be a list of numbers from 1 on.";
  if (warm_epochs && !(*warm_epochs > 0 && *warm_epochs <= 1))
    return fmt::format("warm_epochs is a share of the epochs, above 0 and at most 1; {} is not.", *warm_epochs);
  if (rate && !(*rate > 0 && *rate < 1))
    return fmt::format("The learning rate must lie between 0 and 1; {} does not.", *rate);
  if (validation && !(*validation >= 0 && *validation <= 0.5))
    return fmt::format("The share kept for validation must lie between 0 and 0.5; {} does not.", *validation);
  for (const std::string& problem :
       {below(leaves, 2, "number of leaves"), below(radius, 0, "radius"), below(width, 8, "width"),
        below(epochs, 1, "number of epochs"), below(batch, 1, "batch"), below(patience, 0, "patience")})
    if (!problem.empty()) return problem;
  constexpr int most_probes = 1000, most_width = 1024, most_units = 65536;
  if (probes > most_probes)
    return fmt::format("More than {} probes are of no use; {} are too many.", most_probes, probes);
  if (width && *width > most_width)
    return fmt::format("The width can be {} at most; {} is too much.", most_width, *width);
  if (hidden && std::ranges::any_of(*hidden, [](int units) { return units > most_units; }))
    return fmt::format("The hidden widths can be {} at most.", most_units);
  if (probes < 1) return fmt::format("The number of probes must be at least 1; {} is not.", probes);
  return {};
}

}  // namespace gfdt::score
