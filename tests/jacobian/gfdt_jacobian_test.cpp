#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/score/exact/stationary_density.hpp"
#include "gfdt/statistics/distribution.hpp"
#include "gfdt/symbolic/model/description.hpp"
#include "multiplicative_model.hpp"

namespace gfdt::jacobian {
namespace {

using symbolic::Description;

symbolic::Model ornstein_uhlenbeck() {
  return symbolic::build(Description()
                             .parameter("alpha", 1.3)
                             .parameter("beta", 0.9)
                             .parameter("idle", 2)
                             .state("x", "-alpha*x", "beta")
                             .observable("variance", "x^2")
                             .observable("scaled", "alpha*x^2"));
}

/// Far from Gaussian.
symbolic::Model double_well() {
  return symbolic::build(Description()
                             .parameter("r", 0.0)
                             .parameter("q", 1.0)
                             .parameter("c", 1.0)
                             .state("x", "r + q*x - c*x^3", "sqrt(2)")
                             .observable("mean", "x")
                             .observable("second", "x^2"));
}

simulate::Options run_of(int members, double length, std::uint64_t seed) {
  simulate::Options options;
  options.members = members;
  options.length = length;
  options.burn_in = 20;
  options.scheme = simulate::Scheme::weak2;
  options.dt = 0.02;
  options.seed = seed;
  options.backend = codegen::Backend::interpreter;
  return options;
}

GfdtJacobian jacobian_of(const symbolic::Model& model, const simulate::Options& options, score::Method method,
                         const Options& response = {}) {
  const simulate::ModelSource source(model, options);
  std::vector<std::string> names;
  for (const symbolic::Parameter& parameter : model.parameters) names.push_back(parameter.name);
  score::Options score;
  score.method = method;
  score.samples = 50'000;
  score.seed = options.seed;
  score.epochs = method == score::Method::kgmm ? std::optional(30) : std::nullopt;
  return gfdt_jacobian({model, source, names, score, response, {}});
}

/// d<A>/dθ by quadrature, central differences in θ.
double truth(symbolic::Model model, std::size_t observable, std::size_t parameter) {
  const auto mean_at = [&](double value) {
    model.parameters[parameter].value = value;
    const score::StationaryDensity density(model);
    switch (observable) {
      case 0:
        return density.mean([](double x) { return x; });
      case 1:
        return density.mean([](double x) { return x * x; });
      default:
        return 1 - density.cumulative(1.0);
    }
  };
  const double value = model.parameters[parameter].value, h = 1e-3;
  return (mean_at(value + h) - mean_at(value - h)) / (2 * h);
}

TEST(GfdtJacobian, OfOrnsteinUhlenbeckIsExactWithinErrors) {
  const symbolic::Model model = ornstein_uhlenbeck();
  const GfdtJacobian result = jacobian_of(model, run_of(64, 200, 5), score::Method::exact);
  const Jacobian& jacobian = result.jacobian;
  ASSERT_TRUE(jacobian.usable());
  const double a = 1.3, b = 0.9;
  const double exact[] = {-b * b / (2 * a * a), b / a, 0};
  for (std::size_t j = 0; j < 3; ++j)
    EXPECT_NEAR(jacobian.value[jacobian.at(0, j)], exact[j], 4 * jacobian.standard_error[jacobian.at(0, j)] + 1e-12);
  EXPECT_EQ(jacobian.value[jacobian.at(0, 2)], 0);
  EXPECT_THAT(jacobian.columns[2].remark, testing::HasSubstr("exactly zero"));
  // α<x²> is β²/2 whatever α is: the direct term and the response cancel.
  EXPECT_NEAR(jacobian.value[jacobian.at(1, 0)], 0, 4 * jacobian.standard_error[jacobian.at(1, 0)]);
  EXPECT_GT(jacobian.standard_error[jacobian.at(1, 0)], 0);
  // The step response −(β²/2α²)(1 − e^{−2αt}) is averaged over a bin to either side of the node, linearly weighted.
  const double width = result.steps.time[1];
  for (std::size_t i = 1; i < result.steps.time.size(); ++i) {
    double expected = 0, kernel = 0;
    for (int n = -50; n < 50; ++n) {
      const double from = (n + 0.5) / 50, t = result.steps.time[i] + from * width;
      expected += exact[0] * (1 - std::exp(-2 * a * t)) / 100;
      kernel += exact[0] * 2 * a * std::exp(-2 * a * t) * (1 - std::abs(from)) / 50;
    }
    const Estimate& slope = result.steps.kernel_of_entry[jacobian.at(0, 0)][i];
    EXPECT_NEAR(slope.value, kernel, 4.5 * slope.standard_error + 2e-3) << result.steps.time[i];
    const Estimate& found = result.steps.of_entry[jacobian.at(0, 0)][i];
    EXPECT_NEAR(found.value, expected, 4.5 * found.standard_error + 2e-3) << result.steps.time[i];
  }
  EXPECT_GT(jacobian.window->start, 2 / a);
  EXPECT_LT(jacobian.window->end, 20 / a);
}

TEST(GfdtJacobian, HoldsForNoiseThatDependsOnTheState) {
  const symbolic::Model model = multiplicative();
  for (const std::optional<bool> correction : {std::optional(true), std::optional(false)}) {
    const GfdtJacobian result =
        jacobian_of(model, run_of(64, 200, 8), score::Method::exact, {.correction = correction});
    EXPECT_EQ(result.basis != nullptr, *correction);
    for (std::size_t m = 0; m < 3; ++m)
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t at = result.jacobian.at(m, j);
        EXPECT_NEAR(result.jacobian.value[at], truth(model, m, j), 4 * result.jacobian.standard_error[at])
            << m << " " << j << " corrected " << *correction;
      }
  }
}

/// A Gaussian score is wrong for this model; polynomials take off most of what it does.
TEST(GfdtJacobian, CorrectionTakesOffTheBiasOfAWrongScore) {
  const symbolic::Model model = double_well();
  const simulate::Options run = run_of(64, 300, 8);
  const Jacobian plain = jacobian_of(model, run, score::Method::gaussian).jacobian;
  const Jacobian corrected = jacobian_of(model, run, score::Method::gaussian, {.correction = true}).jacobian;
  double worst = 0;
  for (std::size_t m = 0; m < 2; ++m)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t at = plain.at(m, j);
      worst = std::max(worst, std::abs(plain.value[at] - truth(model, m, j)) / plain.standard_error[at]);
      EXPECT_NEAR(corrected.value[at], truth(model, m, j), 4.5 * corrected.standard_error[at]) << m << " " << j;
    }
  EXPECT_GT(worst, 6);
}

TEST(GfdtJacobian, OfALearnedScoreIsCrossFitted) {
  const symbolic::Model model = multiplicative();
  const GfdtJacobian result = jacobian_of(model, run_of(64, 100, 3), score::Method::kgmm);
  ASSERT_TRUE(result.jacobian.usable());
  EXPECT_EQ(result.score.scores.fields.size(), 2u);
  EXPECT_EQ(result.score.certificates.size(), 2u);
  EXPECT_EQ(result.jacobian.columns[0].method.text(), "gfdt (kgmm)");
  for (std::size_t m = 0; m < 2; ++m)
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t at = result.jacobian.at(m, j);
      EXPECT_NEAR(result.jacobian.value[at], truth(model, m, j), 4.5 * result.jacobian.standard_error[at]);
      EXPECT_LE(result.jacobian.score_error[at], result.jacobian.standard_error[at]);
    }
}

/// 95 % intervals over 40 seeds and two entries that are independent of each other, of 15 entries that are not: the
/// share of entries that hold the exact value has a standard deviation of at most √(0.95·0.05/40) = 0.034.
TEST(GfdtJacobian, IntervalsHoldAsOftenAsTheySay) {
  const symbolic::Model model = multiplicative();
  double exact[3][3];
  for (std::size_t m = 0; m < 3; ++m)
    for (std::size_t j = 0; j < 3; ++j) exact[m][j] = truth(model, m, j);
  int held = 0, entries = 0;
  for (std::uint64_t seed = 100; seed < 140; ++seed) {
    const Jacobian jacobian = jacobian_of(model, run_of(32, 60, seed), score::Method::exact).jacobian;
    const double width = statistics::student_t_interval(0.95, jacobian.degrees_of_freedom);
    for (std::size_t m = 0; m < 3; ++m)
      for (std::size_t j = 0; j < 3; ++j, ++entries)
        held += std::abs(jacobian.value[jacobian.at(m, j)] - exact[m][j]) <=
                width * jacobian.standard_error[jacobian.at(m, j)];
  }
  EXPECT_GE(held, 0.88 * entries);
  EXPECT_LE(held, 0.995 * entries);
}

TEST(GfdtJacobian, IsTheSameOnAnyNumberOfThreads) {
  const symbolic::Model model = multiplicative();
  simulate::Options run = run_of(130, 40, 3);
  run.threads = 1;
  const Jacobian one = jacobian_of(model, run, score::Method::exact).jacobian;
  run.threads = 3;
  const Jacobian three = jacobian_of(model, run, score::Method::exact).jacobian;
  EXPECT_EQ(one.value, three.value);
  EXPECT_EQ(one.standard_error, three.standard_error);
}

TEST(GfdtJacobian, OfFewMembersComesFromSegments) {
  const symbolic::Model model = ornstein_uhlenbeck();
  const GfdtJacobian result = jacobian_of(model, run_of(2, 8000, 3), score::Method::exact);
  EXPECT_GE(result.jacobian.degrees_of_freedom, 30);
  EXPECT_NEAR(result.jacobian.value[0], -0.81 / (2 * 1.69), 4 * result.jacobian.standard_error[0]);
  EXPECT_LT(result.jacobian.standard_error[0], 0.05);
}

TEST(GfdtJacobian, SaysWhenCorrelationsDoNotDecay) {
  const symbolic::Model wells =
      symbolic::build(Description().parameter("a", 1).state("x", "a*x - x^3", "0.45").observable("mean", "x"));
  const Jacobian jacobian = jacobian_of(wells, run_of(32, 60, 3), score::Method::exact).jacobian;
  EXPECT_FALSE(jacobian.usable());
  const auto decay = std::ranges::find(jacobian.diagnostics, Check::decay, &Diagnostic::check);
  ASSERT_NE(decay, jacobian.diagnostics.end());
  EXPECT_THAT(decay->text, testing::HasSubstr("do not decay"));
  EXPECT_THAT(decay->remedy, testing::HasSubstr("simulation.length"));
}

TEST(GfdtJacobian, TakesAGivenWindowAndRefusesOneLongerThanTheRun) {
  const symbolic::Model model = ornstein_uhlenbeck();
  const Jacobian cut =
      jacobian_of(model, run_of(64, 200, 5), score::Method::exact, {.window = Window{0.2, 0.4}, .correction = false})
          .jacobian;
  EXPECT_EQ(cut.window->end, 0.4);
  // 1 − e^{−2αt}, averaged over the window.
  const double share = 1 - (std::exp(-2.6 * 0.2) - std::exp(-2.6 * 0.4)) / (2.6 * 0.2);
  EXPECT_NEAR(cut.value[0], -0.81 / (2 * 1.69) * share, 4 * cut.standard_error[0] + 0.003);
  const auto decay = std::ranges::find(cut.diagnostics, Check::decay, &Diagnostic::check);
  EXPECT_FALSE(decay->passed());
  EXPECT_THROW(jacobian_of(model, run_of(64, 200, 5), score::Method::exact, {.window = Window{20, 150}}), Error);
}

TEST(GfdtJacobian, NeedsSomethingToDifferentiate) {
  const symbolic::Model bare = symbolic::build(Description().parameter("a", 1).state("x", "-a*x", "1"));
  EXPECT_THROW(jacobian_of(bare, run_of(8, 10, 1), score::Method::exact), Error);
}

}  // namespace
}  // namespace gfdt::jacobian
