#include "gfdt/simulate/weight_stage.hpp"

#include <gmock/gmock.h>

#include "gfdt/model/likelihood_weights.hpp"
#include "recorder.hpp"

namespace gfdt::simulate {
namespace {

using model::Description;

Description ring() {
  return Description().index("k", 9).parameter("a", 0.4).parameter("b", 0.02).parameter("s", 0.9).state(
      "X[k]", "-X[k-1]*(X[k-2] - X[k+1]) - a*X[k] - b*X[k]^3 + 4", "s");
}

Description triad() {
  return Description()
      .parameter("d", 0.3)
      .parameter("w", 0.4)
      .parameter("s", 0.5)
      .state("u", "-d*u - w*v + tanh(z)", "s")
      .state("v", "-d*v + w*u", "s*(1 + 0.2*u^2)")
      .state("z", "-2*z", "s*(1 + tanh(u))");
}

struct Case {
  Description description;
  Scheme scheme;
  kernel::Backend backend;
  Precision precision;
};

/// Whatever weights read and add up, the other states take the steps that they take without: the same bits.
TEST(WeightStage, LeavesTheStatesAsTheyAre) {
  using kernel::Backend;
  const Case cases[] = {
      {ring(), Scheme::rk4, Backend::native, Precision::single_precision},
      {ring(), Scheme::euler_maruyama, Backend::interpreter, Precision::double_precision},
      {ring(), Scheme::weak2, Backend::interpreter, Precision::single_precision},
      {triad(), Scheme::weak2, Backend::native, Precision::double_precision},
      {triad(), Scheme::rk4, Backend::interpreter, Precision::double_precision},
  };
  for (const Case& c : cases) {
    const model::Model model = model::build(c.description);
    std::vector<std::string> names;
    for (const model::Parameter& parameter : model.parameters) names.push_back(parameter.name);
    const model::WeightedModel weighted = model::with_likelihood_weights(model, names);
    ASSERT_TRUE(weighted.model.weights);
    Options options{.dt = 0.01, .members = 3, .length = 4, .burn_in = 1, .cadence = 4, .scheme = c.scheme};
    options.precision = c.precision;
    options.backend = c.backend;
    const Recorder plain = record(model, options), with = record(weighted.model, options);
    ASSERT_EQ(with.rows(), static_cast<std::size_t>(weighted.model.dimension()));
    for (std::size_t member = 0; member < 3; ++member)
      for (std::size_t sample = 0; sample < plain.samples(); ++sample) {
        for (std::size_t row = 0; row < plain.rows(); ++row)
          ASSERT_EQ(with.at(member, sample, row), plain.at(member, sample, row)) << name(c.scheme);
        for (std::size_t row = plain.rows(); row < with.rows(); ++row)
          ASSERT_NE(with.at(member, sample, row), 0) << name(c.scheme);
      }
  }
}

/// Signs that the states do not have would shift those that they do.
TEST(WeightStage, DrawsNoFurtherRandomNumbers) {
  for (const Description& description : {ring(), triad()}) {
    const model::Model model = model::build(description);
    for (const Scheme scheme : {Scheme::euler_maruyama, Scheme::rk4, Scheme::weak2}) {
      const kernel::StepPlan plain = step_plan(model, scheme),
                             with = step_plan(model::with_likelihood_weights(model, {"s"}).model, scheme);
      EXPECT_EQ(kernel::total_rows(with.noises), kernel::total_rows(plain.noises));
      EXPECT_EQ(kernel::total_rows(with.signs), kernel::total_rows(plain.signs));
    }
  }
}

}  // namespace
}  // namespace gfdt::simulate
