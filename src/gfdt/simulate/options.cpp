#include "gfdt/simulate/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gfdt/parallel/threads.hpp"

namespace gfdt::simulate {
namespace {

constexpr int most_members = 1 << 24;
constexpr double most_steps = 1e15;

}  // namespace

const std::vector<std::string>& scheme_names() {
  static const std::vector<std::string> names{"euler-maruyama", "rk4", "weak2"};
  return names;
}

const char* name(Scheme scheme) { return scheme_names()[static_cast<std::size_t>(scheme)].c_str(); }

std::optional<Scheme> scheme_named(const std::string& name) {
  auto found = std::ranges::find(scheme_names(), name);
  if (found == scheme_names().end()) return std::nullopt;
  return static_cast<Scheme>(found - scheme_names().begin());
}

const char* name(Precision precision) { return precision == Precision::single_precision ? "float" : "double"; }

std::string Options::problem() const {
  if (!(dt > 0) || !std::isfinite(dt)) return fmt::format("The time step dt is {}; it must be a positive number.", dt);
  if (members < 1 || members > most_members)
    return fmt::format("The number of members is {}; it must be between 1 and {}.", members, most_members);
  if (!(length > 0) || !std::isfinite(length))
    return fmt::format("The length is {}; it must be a positive time.", length);
  if (cadence < 1) return fmt::format("The cadence is {} steps; it must be at least 1.", cadence);
  if (!(burn_in_time() >= 0) || !std::isfinite(burn_in_time()))
    return fmt::format("The burn-in is {}; it must be a time that is not negative.", burn_in_time());
  if ((length + burn_in_time()) / dt > most_steps)
    return fmt::format("The run has more than {:g} steps; make it shorter or dt larger.", most_steps);
  if (samples() < 1)
    return fmt::format("The length {} holds no sample: a sample is taken every {} ({} steps of {}).", length,
                       sample_interval(), cadence, dt);
  if (threads < 0) return fmt::format("The number of threads is {}; it must be positive, or 0 for all.", threads);
  return "";
}

int Options::thread_count() const { return threads > 0 ? threads : available_threads(); }

std::uint64_t Options::burn_in_steps() const { return static_cast<std::uint64_t>(std::llround(burn_in_time() / dt)); }

std::uint64_t Options::samples() const {
  return static_cast<std::uint64_t>(std::llround(length / dt)) / static_cast<std::uint64_t>(cadence);
}

}  // namespace gfdt::simulate
