// Errors of leading terms beside those that the samples have.
#include "gfdt/jacobian/selection/controlled_jacobian.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "../symbolic/model/paper_models.hpp"
#include "gfdt/jacobian/remainder/remainder.hpp"

namespace gfdt::jacobian {
namespace {

using symbolic::Description;

ControlledJacobian leading_terms(const symbolic::Model& model, const std::vector<std::string>& parameters) {
  const simulate::ModelSource source(model, {.dt = 0.02,
                                             .members = 32,
                                             .length = 100,
                                             .burn_in = 10,
                                             .scheme = simulate::Scheme::weak2,
                                             .backend = codegen::Backend::interpreter});
  return controlled_jacobian({model, source, parameters});
}

// Two states that know nothing of each other: normal equations leave a rest of the derivative that is zero.
TEST(ControlledJacobian, EntriesFarBelowTheirColumnHaveAnErrorOfRounding) {
  const symbolic::Model model = build(Description()
                                          .parameter("m", 0.7)
                                          .state("x", "m - x", "1")
                                          .state("y", "-2*y", "1")
                                          .observable("of_x", "x")
                                          .observable("of_y", "y"));
  const ControlledJacobian found = leading_terms(model, {"m"});
  const Jacobian& jacobian = found.result.jacobian;
  ASSERT_TRUE(jacobian.usable());
  EXPECT_NEAR(jacobian.value[0], 1, 4 * jacobian.standard_error[0]);
  const double scale = jacobian.statistics[1].standard_deviation / jacobian.statistics[0].standard_deviation;
  EXPECT_GE(jacobian.standard_error[1], 0.99e-9 * scale);
  EXPECT_LT(jacobian.standard_error[1], 1e-6 * scale);
  EXPECT_LE(std::abs(jacobian.value[1]), 4 * jacobian.standard_error[1]);
}

// A product of waves in three of four states, which no few functions follow.
TEST(ControlledJacobian, ObservablesThatAreMostlyLeftHaveErrorsOfTheSizeOfTheColumn) {
  Description description;
  description.parameter("m", 0.2);
  for (const std::string x : {"w", "x", "y", "z"})
    description.state(x, (x == "w" ? "m - " : "-") + x, "1.4142135623730951");
  const symbolic::Model model =
      build(description.observable("slow", "w").observable("fast", "cos(1.5*w)*cos(1.5*x)*cos(1.5*y)"));
  const ControlledJacobian found = leading_terms(model, {"m"});
  ASSERT_TRUE(found.run.control) << found.run.without;
  const Jacobian& jacobian = found.result.jacobian;
  const std::vector<double>& share = found.run.control->share;
  EXPECT_LT(share[0], 0.3);
  ASSERT_GT(share[1], 0.5);
  EXPECT_LT(jacobian.standard_error[0], 0.1);
  const double own = jacobian.statistics[1].standard_deviation;
  const double column =
      std::hypot(jacobian.value[0] / jacobian.statistics[0].standard_deviation, jacobian.value[1] / own);
  const double left = std::sqrt((share[1] * share[1] - 0.09) / 0.91);
  EXPECT_GE(jacobian.standard_error[1], 0.999 * left * column * own);
  EXPECT_LT(jacobian.sampling_error[1], jacobian.standard_error[1]);
  EXPECT_EQ(jacobian.sampling_error[0], found.run.control->leading[0].sampling_error);
}

// u is fine where it was fitted, and fifty times too large elsewhere.
TEST(Remainder, IsOfTheWholeResponseWhereAControlVariateIsRejected) {
  symbolic::Description d = symbolic::ou();
  const symbolic::Model model = build(d.observable("second", "x^2"));
  const simulate::ModelSource source(model, {.dt = 0.02,
                                             .members = 32,
                                             .length = 100,
                                             .burn_in = 10,
                                             .scheme = simulate::Scheme::weak2,
                                             .backend = codegen::Backend::interpreter});
  GfdtProblem problem{model, source, {"alpha"}};
  problem.response.method = Method::likelihood_ratio;
  ControlledJacobian leading = controlled_jacobian(problem);
  ASSERT_TRUE(leading.result.jacobian.statistics[0].plain);
  const double plain = leading.result.jacobian.statistics[0].plain->mean;
  for (double& coefficient : leading.run.control->coefficients) coefficient *= 50;
  const Jacobian jacobian = with_remainder(problem, leading, {}).jacobian;
  EXPECT_TRUE(jacobian.has_diagnostic(Check::held_out_run));
  EXPECT_EQ(jacobian.statistics[0].mean, plain);
  EXPECT_FALSE(jacobian.statistics[0].plain);
  EXPECT_NEAR(jacobian.value[0], -0.5, 4 * jacobian.standard_error[0]);
  EXPECT_LT(jacobian.standard_error[0], 0.1);
}

TEST(AbsurdEntries, AreRemovedWithAReason) {
  symbolic::Description d = symbolic::ou();
  const symbolic::Model model = build(d.observable("second", "x^2").observable("mean", "x"));
  Jacobian jacobian;
  jacobian.statistics.resize(2);
  jacobian.statistics[0].name = "second";
  jacobian.statistics[1].name = "mean";
  for (statistics::Average& average : jacobian.statistics) average.standard_deviation = 1;
  jacobian.columns = {{.parameter = "alpha", .method = {}, .remark = {}},
                      {.parameter = "beta", .method = {}, .remark = {}}};
  jacobian.value = {-1.9e148, 1, 1e5, -2};
  jacobian.standard_error = {1.4e148, 0.1, 1e4, std::numeric_limits<double>::infinity()};
  jacobian.sampling_error = jacobian.standard_error;
  remove_absurd_entries(model, jacobian);
  EXPECT_TRUE(std::isnan(jacobian.value[0]));
  EXPECT_TRUE(std::isnan(jacobian.standard_error[0]));
  EXPECT_TRUE(std::isnan(jacobian.sampling_error[0]));
  EXPECT_EQ(jacobian.value[1], 1);
  EXPECT_EQ(jacobian.value[2], 1e5) << "large, but within what a stiff model may have";
  EXPECT_TRUE(std::isnan(jacobian.value[3]));
  EXPECT_THAT(jacobian.columns[0].remark, testing::HasSubstr("no entry for second: the estimate -1.9e+148"));
  EXPECT_THAT(jacobian.columns[1].remark, testing::HasSubstr("no entry for mean"));
}

// A tenth of a standard deviation is the largest bias: entries are widened by a tenth of themselves, or of the root
// mean square of their column. Differences are corrected for it, and leading terms do not have it.
TEST(TimeStep, WidensColumnsOfLikelihoodRatiosByTheBiasOfTheStatistics) {
  Jacobian jacobian;
  jacobian.statistics.resize(2);
  jacobian.statistics[0].standard_deviation = 1;
  jacobian.statistics[1].standard_deviation = 2;
  for (const ColumnMethod& method : {ColumnMethod{Method::likelihood_ratio, true},
                                     ColumnMethod{Method::finite_difference}, ColumnMethod{Method::control_variate}})
    jacobian.columns.push_back({.parameter = "a", .method = method, .remark = {}});
  jacobian.value = {3, 3, 3, 0, 0, 0};
  jacobian.standard_error.assign(6, 0.4);
  widen_by_time_step(jacobian, std::vector<double>{0, 0.2});
  EXPECT_NEAR(jacobian.standard_error[0], std::hypot(0.4, 0.3), 1e-12);
  EXPECT_NEAR(jacobian.standard_error[3], std::hypot(0.4, 0.1 * 3 / std::sqrt(2) * 2), 1e-12);
  for (const std::size_t other : {1, 2, 4, 5}) EXPECT_EQ(jacobian.standard_error[other], 0.4) << other;
  jacobian.value[3] = jacobian.standard_error[3] = std::nan("");
  jacobian.standard_error[0] = 0.4;
  widen_by_time_step(jacobian, std::vector<double>{0, 0.2});
  EXPECT_NEAR(jacobian.standard_error[0], 0.5, 1e-12) << "whatever is missing of its column";
  widen_by_time_step(jacobian, std::vector<double>{0, 0});
  EXPECT_EQ(jacobian.standard_error[1], 0.4);
}

// Differences have the effect on the plain average, all others that on A + L u, where it is above two standard errors.
TEST(RareStates, WidenEntriesByTheirSlopeOverTheNaturalChange) {
  Jacobian jacobian;
  jacobian.statistics.resize(2);
  for (const ColumnMethod& method :
       {ColumnMethod{Method::likelihood_ratio, true}, ColumnMethod{Method::finite_difference}})
    jacobian.columns.push_back({.parameter = "a", .method = method, .remark = {}});
  jacobian.columns.push_back({.parameter = "b", .method = {Method::control_variate}, .zero = true, .remark = {}});
  jacobian.standard_error.assign(6, 0.4);
  const std::vector<RareSlopes> slopes{{.of_residual = 0.3, .of_plain = 3}, {.of_residual = 2, .of_plain = 0}};
  widen_by_rare_states(jacobian, slopes, std::vector<double>{0.5, 2, 1});
  EXPECT_EQ(jacobian.standard_error[0], 0.4) << "0.6 is below two standard errors";
  EXPECT_NEAR(jacobian.standard_error[1], std::hypot(0.4, 1.5), 1e-12);
  EXPECT_NEAR(jacobian.standard_error[3], std::hypot(0.4, 4), 1e-12);
  for (const std::size_t other : {2, 4, 5}) EXPECT_EQ(jacobian.standard_error[other], 0.4) << other;
}

}  // namespace
}  // namespace gfdt::jacobian
