#include "gfdt/problem/reference.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <regex>

#include "gfdt/base/error.hpp"
#include "gfdt/problem/problem.hpp"

namespace gfdt::problem {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string model = "[model]\nstate = ['x']\ndrift.x = '-x'\n";

/// Whether a problem file accepts this key with this value.
bool accepted(const std::string& section, const std::string& key, const std::string& value) {
  const bool of_command = key == "timeout" || key == "retries";
  const std::string command = of_command ? "command = 'run {output}'\n" : "";
  try {
    parse_problem(model + "[" + section + "]\n" + command + key + " = " + value + "\n", "p.toml");
    return true;
  } catch (const InputError&) {
    return false;
  }
}

struct Probe {
  double value;
  bool good;
};

/// Values on both sides of every bound in a kind such as `number > 0 and ≤ 1`; `step` is the distance from a bound to
/// the next value.
std::vector<Probe> probes(std::string kind, double step) {
  std::vector<Probe> result;
  static const std::regex from_to("from ([0-9]+) to ([0-9]+)"), bound("(>|≥|<|≤) ([0-9.]+)");
  kind = std::regex_replace(kind, from_to, "≥ $1 and ≤ $2");
  for (std::sregex_iterator match(kind.begin(), kind.end(), bound), end; match != end; ++match) {
    const std::string sign = (*match)[1];
    const double at = std::stod((*match)[2]);
    const bool lower = sign == ">" || sign == "≥", closed = sign == "≥" || sign == "≤";
    const double inside = lower ? at + step : at - step, outside = lower ? at - step : at + step;
    result.push_back({at, closed});
    result.push_back({outside, false});
    result.push_back({closed ? at : inside, true});
  }
  return result;
}

TEST(Reference, KindsMatchTheAcceptedValues) {
  int probed = 0;
  for (const SectionText& section : reference_sections()) {
    if (section.name.find('.') != std::string::npos || section.name == "model" || section.name == "targets") continue;
    for (const KeyText& key : section.keys) {
      const bool whole = key.kind.starts_with("whole number");
      if (!whole && !key.kind.starts_with("number")) continue;
      for (const Probe& probe : probes(key.kind, whole ? 1 : 0.5)) {
        const std::string value = fmt::format("{}", probe.value);
        EXPECT_EQ(accepted(section.name, key.name, value), probe.good)
            << section.name << "." << key.name << " = " << value << ", of which is said: " << key.kind;
        ++probed;
      }
    }
  }
  EXPECT_GT(probed, 90);
}

TEST(Reference, EveryKeyHasAKindAndAMeaning) {
  for (const SectionText& section : reference_sections()) {
    EXPECT_TRUE(section.opening.ends_with('.')) << section.name;
    for (const KeyText& key : section.keys) {
      EXPECT_NE(key.kind, "") << key.name;
      EXPECT_TRUE(key.meaning.ends_with('.')) << section.name << "." << key.name;
    }
  }
}

TEST(Reference, ChoicesAreAccepted) {
  EXPECT_TRUE(accepted("score", "method", "'kgmm'"));
  EXPECT_TRUE(accepted("simulation", "precision", "'float'"));
  const Problem problem = parse_problem(model + "[simulation]\nprecision = 'float'\nscheme = 'weak2'\n", "p.toml");
  EXPECT_EQ(problem.simulation.precision, simulate::Precision::single_precision);
  EXPECT_EQ(problem.simulation.scheme, simulate::Scheme::weak2);
}

TEST(Reference, DefaultsMatchTheOptions) {
  const std::string simulation = reference("simulation");
  EXPECT_THAT(simulation, HasSubstr(fmt::format("| `dt` | number > 0 | {} |", simulate::Options{}.dt)));
  EXPECT_THAT(simulation, HasSubstr("| `\"euler-maruyama\"` |"));
}

TEST(Reference, ASectionIncludesItsTables) {
  EXPECT_THAT(reference("model"), HasSubstr("### `[model.parameters]`"));
  EXPECT_THAT(reference("model"), Not(HasSubstr("## `[simulation]`")));
  EXPECT_THAT(reference(), HasSubstr("## `[calibration]`"));
  try {
    reference("simulatoin");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("Did you mean 'simulation'?"));
  }
}

}  // namespace
}  // namespace gfdt::problem
