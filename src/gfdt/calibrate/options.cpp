#include "gfdt/calibrate/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gfdt::calibrate {
namespace {

template <class Choice>
std::optional<Choice> choice_named(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Choice>(found - names.begin());
}

}  // namespace

const std::vector<std::string>& algorithm_names() {
  static const std::vector<std::string> names{"levenberg-marquardt", "gauss-newton", "ensemble-kalman"};
  return names;
}

const char* name(Algorithm algorithm) { return algorithm_names()[static_cast<std::size_t>(algorithm)].c_str(); }

std::optional<Algorithm> algorithm_named(const std::string& name) {
  return choice_named<Algorithm>(algorithm_names(), name);
}

const std::vector<std::string>& weighting_names() {
  static const std::vector<std::string> names{"noise", "covariance", "variance", "none"};
  return names;
}

const char* name(Weighting weighting) { return weighting_names()[static_cast<std::size_t>(weighting)].c_str(); }

std::optional<Weighting> weighting_named(const std::string& name) {
  return choice_named<Weighting>(weighting_names(), name);
}

std::string Options::problem() const {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  const auto not_negative = [](double value) { return std::isfinite(value) && value >= 0; };
  if (!not_negative(ridge)) return fmt::format("The ridge is {}; it must be a number not below 0.", ridge);
  if (!not_negative(tikhonov)) return fmt::format("tikhonov is {}; it must be a number not below 0.", tikhonov);
  if (!positive(trust_radius)) return fmt::format("The trust_radius is {}; it must be positive.", trust_radius);
  if (iterations < 1) return fmt::format("{} iterations are too few; at least 1 is needed.", iterations);
  if (tolerance && !positive(*tolerance)) return fmt::format("The tolerance is {}; it must be positive.", *tolerance);
  if (simulated_time && !positive(*simulated_time))
    return fmt::format("The simulated_time is {}; it must be positive.", *simulated_time);
  if (!(confidence > 0 && confidence < 1))
    return fmt::format("The confidence is {}; it must lie between 0 and 1, such as 0.95.", confidence);
  if (!(first_length > 0 && first_length <= 1))
    return fmt::format("first_length is {}; it is a share of simulation.length, above 0 and at most 1.", first_length);
  if (!(condition_cap > 1)) return fmt::format("The condition_cap is {}; it must be above 1.", condition_cap);
  if (!positive(capped_step)) return fmt::format("The capped_step is {}; it must be positive.", capped_step);
  if (halvings < 0) return fmt::format("{} halvings make no sense; 0 is the fewest.", halvings);
  if (!(stability_length >= 0 && stability_length <= 1))
    return fmt::format("The stability_length is {}; it is a share of simulation.length, from 0 to 1.",
                       stability_length);
  if (ensemble != 0 && ensemble < 3)
    return fmt::format("An ensemble of {} is too small; 3 is the fewest, and 0 leaves the choice to the program.",
                       ensemble);
  if (predictive_draws != 0 && predictive_draws < 20)
    return fmt::format(
        "{} predictive_draws are too few for bands that hold nine tenths of them; 20 are the fewest, and 0 makes none.",
        predictive_draws);
  if (!positive(ensemble_spread))
    return fmt::format("The ensemble_spread is {}; it must be positive.", ensemble_spread);
  return {};
}

}  // namespace gfdt::calibrate
