#include "gfdt/calibrate/ensemble_kalman/ensemble_kalman.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <functional>
#include <set>

#include "gfdt/base/error.hpp"
#include "gfdt/base/philox.hpp"
#include "gfdt/calibrate/ensemble_kalman/data_misfit_step.hpp"
#include "gfdt/calibrate/ensemble_kalman/first_ensemble.hpp"
#include "gfdt/calibrate/ensemble_kalman/kalman_update.hpp"

namespace gfdt::calibrate {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

using Map = std::function<std::array<double, 3>(double, double)>;

constexpr double full_length = 100;
constexpr codegen::Stream normals(3, codegen::Purpose::test, 1);

/// Statistics that are a function of two parameters, plus noise whose variance is inversely proportional to the length
/// of the run.
class FormulaEvaluator : public Evaluator {
 public:
  explicit FormulaEvaluator(Map map, double noise = 0.02) : map_(std::move(map)), noise_(noise) {}

  Evaluation evaluate(const Request& request, const simulate::Control&) override {
    requests.push_back(request);
    Evaluation evaluation;
    evaluation.simulated_time = request.length;
    if (fails && fails(request)) {
      evaluation.problem = "It blew up.";
      return evaluation;
    }
    const double variance = noise_ * noise_ * full_length / request.length;
    const codegen::Stream noise(request.seed, codegen::Purpose::test, 0);
    evaluation.mean_covariance = {variance, 0, 0, 0, variance, 0, 0, 0, variance};
    std::uint64_t position = 0;
    for (const double value : map_(request.parameters[0], request.parameters[1])) {
      evaluation.statistics.emplace_back();
      evaluation.statistics.back().mean = value + std::sqrt(variance) * noise.normal(position++);
    }
    return evaluation;
  }

  std::function<bool(const Request&)> fails;
  std::vector<Request> requests;

 private:
  Map map_;
  double noise_;
};

std::array<double, 3> linear(double a, double b) { return {a + b, a - 2 * b, 0.5 * a}; }

/// The true parameters are 2 and −1; the priors are two and a half standard deviations away from them.
Problem linear_problem() {
  Problem problem;
  problem.parameters = {{.name = "a", .value = 1, .prior = Prior{1, 0.4}},
                        {.name = "b", .value = 0, .prior = Prior{0, 0.4}}};
  problem.targets = {{"p", "q", "r"}, {1, 4, 1}, {0.02, 0.005, 0, 0.005, 0.01, 0, 0, 0, 0.04}};
  problem.length = full_length;
  problem.seed = 7;
  return problem;
}

Options with_ensemble(int size, double first_length = 0.125) {
  Options options;
  options.ensemble = size;
  options.first_length = first_length;
  options.iterations = 100;
  return options;
}

TEST(DataMisfitStep, IsSmallFarFromTheTargetsAndCompleteIfMisfitsAreNoise) {
  // <Φ> = 100, var Φ = 200: max(4 / 200, √(4 / 400)).
  EXPECT_DOUBLE_EQ(data_misfit_step(std::array{90.0, 110.0}, 4, 1), 0.1);
  // <Φ> = 100, var Φ = 20000.
  EXPECT_DOUBLE_EQ(data_misfit_step(std::array{0.0, 200.0}, 4, 1), 0.02);
  EXPECT_DOUBLE_EQ(data_misfit_step(std::array{0.0, 200.0}, 4, 0.01), 0.01);
  EXPECT_DOUBLE_EQ(data_misfit_step(std::array{1.0, 2.0}, 4, 0.5), 0.5);
}

TEST(FirstEnsemble, IsDrawnFromThePriorOrAroundTheGuess) {
  Problem problem = linear_problem();
  problem.parameters[1] = {.name = "b", .value = -5};
  const Members ensemble = first_ensemble(problem.parameters, with_ensemble(20000), normals);
  const std::vector<double> mean = mean_of(ensemble), covariance = covariance_of(ensemble);
  // Bounds of 4 standard errors: a false-alarm rate of 6e-5 each.
  EXPECT_NEAR(mean[0], 1, 4 * 0.4 / std::sqrt(20000.0));
  EXPECT_NEAR(mean[1], -5, 4 * 1 / std::sqrt(20000.0));
  EXPECT_NEAR(covariance[0], 0.16, 4 * 0.16 / std::sqrt(10000.0));
  EXPECT_NEAR(covariance[3], 1, 4 * 1 / std::sqrt(10000.0));
  EXPECT_NEAR(covariance[1], 0, 4 * 0.4 / std::sqrt(20000.0));
}

TEST(FirstEnsemble, StaysInsideBounds) {
  Problem problem = linear_problem();
  problem.parameters[0].lower = 0.9;
  for (const std::vector<double>& member : first_ensemble(problem.parameters, with_ensemble(1000), normals))
    EXPECT_GT(member[0], 0.9);
}

TEST(FirstEnsemble, IsNearTheGuessIfThePriorIsOutsideTheBounds) {
  Problem problem = linear_problem();
  FreeParameter& narrow = problem.parameters[0];
  narrow.lower = 0.9;
  narrow.upper = 0.9 + 1e-9;
  narrow.value = 0.9 + 5e-10;
  FreeParameter& contradicted = problem.parameters[1];
  contradicted.value = -1;
  contradicted.upper = 0;
  contradicted.prior = Prior{1, 0.1};
  const Members ensemble = first_ensemble(problem.parameters, with_ensemble(1000), normals);
  for (const std::vector<double>& member : ensemble) {
    EXPECT_GT(member[0], narrow.lower);
    EXPECT_LT(member[0], narrow.upper);
    EXPECT_LT(member[1], 0);
  }
  // e^±0.2 around −1; 6 standard errors.
  const std::vector<double> mean = mean_of(ensemble);
  EXPECT_NEAR(mean[1], -std::exp(0.02), 6 * 0.2 / std::sqrt(1000.0));
  EXPECT_GT(covariance_of(ensemble)[0], 0);
}

// The exact posterior of a linear problem with normal priors: with N = C_t + C_s, where C_s is that of the members, P =
// (P₀⁻¹ + SᵀN⁻¹S)⁻¹ and m = m₀ + P SᵀN⁻¹ (y − S m₀), by the formula for two parameters.
struct Exact {
  std::array<double, 2> mean;
  std::array<double, 3> covariance;  ///< aa, ab, bb
};

Exact exact_posterior(double member_variance) {
  const double n00 = 0.02 + member_variance, n11 = 0.01 + member_variance, n01 = 0.005, n22 = 0.04 + member_variance;
  const double determinant = n00 * n11 - n01 * n01;
  const auto weighted = [&](const std::array<double, 3>& u, const std::array<double, 3>& v) {
    return (n11 * u[0] * v[0] - n01 * (u[0] * v[1] + u[1] * v[0]) + n00 * u[1] * v[1]) / determinant +
           u[2] * v[2] / n22;
  };
  const std::array<double, 3> sa{1, 1, 0.5}, sb{1, -2, 0}, r{1 - 1.0, 4 - 1.0, 1 - 0.5};
  const double haa = weighted(sa, sa) + 1 / 0.16, hab = weighted(sa, sb), hbb = weighted(sb, sb) + 1 / 0.16;
  const double whole = haa * hbb - hab * hab;
  const double ra = weighted(sa, r), rb = weighted(sb, r);
  return {{1 + (hbb * ra - hab * rb) / whole, (haa * rb - hab * ra) / whole}, {hbb / whole, -hab / whole, haa / whole}};
}

class LinearProblem : public ::testing::TestWithParam<double> {};

// The gains are estimated from the ensemble itself. Over 100 seeds the means scattered around the exact ones, without
// bias, by 1.0 to 1.8 and the covariances by 1.0 to 1.5, in units of the posterior standard deviations over √4000. The
// bounds are four times the largest value.
TEST_P(LinearProblem, ConvergesToTheExactPosterior) {
  FormulaEvaluator evaluator(linear, GetParam());
  const Calibration found = ensemble_kalman(linear_problem(), with_ensemble(4000), evaluator);
  const Exact exact = exact_posterior(GetParam() * GetParam() / 0.125);
  const double error = 1 / std::sqrt(4000.0);
  const double a = std::sqrt(exact.covariance[0]), b = std::sqrt(exact.covariance[2]);
  EXPECT_NEAR(found.parameters[0], exact.mean[0], 7.2 * error * a);
  EXPECT_NEAR(found.parameters[1], exact.mean[1], 7.2 * error * b);
  EXPECT_NEAR(found.posterior.covariance[0], exact.covariance[0], 6 * error * a * a);
  EXPECT_NEAR(found.posterior.covariance[3], exact.covariance[2], 6 * error * b * b);
  EXPECT_NEAR(found.posterior.covariance[1], exact.covariance[1], 6 * error * a * b);
  EXPECT_GT(found.iterations.size(), 2U);
  EXPECT_EQ(found.status, Status::within_noise);
  EXPECT_DOUBLE_EQ(found.posterior.degrees_of_freedom, 3999);
}

// Without noise of the runs, and with noise as large as that of the targets.
INSTANTIATE_TEST_SUITE_P(Noises, LinearProblem, ::testing::Values(0.0, 0.05));

// A curved map with a bounded parameter: without noise the posterior mean reproduces the targets.
TEST(EnsembleKalman, FindsParametersOfACurvedMapInsideTheirBounds) {
  FormulaEvaluator evaluator([](double a, double b) { return std::array{a * a / b, a + b, std::log(b)}; }, 1e-4);
  Problem problem = linear_problem();
  problem.parameters = {{.name = "a", .value = 1.5, .prior = Prior{1.5, 0.5}},
                        {.name = "b", .value = 0.8, .lower = 0, .prior = Prior{0.8, 0.3}}};
  problem.targets.value = {4 / 0.5, 2.5, std::log(0.5)};
  problem.targets.covariance = {1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1e-4};
  Options options = with_ensemble(200);
  const Calibration found = ensemble_kalman(problem, options, evaluator);
  EXPECT_EQ(found.status, Status::within_noise) << found.explanation;
  // Five posterior standard errors, which are 0.007 and 0.002.
  EXPECT_NEAR(found.parameters[0], 2, 0.035);
  EXPECT_NEAR(found.parameters[1], 0.5, 0.01);
  for (const Request& request : evaluator.requests) EXPECT_GT(request.parameters[1], 0);
}

TEST(EnsembleKalman, ReportsUnreachableTargets) {
  FormulaEvaluator evaluator(linear);
  Problem problem = linear_problem();
  problem.targets.value = {1, 4, 10};  // a / 2 = 10 contradicts the other targets
  const Calibration found = ensemble_kalman(problem, with_ensemble(100), evaluator);
  EXPECT_EQ(found.status, Status::unreachable);
  EXPECT_LT(found.mismatch.tail, 1e-6);
}

TEST(EnsembleKalman, DoesNotReportTargetsWithinItsSpreadAsUnreachable) {
  // The runs of members are so short that the priors dominate.
  FormulaEvaluator evaluator(linear);
  Problem problem = linear_problem();
  for (double& entry : problem.targets.covariance) entry *= 0.01;
  const Calibration found = ensemble_kalman(problem, with_ensemble(200, 0.0002), evaluator);
  EXPECT_LT(found.mismatch.tail, 1e-6);
  EXPECT_EQ(found.status, Status::iterations);
  EXPECT_THAT(found.explanation, HasSubstr("within the spread"));
}

TEST(EnsembleKalman, PredictsTheEffectOfAStep) {
  FormulaEvaluator evaluator(linear, 1e-6);
  const Calibration found = ensemble_kalman(linear_problem(), with_ensemble(50), evaluator);
  for (std::size_t i = 0; i + 1 < found.iterations.size(); ++i) {
    const std::vector<double>& step = found.iterations[i].step;
    const std::array<double, 3> change = linear(step[0], step[1]);
    for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(found.iterations[i].predicted[m], change[m], 1e-4);
  }
}

TEST(EnsembleKalman, UsesShortRunsForMembersAndFullRunsForTheMeanWithDistinctSeeds) {
  FormulaEvaluator evaluator(linear);
  const Calibration found = ensemble_kalman(linear_problem(), with_ensemble(50), evaluator);
  std::set<std::uint64_t> seeds;
  std::size_t full = 0;
  for (const Request& request : evaluator.requests) {
    EXPECT_EQ(request.purpose, Request::Purpose::statistics);
    seeds.insert(request.seed);
    if (request.length == full_length)
      ++full;
    else
      EXPECT_DOUBLE_EQ(request.length, full_length / 8);
  }
  EXPECT_EQ(seeds.size(), evaluator.requests.size());
  EXPECT_EQ(full, found.iterations.size());
  EXPECT_EQ(evaluator.requests.size(), full + 50 * (full - 1));
  EXPECT_DOUBLE_EQ(found.simulated_time, full_length * (double(full) + 50 * double(full - 1) / 8));
}

TEST(EnsembleKalman, RecordsItsIterations) {
  FormulaEvaluator evaluator(linear);
  std::vector<std::size_t> seen;
  const Calibration found =
      ensemble_kalman(linear_problem(), with_ensemble(50), evaluator, {},
                      [&](const Calibration& so_far) { seen.push_back(so_far.iterations.size()); });
  ASSERT_EQ(seen.size(), found.iterations.size());
  double total = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i], i + 1);
    const Iteration& iteration = found.iterations[i];
    if (i + 1 == seen.size()) {
      EXPECT_TRUE(iteration.step.empty());
      break;
    }
    total += 1 / iteration.damping;
    for (std::size_t j = 0; j < 2; ++j)
      EXPECT_NEAR(iteration.parameters[j] + iteration.step[j], found.iterations[i + 1].parameters[j], 1e-12);
  }
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_EQ(found.parameters, found.iterations.back().parameters);
}

TEST(EnsembleKalman, ReplacesMembersThatFail) {
  FormulaEvaluator evaluator(linear);
  evaluator.fails = [](const Request& request) { return request.parameters[0] < 0.8; };
  const Calibration found = ensemble_kalman(linear_problem(), with_ensemble(1000), evaluator);
  EXPECT_EQ(found.status, Status::within_noise);
  // 0.31 of the prior's mass lies there: 308 of 1000, with 4 standard deviations of 15.
  ASSERT_THAT(found.iterations[0].remarks, Contains(HasSubstr("of 1000 members could not be evaluated")));
  const int failed = std::atoi(found.iterations[0].remarks[0].c_str());
  EXPECT_NEAR(failed, 308, 60);
  EXPECT_DOUBLE_EQ(found.posterior.degrees_of_freedom, 999);
  EXPECT_NEAR(found.parameters[0], 2, 0.2);
  EXPECT_NEAR(found.parameters[1], -1, 0.2);
}

TEST(EnsembleKalman, FailsIfMostMembersFail) {
  FormulaEvaluator evaluator(linear);
  evaluator.fails = [](const Request& request) { return request.parameters[0] < 1.2; };
  const Calibration found = ensemble_kalman(linear_problem(), with_ensemble(100), evaluator);
  EXPECT_EQ(found.status, Status::failed);
  EXPECT_THAT(found.explanation, HasSubstr("It blew up."));
  EXPECT_EQ(found.iterations.size(), 1U);  // the one at the mean, with the problem there
  EXPECT_THAT(found.iterations[0].remarks, Contains(HasSubstr("at the mean")));
}

TEST(EnsembleKalman, IsAPureFunctionOfTheSeed) {
  FormulaEvaluator evaluator(linear);
  Problem problem = linear_problem();
  const Calibration one = ensemble_kalman(problem, with_ensemble(30), evaluator);
  const Calibration same = ensemble_kalman(problem, with_ensemble(30), evaluator);
  EXPECT_EQ(one.parameters, same.parameters);
  EXPECT_EQ(one.posterior.covariance, same.posterior.covariance);
  problem.seed = 8;
  EXPECT_NE(one.parameters, ensemble_kalman(problem, with_ensemble(30), evaluator).parameters);
}

TEST(EnsembleKalman, StaysWithinTheBudget) {
  FormulaEvaluator evaluator(linear);
  Options options = with_ensemble(40);
  options.simulated_time = 2000;  // a step takes 600, the first mean 100
  const Calibration found = ensemble_kalman(linear_problem(), options, evaluator);
  EXPECT_EQ(found.status, Status::simulated_time);
  EXPECT_EQ(found.iterations.size(), 4U);
  EXPECT_DOUBLE_EQ(found.simulated_time, 1900);
  EXPECT_THAT(found.explanation, HasSubstr("wider than the posterior"));

  options.simulated_time.reset();
  options.iterations = 2;
  const Calibration fewer = ensemble_kalman(linear_problem(), options, evaluator);
  EXPECT_EQ(fewer.status, Status::iterations);
  EXPECT_EQ(fewer.iterations.size(), 3U);
  EXPECT_EQ(fewer.parameters, found.iterations[2].parameters);
}

TEST(EnsembleKalman, StopsAtTheToleranceOrOnCancellation) {
  FormulaEvaluator evaluator(linear);
  Options options = with_ensemble(40);
  options.tolerance = 1.0;
  const Calibration close = ensemble_kalman(linear_problem(), options, evaluator);
  EXPECT_EQ(close.status, Status::tolerance);
  EXPECT_LT(close.mismatch.norm, 1.0);
  EXPECT_GE(close.iterations[close.iterations.size() - 2].mismatch.norm, 1.0);

  Cancellation stop;
  const Calibration stopped = ensemble_kalman(linear_problem(), with_ensemble(40), evaluator,
                                              {.progress = {}, .cancellation = &stop}, [&](const Calibration& so_far) {
                                                if (so_far.iterations.size() == 2) stop.request();
                                              });
  EXPECT_EQ(stopped.status, Status::interrupted);
  EXPECT_EQ(stopped.iterations.size(), 2U);
  EXPECT_EQ(stopped.parameters, stopped.iterations.back().parameters);
  // Cancelled at once: the answer is the mean of the first ensemble.
  const Calibration nothing =
      ensemble_kalman(linear_problem(), with_ensemble(40), evaluator, {.progress = {}, .cancellation = &stop});
  EXPECT_EQ(nothing.status, Status::interrupted);
  EXPECT_TRUE(nothing.iterations.empty());
  EXPECT_EQ(nothing.parameters, stopped.iterations.front().parameters);
}

TEST(EnsembleKalman, RejectsInvalidOptions) {
  FormulaEvaluator evaluator(linear);
  Problem problem = linear_problem();
  EXPECT_THROW(ensemble_kalman(problem, with_ensemble(2), evaluator), Error);
  problem.parameters.clear();
  EXPECT_THROW(ensemble_kalman(problem, with_ensemble(20), evaluator), Error);
}

}  // namespace
}  // namespace gfdt::calibrate
