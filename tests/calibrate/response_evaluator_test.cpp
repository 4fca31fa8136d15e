// A process with known statistics: dx = −a (x − m) dt + s dW is normal with mean m and variance v = s²/(2a).
#include "gfdt/calibrate/evaluation/response_evaluator.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "gfdt/calibrate/calibration.hpp"
#include "gfdt/calibrate/targets/observable_covariance.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::calibrate {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Purpose = Request::Purpose;

constexpr double a = 1.2, m = 0.5, s = 0.8, c = 0.7;
constexpr double v = s * s / (2 * a);

symbolic::Model process() {
  return symbolic::build(symbolic::Description()
                             .parameter("a", 3)
                             .parameter("m", 0)
                             .parameter("s", 1)
                             .parameter("c", 0)
                             .state("x", "-a*(x - m)", "s")
                             .observable("mean", "x")
                             .observable("square", "x^2")
                             .observable("high", "x > c")
                             .observable("distance", "abs(x - c)"));
}

Experiment experiment() {
  Experiment result{
      .model = process(), .parameters = {"a", "m", "s", "c"}, .simulation = {}, .score = {}, .response = {}};
  result.simulation.members = 32;
  result.simulation.length = 200;
  result.simulation.burn_in = 10;
  result.simulation.dt = 0.02;
  result.simulation.scheme = simulate::Scheme::weak2;
  result.simulation.backend = codegen::Backend::interpreter;
  return result;
}

Request request_of(Purpose purpose, double length = 200) {
  return {.purpose = purpose, .parameters = {a, m, s, c}, .length = length, .seed = 11, .start = {}};
}

double density(double x) { return std::exp(-(x - m) * (x - m) / (2 * v)) / std::sqrt(2 * std::numbers::pi * v); }
double above(double x) { return 0.5 * std::erfc((x - m) / std::sqrt(2 * v)); }
/// <|x − c|> of a normal distribution.
double distance() { return 2 * v * density(c) + (m - c) * (2 * above(c) - 1); }

// Four standard errors for each of four means: a false-alarm rate of 5e-4 (t with 31 degrees of freedom).
TEST(ResponseEvaluator, EstimatesStatisticsAtTheRequestedParameters) {
  ResponseEvaluator evaluator(experiment());
  const Evaluation found = evaluator.evaluate(request_of(Purpose::statistics), {});
  ASSERT_TRUE(found.usable()) << found.problem;
  const double exact[] = {m, v + m * m, above(c), distance()};
  ASSERT_EQ(found.statistics.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(found.statistics[i].mean, exact[i], 4 * found.statistics[i].standard_error) << i;
    EXPECT_NEAR(found.mean_covariance[5 * i], std::pow(found.statistics[i].standard_error, 2), 1e-15);
  }
  EXPECT_TRUE(found.jacobian.empty());
  EXPECT_TRUE(found.observable_covariance.empty());
  EXPECT_GT(found.simulated_time, 32 * 200);
  EXPECT_EQ(flaw(found, Purpose::statistics, 4, 4), "");
}

// The theorem provides all columns except that of c, because a step function in a formula has no derivative.
/// The derivatives of the process, which every method must reproduce; columns without a formula come from finite
/// differences.
void expect_derivatives(const Evaluation& found) {
  ASSERT_TRUE(found.usable()) << found.problem;
  EXPECT_EQ(flaw(found, Purpose::jacobian, 4, 4), "");
  ASSERT_EQ(found.methods.size(), 4U);
  EXPECT_EQ(found.methods[3], "finite-difference");
  const double by_v = (c - m) * density(c) / (2 * v), distance_by_v = density(c);
  const double exact[4][4] = {{0, 1, 0, 0},
                              {-v / a, 2 * m, 2 * v / s, 0},
                              {by_v * -v / a, density(c), by_v * 2 * v / s, -density(c)},
                              {distance_by_v * -v / a, 2 * above(c) - 1, distance_by_v * 2 * v / s, 1 - 2 * above(c)}};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      // Finite differences have a bias due to the step that their standard error does not include.
      EXPECT_NEAR(found.jacobian[4 * i + j], exact[i][j],
                  4 * found.jacobian_error[4 * i + j] + (j == 3 ? 0.02 : 0) + 1e-12)
          << i << ' ' << j;
  EXPECT_TRUE(found.scores.empty());  // the score of this model is exact, so there is no starting point for a fit
}

// 16 entries within four standard errors, t with at least 31 degrees of freedom: a false-alarm rate of 6e-3.
TEST(ResponseEvaluator, UsesFiniteDifferencesForFormulasWithoutDerivatives) {
  Experiment asked = experiment();
  asked.response.method = jacobian::Method::gfdt;
  const Evaluation found = ResponseEvaluator(asked).evaluate(request_of(Purpose::jacobian), {});
  EXPECT_THAT(found.methods, ElementsAre(HasSubstr("gfdt"), HasSubstr("gfdt"), HasSubstr("gfdt"), _));
  expect_derivatives(found);
}

// x stays below 10 in every run: the other observables lead the search to parameters at which it does not.
TEST(ResponseEvaluator, SetsDerivativesOfConstantConditionsToZero) {
  for (const jacobian::Method method : {jacobian::Method::automatic, jacobian::Method::finite_difference}) {
    Experiment far = experiment();
    far.response.method = method;
    Request request = request_of(Purpose::jacobian);
    request.parameters[3] = 10;
    const Evaluation found = ResponseEvaluator(far).evaluate(request, {});
    ASSERT_TRUE(found.usable()) << found.problem;
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_EQ(found.jacobian[2 * 4 + j], 0);
      EXPECT_GT(found.jacobian_error[2 * 4 + j], 0);
      EXPECT_LT(found.jacobian_error[2 * 4 + j], 0.02);
    }
    EXPECT_NEAR(found.jacobian[1], 1, 4 * found.jacobian_error[1]) << "mean by m";
  }
}

TEST(ResponseEvaluator, SelectsAMethodForEachColumn) {
  const Evaluation found = ResponseEvaluator(experiment()).evaluate(request_of(Purpose::jacobian), {});
  EXPECT_THAT(found.methods, ElementsAre("control-variate", "control-variate", "control-variate", _));
  expect_derivatives(found);
}

// All statistics of a calibration must be of the same kind, so that they are comparable.
TEST(ResponseEvaluator, ReturnsStatisticsOfOneKindForAllMethods) {
  const Evaluation alone = ResponseEvaluator(experiment()).evaluate(request_of(Purpose::statistics), {});
  for (const jacobian::Method method : {jacobian::Method::gfdt, jacobian::Method::finite_difference}) {
    Experiment asked = experiment();
    asked.response.method = method;
    const Evaluation controlled = ResponseEvaluator(asked).evaluate(request_of(Purpose::jacobian), {});
    asked.response.control_variate = false;
    const Evaluation plain = ResponseEvaluator(asked).evaluate(request_of(Purpose::jacobian), {});
    ASSERT_EQ(controlled.statistics.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(controlled.statistics[i].mean, alone.statistics[i].mean);
      EXPECT_LT(controlled.statistics[i].standard_error, plain.statistics[i].standard_error);
    }
    EXPECT_EQ(controlled.mean_covariance, alone.mean_covariance);
    EXPECT_EQ(controlled.jacobian, plain.jacobian);
  }
}

// The statistics are the same, and `wanted` receives them, whether or not the derivatives are computed.
TEST(ResponseEvaluator, SkipsDerivativesThatAreNotWanted) {
  constexpr double length = 50;
  for (const jacobian::Method method : {jacobian::Method::gfdt, jacobian::Method::finite_difference})
    for (const bool controls : {false, true}) {
      Experiment asked = experiment();
      asked.response.method = method;
      asked.score.method = score::Method::gaussian;
      if (!controls) asked.response.control_variate = false;
      asked.simulation.length = length;
      const Evaluation whole = ResponseEvaluator(asked).evaluate(request_of(Purpose::jacobian, length), {});
      for (const bool wanted : {false, true}) {
        Request request = request_of(Purpose::jacobian, length);
        std::vector<double> shown;
        request.wanted = [&](const std::vector<statistics::Average>& statistics, const std::vector<double>&) {
          for (const statistics::Average& average : statistics) shown.push_back(average.mean);
          return wanted;
        };
        const Evaluation found = ResponseEvaluator(asked).evaluate(request, {});
        ASSERT_TRUE(found.usable()) << found.problem;
        EXPECT_EQ(found.declined, !wanted);
        EXPECT_EQ(flaw(found, Purpose::jacobian, 4, 4), "");
        EXPECT_EQ(found.jacobian, wanted ? whole.jacobian : std::vector<double>{});
        EXPECT_EQ(found.mean_covariance, whole.mean_covariance);
        ASSERT_EQ(shown.size(), 4U);
        for (std::size_t i = 0; i < 4; ++i) {
          EXPECT_EQ(found.statistics[i].mean, whole.statistics[i].mean);
          EXPECT_EQ(shown[i], whole.statistics[i].mean);
        }
        if (wanted)
          EXPECT_EQ(found.simulated_time, whole.simulated_time);
        else
          EXPECT_LT(found.simulated_time, 0.6 * whole.simulated_time);
      }
    }
}

TEST(ResponseEvaluator, UsesLikelihoodRatiosAndOtherwiseFiniteDifferences) {
  Experiment asked = experiment();
  asked.response.method = jacobian::Method::likelihood_ratio;
  const Evaluation found = ResponseEvaluator(asked).evaluate(request_of(Purpose::jacobian), {});
  ASSERT_TRUE(found.usable()) << found.problem;
  EXPECT_EQ(found.methods, (std::vector<std::string>{"likelihood-ratio", "likelihood-ratio", "likelihood-ratio",
                                                     "finite-difference"}));
  EXPECT_NEAR(found.jacobian[1], 1, 4 * found.jacobian_error[1]);
  EXPECT_NEAR(found.jacobian[4], -v / a, 4 * found.jacobian_error[4]);
  EXPECT_NEAR(found.jacobian[6], 2 * v / s, 4 * found.jacobian_error[6]);
}

TEST(ResponseEvaluator, IsAPureFunctionOfTheRequest) {
  ResponseEvaluator evaluator(experiment());
  const Request request = request_of(Purpose::jacobian, 50);
  const Evaluation first = evaluator.evaluate(request, {});
  evaluator.evaluate(request_of(Purpose::statistics, 80), {});
  const Evaluation second = evaluator.evaluate(request, {});
  EXPECT_EQ(first.jacobian, second.jacobian);
  EXPECT_EQ(first.mean_covariance, second.mean_covariance);
}

TEST(ResponseEvaluator, DetectsUnstableDynamicsInAShortRun) {
  Experiment asked = experiment();
  asked.model = symbolic::build(
      symbolic::Description().parameter("a", 1).state("x", "-a*x - a*x^3", "1").observable("mean", "x"));
  asked.parameters = {"a"};
  ResponseEvaluator evaluator(asked);
  Request request{.purpose = Purpose::stability, .parameters = {1}, .length = 10, .seed = 1, .start = {}};
  const Evaluation held = evaluator.evaluate(request, {});
  EXPECT_TRUE(held.usable());
  EXPECT_NEAR(held.simulated_time, 320, 1);  // no burn-in
  request.parameters = {-1};
  EXPECT_NE(evaluator.evaluate(request, {}).problem, "");
  request.purpose = Purpose::jacobian;
  const Evaluation lost = evaluator.evaluate(request, {});
  EXPECT_NE(lost.problem, "");
  EXPECT_FALSE(lost.usable());
}

TEST(ResponseEvaluator, ReportsThatItWasCancelled) {
  Cancellation cancellation;
  cancellation.request();
  simulate::Control control;
  control.cancellation = &cancellation;
  ResponseEvaluator evaluator(experiment());
  for (const Purpose purpose : {Purpose::jacobian, Purpose::statistics, Purpose::stability})
    EXPECT_TRUE(evaluator.evaluate(request_of(purpose), control).cancelled);
}

TEST(ResponseEvaluator, UsesTheSamplesOfAnotherProgram) {
  Experiment asked = experiment();
  asked.parameters = {"a", "m", "s"};
  int made = 0;
  asked.source = [&](const symbolic::Model& model, const simulate::Options& options,
                     const simulate::Control&) -> std::unique_ptr<simulate::Source> {
    if (++made == 3) throw simulate::SimulationFailed("The program ended with an error.");
    EXPECT_EQ(model.parameter("a").value, a);
    return std::make_unique<simulate::ModelSource>(model, options);
  };
  ResponseEvaluator evaluator(asked);
  Request request = request_of(Purpose::statistics, 50);
  request.parameters.pop_back();
  EXPECT_TRUE(evaluator.evaluate(request, {}).usable());
  request.purpose = Purpose::stability;
  EXPECT_TRUE(evaluator.evaluate(request, {}).usable());
  EXPECT_EQ(made, 1);
  request.purpose = Purpose::statistics;
  evaluator.evaluate(request, {});
  EXPECT_EQ(evaluator.evaluate(request, {}).problem, "The program ended with an error.");
}

// Var x = v, Cov(x, x²) = 2mv, Var x² = 4m²v + 2v². 6400 time units with τ ≤ 0.83 are about 3800 independent samples: 4
// standard errors of a variance are 9 % of it.
TEST(ObservableCovariance, IsTheEqualTimeCovariance) {
  Experiment asked = experiment();
  asked.observable_covariance = true;
  ResponseEvaluator evaluator(asked);
  const std::vector<double> found = evaluator.evaluate(request_of(Purpose::statistics), {}).observable_covariance;
  ASSERT_EQ(found.size(), 16U);
  EXPECT_NEAR(found[0], v, 0.09 * v);
  EXPECT_NEAR(found[1], 2 * m * v, 0.09 * v);
  EXPECT_EQ(found[1], found[4]);
  EXPECT_NEAR(found[5], 4 * m * m * v + 2 * v * v, 0.15 * (4 * m * m * v + 2 * v * v));
  EXPECT_NEAR(found[2], v * density(c), 0.03);  // Cov(x, 1(x > c)) = v ρ(c)
  EXPECT_NEAR(found[10], above(c) * (1 - above(c)), 0.02);
}

// The complete loop, from parameters that are wrong by a factor to an answer within noise.
TEST(Calibrate, FindsTheParametersOfAProcess) {
  Experiment asked = experiment();
  asked.parameters = {"a", "m", "s"};
  asked.model = symbolic::build(symbolic::Description()
                                    .parameter("a", 3)
                                    .parameter("m", 0)
                                    .parameter("s", 1)
                                    .state("x", "-a*(x - m)", "s")
                                    .state("y", "x - 0.5*y", "0.3")
                                    .observable("mean", "x")
                                    .observable("square", "x^2")
                                    .observable("product", "x*y"));
  // y follows x: <xy> − <x><y> = v/(a + 1/2), <y> = 2m.
  Problem problem;
  problem.parameters = {
      {.name = "a", .value = 3, .lower = 0}, {.name = "m", .value = 0}, {.name = "s", .value = 1, .lower = 0}};
  problem.targets = {
      {"mean", "square", "product"}, {m, v + m * m, v / (a + 0.5) + 2 * m * m}, {1e-6, 0, 0, 0, 1e-6, 0, 0, 0, 1e-6}};
  problem.length = 200;
  problem.seed = 5;
  ResponseEvaluator evaluator(asked);
  const Calibration found = calibrate(problem, {}, evaluator);
  EXPECT_EQ(found.status, Status::within_noise) << found.explanation;
  // The region of 99.99 %: a false-alarm rate of 1e-4.
  EXPECT_TRUE(found.posterior.holds({a, m, s}, found.parameters, 0.9999))
      << found.parameters[0] << ' ' << found.parameters[1] << ' ' << found.parameters[2];
  EXPECT_LT(found.posterior.standard_error[0], 0.5);
}

}  // namespace
}  // namespace gfdt::calibrate
