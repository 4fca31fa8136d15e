#include "gfdt/control_variate/controlled_statistics.hpp"

#include <gmock/gmock.h>

#include <numbers>
#include <numeric>

#include "../symbolic/model/paper_models.hpp"
#include "cubic_model.hpp"
#include "gfdt/score/exact/stationary_statistics.hpp"

namespace gfdt::control_variate {
namespace {

using symbolic::build;
using symbolic::Description;
using testing::HasSubstr;

simulate::Options run_of(int members, double length) {
  return {.dt = 0.02,
          .members = members,
          .length = length,
          .burn_in = 10,
          .scheme = simulate::Scheme::weak2,
          .backend = codegen::Backend::interpreter};
}

TEST(ControlledStatistics, ReplacePlainAverages) {
  const symbolic::Model model = cubic();
  const simulate::ModelSource source(model, run_of(32, 50));
  const ControlledStatistics made = controlled_statistics(model, source, {}, {}, {});
  ASSERT_TRUE(made.control) << made.without;
  const std::vector<double> means = score::stationary_statistics(model).mean;
  for (std::size_t m = 0; m < 3; ++m) {
    const statistics::Average& average = made.run.observables[m];
    ASSERT_TRUE(average.plain);
    EXPECT_LT(average.standard_error, average.plain->standard_error / 4);
    EXPECT_NEAR(average.mean, means[m], 4 * average.standard_error);
    EXPECT_NEAR(made.run.mean_covariance[m * 3 + m], std::pow(average.standard_error, 2), 1e-15);
  }
}

// Most of the error of this run is due to states it may have missed, whose correlations the members do not show.
TEST(ControlledStatistics, HaveTheCovarianceOfTheirInfluences) {
  const symbolic::Model model = cubic();
  const simulate::ModelSource source(model, run_of(32, 50));
  const ControlledStatistics made = controlled_statistics(model, source, {}, {}, {});
  ASSERT_TRUE(made.control) << made.without;
  for (std::size_t m = 0; m < 3; ++m)
    for (std::size_t n = 0; n < m; ++n) {
      const std::vector<double>&a = made.control->statistics[m].influence, &b = made.control->statistics[n].influence;
      const double product = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
      EXPECT_NE(product, 0);
      EXPECT_DOUBLE_EQ(made.run.mean_covariance[m * 3 + n], product);
      EXPECT_DOUBLE_EQ(made.run.mean_covariance[n * 3 + m], product);
    }
}

// L of these observables at samples lacks the delta function at their kink or pole: if they were among the functions, A
// + L u would vanish.
TEST(ControlledStatistics, AreCorrectForSingularObservables) {
  struct Case {
    std::vector<std::string> states;
    std::string observable;
    double mean;
  };
  const double deviation = std::sqrt(0.5);  // of each state
  const std::vector<Case> cases{
      {{"x"}, "sqrt(x^2)", deviation * std::sqrt(2 / std::numbers::pi)},
      {{"x"}, "(x^4)^0.25", deviation * std::sqrt(2 / std::numbers::pi)},
      {{"x"}, "log(x^2)", std::log(0.5) - std::numbers::egamma - std::numbers::ln2},
      {{"x", "y"}, "sqrt((x - y)^2)", std::sqrt(2 / std::numbers::pi)},
      {{"x", "y", "z"}, "1/sqrt(x^2 + y^2 + z^2)", std::sqrt(2 / std::numbers::pi) / deviation},
  };
  for (const auto& [states, observable, mean] : cases)
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Description description;
      for (const std::string& state : states) description.state(state, "-" + state, "1");
      const symbolic::Model model = build(description.observable("a", observable));
      simulate::Options options = run_of(64, 100);
      options.seed = seed;
      const ControlledStatistics made = controlled_statistics(model, simulate::ModelSource(model, options), {}, {}, {});
      ASSERT_TRUE(made.control) << made.without;
      const statistics::Average& average = made.run.observables[0];
      EXPECT_NEAR(average.mean, mean, 4 * average.standard_error) << observable << ", seed " << seed;
      EXPECT_LT(average.standard_error, 0.02) << observable;
    }
}

TEST(ControlledStatistics, KeepFunctionsThatAreRegularInTheVisitedRegion) {
  const symbolic::Model model = build(Description()
                                          .state("x", "-x*(x - 4)", "0.1")
                                          .observable("regular", "sqrt(1 + x^2) + log(x)")
                                          .observable("singular", "sqrt((x - 4)^2)"));
  symbolic::Model started = model;
  started.initial[0] = {4, 0.1};
  const ControlledStatistics made =
      controlled_statistics(started, simulate::ModelSource(started, run_of(32, 50)), {}, {}, {});
  ASSERT_TRUE(made.control) << made.without;
  std::vector<std::string> names;
  for (const Coordinate& coordinate : made.control->dictionary->coordinates) names.push_back(coordinate.name);
  EXPECT_THAT(names, testing::UnorderedElementsAre("x", "sqrt(1 + x^2)", "log(x)"));
}

// More states than the initial limit of the number of functions.
TEST(ControlledStatistics, OfManyStatesStartWithALargerDictionary) {
  Description d;
  d.parameter("a", 1);
  for (int i = 0; i < 101; ++i) d.state("x" + std::to_string(i), "-a*x" + std::to_string(i), "1");
  const symbolic::Model model = build(d.observable("mean", "x0 + x1"));
  const simulate::ModelSource source(model, run_of(16, 20));
  const ControlledStatistics made = controlled_statistics(model, source, {.samples = 12000}, {.parameters = {"a"}}, {});
  ASSERT_TRUE(made.control) << made.without;
  EXPECT_LT(made.run.observables[0].standard_error, 1.5e-4 * made.run.observables[0].plain->standard_error);
}

TEST(ControlledStatistics, ReportWhyThereIsNoControlVariate) {
  const symbolic::Model model = cubic();
  const simulate::ModelSource few(model, run_of(2, 5));
  EXPECT_THAT(controlled_statistics(model, few, {}, {}, {}).without, HasSubstr("at least 8 members"));
  EXPECT_EQ(controlled_statistics(model, few, {.wanted = false}, {}, {}).without, "");
  const symbolic::Model two_rings = build(symbolic::two_scale_lorenz96().observable("mean", "mean(k, X[k])"));
  EXPECT_FALSE(has_dictionary(two_rings));
}

}  // namespace
}  // namespace gfdt::control_variate
