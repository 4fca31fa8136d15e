#include "gfdt/jacobian/selection/automatic_jacobian.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "../symbolic/model/paper_models.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/jacobian/selection/method_trials.hpp"
#include "gfdt/score/exact/stationary_statistics.hpp"

namespace gfdt::jacobian {
namespace {

using symbolic::Description;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

simulate::Options short_run_of(int members, double length) {
  return {.dt = 0.02,
          .members = members,
          .length = length,
          .burn_in = 10,
          .scheme = simulate::Scheme::weak2,
          .backend = codegen::Backend::interpreter};
}

const Diagnostic* diagnostic_of(const Jacobian& result, Check check) {
  for (const auto& entry : result.diagnostics)
    if (entry.check == check) return &entry;
  return nullptr;
}

/// Parameters in drift, noise, an observable and nowhere.
symbolic::Model cubic_well() {
  Description d;
  d.parameter("r", 0.4).parameter("c", 0.8).parameter("s", 0.9).parameter("k", 1.3).parameter("idle", 2);
  d.state("x", "r + x/2 - c*x^3", "s");
  return build(d.observable("mean", "x").observable("scaled", "k*x^2"));
}

std::vector<std::string> names_of(const symbolic::Model& model) {
  std::vector<std::string> names;
  for (const symbolic::Parameter& parameter : model.parameters) names.push_back(parameter.name);
  return names;
}

// By quadrature: 10 numbers within 4 standard errors, a false alarm once in 800.
TEST(ControlledJacobian, AgreesWithQuadrature) {
  const symbolic::Model model = cubic_well();
  const simulate::ModelSource source(model, short_run_of(32, 60));
  const Jacobian jacobian = controlled_jacobian({model, source, names_of(model)}).result.jacobian;
  const std::vector<double> exact = score::stationary_jacobian(model);
  for (std::size_t at = 0; at < exact.size(); ++at) {
    EXPECT_LE(std::abs(jacobian.value[at] - exact[at]), 4 * jacobian.standard_error[at] + 1e-9) << at;
    EXPECT_LT(jacobian.standard_error[at], 0.02 * std::abs(exact[at]) + 1e-9) << at;
    EXPECT_LE(jacobian.sampling_error[at], jacobian.standard_error[at]) << at;
  }
  for (const std::size_t idle : {jacobian.at(0, 4), jacobian.at(1, 4)}) {
    EXPECT_EQ(jacobian.value[idle], 0);
    EXPECT_EQ(jacobian.standard_error[idle], 0);
  }
  EXPECT_EQ(jacobian.columns[0].method.text(), "control-variate");
  ASSERT_TRUE(diagnostic_of(jacobian, Check::control_variate));
  EXPECT_THAT(diagnostic_of(jacobian, Check::control_variate)->text, HasSubstr("reduce the standard errors"));
}

// Polynomials do not resolve the step between wells that members switch between every hundred time units or so.
TEST(ControlledJacobian, BoundsWhatFunctionsLeaveOfSlowSwitches) {
  Description d;
  d.parameter("h", 0.11).parameter("c", 0.95).parameter("s", 0.33);
  d.state("x", "h + c*x - c*x^3", "s");
  const symbolic::Model model = build(d.observable("right", "x > 0.9").observable("far", "x > 1.3"));
  simulate::Options options = short_run_of(48, 3000);
  options.dt = 0.04;
  const simulate::ModelSource source(model, options);
  const Jacobian jacobian = controlled_jacobian({model, source, names_of(model)}).result.jacobian;
  const std::vector<double> exact = score::stationary_jacobian(model);
  for (std::size_t at = 0; at < exact.size(); ++at)
    EXPECT_LE(std::abs(jacobian.value[at] - exact[at]), 3 * jacobian.standard_error[at]) << at;
}

TEST(ControlledJacobian, SaysWhyThereIsNone) {
  const symbolic::Model model = cubic_well();
  const simulate::ModelSource few(model, short_run_of(2, 5));
  const Jacobian none = controlled_jacobian({model, few, {"r"}}).result.jacobian;
  EXPECT_TRUE(std::isnan(none.value[0]));
  EXPECT_TRUE(std::isnan(none.standard_error[0]));
  const std::string verdict = diagnostic_of(none, Check::control_variate)->text;
  EXPECT_THAT(verdict, HasSubstr("at least 8 members."));
  EXPECT_THAT(verdict, Not(HasSubstr("..")));
  const simulate::ModelSource source(model, short_run_of(16, 5));
  const Jacobian unwanted = controlled_jacobian({model, source, {"r"}, {}, {.control_variate = false}}).result.jacobian;
  EXPECT_EQ(diagnostic_of(unwanted, Check::control_variate), nullptr);
}

TEST(RelativeErrors, AreThoseOfColumns) {
  Jacobian jacobian;
  jacobian.statistics.resize(2);
  jacobian.statistics[0].standard_deviation = 1;
  jacobian.statistics[1].standard_deviation = 2;
  jacobian.columns.resize(4);
  const double nan = std::nan("");
  jacobian.value = {3, 0, nan, 1, 8, 0, 1, 0};
  jacobian.standard_error = {0.1, 0, 0, 0, 0.4, 0, 0, 0};
  const std::vector<double> errors = relative_errors(jacobian);
  EXPECT_NEAR(errors[0], std::sqrt(0.01 + 0.04) / 5, 1e-15);
  EXPECT_EQ(errors[1], 0) << "exactly zero";
  EXPECT_TRUE(std::isnan(errors[2])) << "an entry is missing, though it would have no error";
  EXPECT_EQ(errors[3], 0);
}

TEST(AutomaticJacobian, TakesLeadingTermsWhereTheyAreGood) {
  const symbolic::Model model = cubic_well();
  const simulate::ModelSource source(model, short_run_of(32, 60));
  const Jacobian jacobian = automatic_jacobian({model, source, names_of(model)}).jacobian;
  for (const Column& column : jacobian.columns) EXPECT_EQ(column.method.text(), "control-variate") << column.parameter;
  EXPECT_NEAR(jacobian.simulated_time, 32 * 70, 1) << "one run, and its burn-in";
}

// The threshold of an indicator has no leading term: P(x > c) of N(0, ½), its derivative is −ρ(c).
TEST(AutomaticJacobian, TakesOtherMethodsForColumnsThatAreMissing) {
  Description d = symbolic::ou().parameter("c", 0.6);
  const symbolic::Model model = build(d.observable("variance", "x^2").observable("tail", "x > c"));
  const simulate::ModelSource source(model, short_run_of(32, 100));
  const Jacobian jacobian = automatic_jacobian({model, source, {"alpha", "c"}}).jacobian;
  EXPECT_THAT(jacobian.columns[0].method.text(), StartsWith("control-variate"));
  EXPECT_EQ(jacobian.columns[1].method.text(), "finite-difference");
  EXPECT_THAT(jacobian.columns[1].remark, HasSubstr("predicted errors: "));
  EXPECT_EQ(jacobian.value[jacobian.at(0, 1)], 0);
  const std::size_t tail = jacobian.at(1, 1);
  EXPECT_NEAR(jacobian.value[tail], -std::exp(-0.36) / std::sqrt(std::numbers::pi), 4 * jacobian.standard_error[tail]);
}

/// Chaotic, on a ring: no dictionary is good.
symbolic::Model lorenz_ring() {
  Description d;
  d.index("k", 8).parameter("F", 8).parameter("sigma", 1);
  d.state("X[k]", "-X[k-1]*(X[k-2] - X[k+1]) - X[k] + F", "sigma");
  d.initial.push_back({"X", {2.5, 3.5}});
  return build(d.observable("balance", "mean(k, X[k]^2) - F*mean(k, X[k])").observable("mu", "mean(k, X[k])"));
}

TEST(AutomaticJacobian, SaysWhyItTookOtherMethodsAndIsTheSameOnAnyNumberOfThreads) {
  const symbolic::Model model = lorenz_ring();
  simulate::Options options{.dt = 0.01,
                            .members = 32,
                            .length = 20,
                            .burn_in = 5,
                            .cadence = 5,
                            .scheme = simulate::Scheme::rk4,
                            .backend = codegen::Backend::interpreter};
  score::Options score;
  score.method = score::Method::gaussian;
  std::vector<Jacobian> found;
  for (const int threads : {1, 2}) {
    options.threads = threads;
    const simulate::ModelSource source(model, options);
    found.push_back(automatic_jacobian({model, source, {"F"}, score}).jacobian);
  }
  EXPECT_THAT(found[0].columns[0].remark, HasSubstr("control variate alone"));
  EXPECT_THAT(found[0].columns[0].remark, HasSubstr("finite-difference"));
  EXPECT_NE(found[0].columns[0].method.text(), "control-variate");
  // <X²> − F <X> = σ²/2 for every F, by the balance of energy.
  EXPECT_LT(std::abs(found[0].value[0]), 4 * found[0].standard_error[0]);
  EXPECT_GT(found[0].simulated_time, 32 * 25 + 1);
  EXPECT_EQ(found[0].columns[0].method, found[1].columns[0].method);
  EXPECT_EQ(found[0].columns[0].remark, found[1].columns[0].remark);
  EXPECT_EQ(found[0].value, found[1].value);
  EXPECT_EQ(found[0].standard_error, found[1].standard_error);
}

// No score is fitted where noise does not reach a state, and none is needed.
TEST(AutomaticJacobian, GoesOnWithoutAMethodThatCannotBeUsed) {
  Description d = symbolic::ou().parameter("c", 0.6);
  d.state("y", "x - y");
  const symbolic::Model model = build(d.observable("tail", "y > c"));
  const simulate::ModelSource source(model, short_run_of(16, 40));
  score::Options score;
  score.method = score::Method::exact;
  const Jacobian jacobian = automatic_jacobian({model, source, {"c"}, score}).jacobian;
  EXPECT_EQ(jacobian.columns[0].method.text(), "finite-difference");
  EXPECT_LT(jacobian.value[0], 0);
}

Jacobian with_accuracy(double accuracy, double length) {
  Description d;
  d.parameter("a", 1.2).state("x", "-a*x - x^3", "1").state("y", "-y + sin(2*x)", "0.5");
  const symbolic::Model model = build(d.observable("both", "x*y > 0.2"));
  const simulate::ModelSource source(model, short_run_of(16, length));
  score::Options score;
  score.method = score::Method::gaussian;
  return automatic_jacobian({model, source, {"a"}, score, {.accuracy = accuracy}}).jacobian;
}

// A pilot of a hundred autocorrelation times is too short here: oscillations shorten them, and last for 40 time units.
TEST(MethodTrials, RunAtFullLengthWhereShortPilotsFail) {
  Description description;
  description.parameter("b", 0.05).parameter("s", 0.3);
  description.state("x", "v").state("v", "-x - b*v", "s").observable("size", "abs(x)");
  const symbolic::Model model = build(description);
  const simulate::ModelSource source(model, short_run_of(16, 1500));
  const GfdtProblem problem{model, source, names_of(model)};
  const Trials trials = run_trials(problem, controlled_jacobian(problem), {0}, {});
  for (const std::string& failure : trials.failures)
    EXPECT_THAT(failure, Not(HasSubstr("likelihood-ratio"))) << failure;
  EXPECT_TRUE(std::ranges::any_of(trials.candidates, [](const Candidate& candidate) {
    return candidate.method == Method::likelihood_ratio && std::isfinite(candidate.error[0]);
  }));
}

TEST(AutomaticJacobian, FitsNoScoreToMembersThatHaveNotMixed) {
  Description d;
  d.parameter("h", 0.01).state("x", "x - x^3 + h", "0.3").state("y", "-y + x", "0.3");
  const symbolic::Model model = build(d.observable("mean", "y").observable("right", "x > 0"));
  const simulate::ModelSource source(model, short_run_of(32, 20));
  const GfdtProblem problem{model, source, {"h"}};
  const Trials trials = run_trials(problem, controlled_jacobian(problem), {0}, {});
  EXPECT_THAT(trials.failures, testing::Contains(HasSubstr("no score is fitted to members that have not mixed")));
}

TEST(AutomaticJacobian, RunsLongerForAnAccuracyAndSaysWhereItIsOutOfReach) {
  const Jacobian longer = with_accuracy(0.1, 20);
  ASSERT_TRUE(diagnostic_of(longer, Check::accuracy));
  EXPECT_TRUE(diagnostic_of(longer, Check::accuracy)->passed());
  EXPECT_LE(relative_errors(longer)[0], 0.1);
  const Jacobian far = with_accuracy(1e-6, 20);
  ASSERT_TRUE(diagnostic_of(far, Check::accuracy));
  EXPECT_FALSE(diagnostic_of(far, Check::accuracy)->passed());
  EXPECT_THAT(diagnostic_of(far, Check::accuracy)->remedy, HasSubstr("times the simulated time"));
  EXPECT_GT(relative_errors(far)[0], 0.1);
  EXPECT_GT(longer.simulated_time, far.simulated_time + 16 * 20) << "one was run once more, the other was not";
}

TEST(AutomaticJacobian, MakesNoRunsAtOtherParametersForColumnsThatOneRunGivesWell) {
  const symbolic::Model model = cubic_well();
  const simulate::ModelSource source(model, short_run_of(64, 200));
  const auto remark = [&](std::optional<double> accuracy) {
    return automatic_jacobian({model, source, {"r"}, {}, {.accuracy = accuracy, .control_variate = false}})
        .jacobian.columns[0]
        .remark;
  };
  EXPECT_THAT(remark(std::nullopt), HasSubstr("likelihood-ratio"));
  EXPECT_THAT(remark(std::nullopt), Not(HasSubstr("finite-difference")));
  EXPECT_THAT(remark(1e-6), HasSubstr("finite-difference"));
}

// The column of a threshold comes from differences: these alone are made longer.
TEST(AutomaticJacobian, LengthensDifferencesAlone) {
  const symbolic::Model model = build(symbolic::ou().parameter("c", 0.6).observable("tail", "x > c"));
  const simulate::ModelSource source(model, short_run_of(32, 100));
  const Jacobian rough = automatic_jacobian({model, source, {"c"}}).jacobian;
  const double wanted = relative_errors(rough)[0] / 2;
  const Jacobian better = automatic_jacobian({model, source, {"c"}, {}, {.accuracy = wanted}}).jacobian;
  EXPECT_THAT(better.columns[0].remark, HasSubstr("times as long"));
  EXPECT_LE(relative_errors(better)[0], wanted);
  EXPECT_EQ(better.statistics[0].mean, rough.statistics[0].mean) << "of the same run";
}

}  // namespace
}  // namespace gfdt::jacobian
