#include "gfdt/calibrate/targets/data_targets.hpp"

#include <gmock/gmock.h>

#include "../statistics/series.hpp"
#include "../temporary_folder.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::calibrate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

symbolic::Model two_states() {
  return symbolic::build(symbolic::Description()
                             .parameter("a", 2)
                             .state("x", "-x", "1")
                             .state("y", "-y", "1")
                             .observable("mean_x", "x")
                             .observable("square", "x^2")
                             .observable("product", "x*y")
                             .observable("far", "x > 9"));
}

Record of_x(std::vector<double> x) { return {"'r.csv'", {{"x", std::move(x)}}}; }

TEST(DataTargets, AreTheMeansOverTheRowsThatWereMeasured) {
  std::vector<double> x = statistics::autoregressive(0.5, 3000, 1), y = statistics::autoregressive(0.5, 3000, 1, 1);
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % 7 == 0) x[i] = none;
    if (i % 5 == 0) y[i] = none;
    if (i % 7 == 0 || i % 5 == 0) continue;
    sum += x[i] * y[i];
    ++count;
  }
  const Targets targets = data_targets(two_states(), {"'r.csv'", {{"x", x}, {"y", y}}});
  EXPECT_THAT(targets.observables, ElementsAre("mean_x", "square", "product"));
  EXPECT_NEAR(targets.value[2], sum / count, 1e-12);
  EXPECT_EQ(targets.problem(), "");
  EXPECT_GT(targets.degrees_of_freedom, 30);
  // E x = 0, E x² = 1, E xy = 0, each within four standard errors.
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(targets.value[i], i == 1 ? 1 : 0, 4 * targets.standard_error(i)) << targets.observables[i];
  // var(mean) = 2τ/n with τ = 1.5 and slightly fewer than n rows present; accurate to 15 %.
  EXPECT_NEAR(targets.standard_error(0), std::sqrt(3.0 / 3000), 0.4 * std::sqrt(3.0 / 3000));
  ASSERT_EQ(targets.remarks.size(), 1u);
  EXPECT_THAT(targets.remarks[0], HasSubstr("'far' has no target: it is 0 in all rows"));
}

TEST(DataTargets, ObservablesThatAreNotMeasuredAreLeftOutWithARemark) {
  const Targets targets = data_targets(two_states(), of_x(statistics::autoregressive(0, 2000, 2)), {"far", "square"});
  EXPECT_THAT(targets.observables, ElementsAre("mean_x"));
  EXPECT_THAT(targets.remarks, ElementsAre("The observable 'product' has no target: y is not measured."));
}

TEST(DataTargets, UseAColumnOfTheObservableItself) {
  Record record = of_x(statistics::autoregressive(0, 2000, 2));
  record.series["product"] = statistics::autoregressive(0, 2000, 3);
  record.series["square"] = std::vector<double>(2000, 4.0);
  for (std::size_t i = 0; i < 2000; i += 2) record.series["square"][i] = 6;
  const Targets targets = data_targets(two_states(), record, {"far"});
  EXPECT_THAT(targets.observables, ElementsAre("mean_x", "square", "product"));
  EXPECT_DOUBLE_EQ(targets.value[1], 5);
  EXPECT_THAT(targets.remarks, IsEmpty());
}

TEST(DataTargets, OnALatticeNeedAllSites) {
  const symbolic::Model ring = symbolic::build(symbolic::Description()
                                                   .index("k", 2)
                                                   .state("X[k]", "-X[k]", "1")
                                                   .observable("energy", "mean(k, X[k]^2 + X[k]*X[k+1])"));
  std::vector<double> a = statistics::autoregressive(0, 1000, 4), b = statistics::autoregressive(0, 1000, 4, 1);
  double sum = 0;
  for (std::size_t i = 0; i < 1000; ++i) sum += (a[i] * a[i] + b[i] * b[i]) / 2 + a[i] * b[i];
  EXPECT_NEAR(data_targets(ring, {"r", {{"X[0]", a}, {"X[1]", b}}}).value[0], sum / 1000, 1e-12);
  EXPECT_THAT(complaint<Error>([&] { data_targets(ring, {"r", {{"X[0]", a}}}); }), HasSubstr("X[1] is not measured"));
}

TEST(DataTargets, ReportAParameterInAFormula) {
  const symbolic::Model model =
      symbolic::build(symbolic::Description().parameter("a", 2).state("x", "-x", "1").observable("v", "(x - a)^2"));
  const Targets targets = data_targets(model, of_x(statistics::autoregressive(0, 3000, 5)));
  EXPECT_NEAR(targets.value[0], 5, 4 * targets.standard_error(0));
  EXPECT_THAT(targets.remarks, ElementsAre(HasSubstr("computed with a = 2")));
}

TEST(DataTargets, ReportAShortRecordAndRejectATooShortOne) {
  const std::set<std::string> given{"product", "far"};
  const Targets targets = data_targets(two_states(), of_x(statistics::autoregressive(0.8, 1000, 6)), given);
  EXPECT_THAT(targets.remarks, ElementsAre(HasSubstr("The record is short: its 1000 rows")));
  EXPECT_LT(targets.degrees_of_freedom, 30);
  const auto refusal = [&](std::vector<double> x) {
    return complaint<Error>([&] { data_targets(two_states(), of_x(std::move(x)), given); });
  };
  EXPECT_THAT(refusal(statistics::autoregressive(0.8, 90, 7)), HasSubstr("too few"));
  std::vector<double> ramp(500);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<double>(i);
  EXPECT_THAT(refusal(ramp), HasSubstr("rows or more"));
  EXPECT_THAT(refusal({1, 2}), HasSubstr("too few"));
}

TEST(DataTargets, ReportARecordThatDrifts) {
  std::vector<double> x = statistics::autoregressive(0.3, 3000, 9);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += static_cast<double>(i) / 3000;
  const Targets targets = data_targets(two_states(), of_x(x), {"square", "product", "far"});
  EXPECT_THAT(targets.remarks, testing::Contains(HasSubstr("The record drifts: the mean of 'mean_x' changes by 0.")));
}

TEST(DataTargets, DistinguishUndefinedFormulasFromMissingMeasurements) {
  const symbolic::Model model =
      symbolic::build(symbolic::Description().state("x", "-x", "1").observable("l", "log(x)"));
  EXPECT_THAT(complaint<Error>([&] {
                data_targets(model, of_x({1, none, -1, 2}));
              }),
              HasSubstr("'l' is not a finite number for row 3"));
}

TEST(DataTargets, RejectLinearlyDependentObservables) {
  const symbolic::Model model = symbolic::build(
      symbolic::Description().state("x", "-x", "1").observable("one", "x").observable("two", "3 - 2*x"));
  EXPECT_THAT(complaint<Error>([&] { data_targets(model, of_x(statistics::autoregressive(0, 2000, 8))); }),
              HasSubstr("not positive definite"));
}

}  // namespace
}  // namespace gfdt::calibrate
