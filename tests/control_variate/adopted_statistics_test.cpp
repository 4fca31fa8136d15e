#include "gfdt/control_variate/adopted_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "../symbolic/model/paper_models.hpp"
#include "gfdt/base/symmetric_eigen.hpp"
#include "gfdt/control_variate/controlled_statistics.hpp"

namespace gfdt::control_variate {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The smallest eigenvalue of the correlations of the errors of all averages; averages without an error are left out.
double smallest_eigenvalue(const statistics::EnsembleStatistics& run) {
  const Eigen::Index count = static_cast<Eigen::Index>(run.observables.size());
  const Eigen::Map<const Eigen::MatrixXd> covariance(run.mean_covariance.data(), count, count);
  Eigen::VectorXd scale = covariance.diagonal().cwiseSqrt();
  for (double& size : scale) size = size > 0 ? 1 / size : 0;
  return symmetric_eigenvalues(scale.asDiagonal() * covariance * scale.asDiagonal())[0];
}

// Random choices of the controlled averages, with strongly correlated influences.
TEST(AdoptedStatistics, HaveAPositiveSemiDefiniteCovariance) {
  std::mt19937_64 generator(11);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  for (int draw = 0; draw < 300; ++draw) {
    const std::size_t count = 2 + static_cast<std::size_t>(5 * uniform(generator)), groups = 8 + draw % 60;
    std::vector<double> common(groups);
    for (double& value : common) value = normal(generator);
    const auto drawn = [&](double size) {
      Averaged average;
      double squares = 0;
      const double own = std::pow(10, -6 * uniform(generator));
      for (const double shared : common) {
        average.influence.push_back(size * (shared + own * normal(generator)));
        squares += std::pow(average.influence.back(), 2);
      }
      average.standard_error = std::sqrt(squares);
      return average;
    };
    ControlVariate fit;
    statistics::EnsembleStatistics run;
    for (std::size_t m = 0; m < count; ++m) {
      fit.plain.push_back(drawn(1));
      fit.share.push_back(uniform(generator));
      fit.functions.push_back(1);
      fit.statistics.push_back(drawn(uniform(generator) < 0.5 ? 0.1 : 10));
      if (uniform(generator) < 0.5) fit.statistics.back().standard_error *= 1 + uniform(generator);
      statistics::Average& average = run.observables.emplace_back();
      average.standard_error = fit.plain.back().standard_error * (0.5 + uniform(generator));
      average.standard_deviation = 1;
    }
    run.mean_covariance.assign(count * count, 0.0);
    for (std::size_t m = 0; m < count; ++m)
      run.mean_covariance[m * count + m] = std::pow(run.observables[m].standard_error, 2);
    adopt(fit, std::vector<symbolic::Interval>(count, {-infinite, infinite}), run);
    EXPECT_GT(smallest_eigenvalue(run), -1e-12) << draw;
    for (std::size_t m = 0; m < count; ++m)
      EXPECT_DOUBLE_EQ(run.mean_covariance[m * count + m], std::pow(run.observables[m].standard_error, 2));
  }
}

// Depending on the seed, the event has a plain average and the low moments have controlled ones, or all are controlled.
TEST(AdoptedStatistics, OfShortRunsHaveAPositiveSemiDefiniteCovariance) {
  symbolic::Description d = symbolic::scalar();
  const symbolic::Model model =
      build(d.observable("mean", "x").observable("second", "x^2").observable("low", "x <= -2.5"));
  int mixed = 0;
  for (const std::uint64_t seed : {7, 12, 17, 20, 21, 23, 30}) {
    const simulate::ModelSource source(model, {.dt = 0.02,
                                               .members = 24,
                                               .length = 40,
                                               .burn_in = 20,
                                               .scheme = simulate::Scheme::weak2,
                                               .seed = seed,
                                               .backend = codegen::Backend::interpreter});
    const ControlledStatistics made = controlled_statistics(model, source, {.samples = 10000}, {}, {});
    ASSERT_TRUE(made.control) << made.without;
    EXPECT_GT(smallest_eigenvalue(made.run), -1e-12) << seed;
    const auto controlled =
        std::ranges::count_if(made.run.observables, [](const auto& average) { return average.plain.has_value(); });
    mixed += controlled > 0 && controlled < 3;
  }
  EXPECT_GT(mixed, 0) << "no run with both controlled and plain averages";
}

/// dx = −a x dt + √(1 + c x²) dW has a density that decays like x^−(2 + 2a/c): <x^k> exists for k < 1 + 2a/c.
ControlledStatistics heavy_tailed(const std::string& diffusion) {
  symbolic::Description d;
  d.state("x", "-x", diffusion);
  const symbolic::Model model =
      build(d.observable("square", "x^2").observable("fourth", "x^4").observable("far", "x > 1"));
  const simulate::ModelSource source(
      model, {.dt = 0.01, .members = 100, .length = 400, .burn_in = 20, .backend = codegen::Backend::interpreter});
  return controlled_statistics(model, source, {}, {}, {});
}

TEST(AdoptedStatistics, OfMomentsThatDoNotExistAreUnusable) {
  const statistics::EnsembleStatistics run = heavy_tailed("sqrt(1 + 0.9*x^2)").run;
  EXPECT_NEAR(run.observables[0].mean, 1 / 1.1, 4 * run.observables[0].standard_error);
  EXPECT_TRUE(run.observables[0].usable());
  EXPECT_FALSE(run.observables[1].usable());
  EXPECT_FALSE(run.observables[1].plain);
  EXPECT_EQ(run.observables[1].standard_error, infinite);
  EXPECT_FALSE(run.complete());
  EXPECT_TRUE(run.usable());

  const statistics::EnsembleStatistics heavier = heavy_tailed("sqrt(1 + 4*x^2)").run;
  EXPECT_FALSE(heavier.observables[0].usable());
  EXPECT_FALSE(heavier.observables[1].usable());
  EXPECT_TRUE(heavier.observables[2].usable());
}

// The tail of an observable whose mean does not exist, or nearly does not, is judged with and without a control
// variate.
TEST(AdoptedStatistics, OfPlainAveragesWithHeavyTailsAreJudged) {
  for (const char* diffusion : {"sqrt(1 + 2.05*x^2)", "sqrt(1 + 1.9*x^2)"}) {
    const statistics::EnsembleStatistics run = heavy_tailed(diffusion).run;
    const auto tails = std::ranges::find(run.diagnostics, Check::tails, &Diagnostic::check);
    ASSERT_NE(tails, run.diagnostics.end());
    EXPECT_FALSE(tails->passed()) << diffusion;
  }
}

TEST(AdoptedStatistics, AreRejectedOutsideTheRangeOfTheirObservable) {
  ControlVariate fit;
  statistics::EnsembleStatistics run;
  for (const double value : {-0.1, 0.1}) {
    fit.plain.push_back({.value = 0.2, .standard_error = 1, .influence = {0.8, 0.6}});
    fit.statistics.push_back({.value = value, .standard_error = 0.1, .influence = {0.08, 0.06}});
    fit.share.push_back(0.1);
    fit.functions.push_back(1);
    statistics::Average& average = run.observables.emplace_back();
    average.mean = 0.2;
    average.standard_error = average.standard_deviation = 1;
  }
  run.mean_covariance = {1, 0, 0, 1};
  adopt(fit, {{0, infinite}, {0, infinite}}, run);
  EXPECT_EQ(run.observables[0].mean, 0.2);
  EXPECT_EQ(run.observables[1].mean, 0.1);
}

TEST(AdoptedStatistics, ContradictPlainAveragesIfTheMeanOfLuIsNotZero) {
  ControlVariate fit;
  statistics::EnsembleStatistics run;
  statistics::Average& average = run.observables.emplace_back();
  average.standard_deviation = 1;
  fit.plain = {{.value = 0.5, .standard_error = 0.01, .influence = {0.008, 0.006}}};
  const auto controlled = [&](double value) {
    fit.statistics = {{.value = value, .standard_error = 1e-6, .influence = {8e-7, 6e-7}}};
    return contradiction(fit, run);
  };
  EXPECT_FALSE(controlled(0.51));
  EXPECT_FALSE(controlled(0.58));  // eight standard errors, which the time-step bias may explain
  EXPECT_EQ(controlled(0.0), 0u);
  EXPECT_EQ(controlled(1.0), 0u);
  // The plain averages of members that have not mixed carry no information.
  average.mixing = statistics::Mixing::not_mixed;
  EXPECT_FALSE(controlled(0.0));
}

}  // namespace
}  // namespace gfdt::control_variate
