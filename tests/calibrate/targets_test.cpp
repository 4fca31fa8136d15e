#include "gfdt/calibrate/targets/targets.hpp"

#include <gmock/gmock.h>

namespace gfdt::calibrate {
namespace {

using ::testing::HasSubstr;

Targets two(std::vector<double> covariance) { return {{"a", "b"}, {1.0, 2.0}, std::move(covariance)}; }

TEST(Targets, ThatAreValidHaveNoProblem) { EXPECT_EQ(two({1, 0.5, 0.5, 1}).problem(), ""); }

TEST(Targets, ReportInvalidValuesAndCovariances) {
  EXPECT_THAT(Targets{}.problem(), HasSubstr("no targets"));
  EXPECT_THAT(two({1, 0.5, 0.4, 1}).problem(), HasSubstr("not symmetric"));
  EXPECT_THAT(two({1, 1.5, 1.5, 1}).problem(), HasSubstr("not positive definite"));
  EXPECT_THAT(two({1, 1, 1, 1}).problem(), HasSubstr("not positive definite"));
  EXPECT_THAT(two({1, 0, 0, 0}).problem(), HasSubstr("variance of the target of 'b'"));
  EXPECT_THAT((Targets{{"a", "a"}, {1.0, 2.0}, {1, 0, 0, 1}}.problem()), HasSubstr("two targets"));
  EXPECT_THAT((Targets{{"a", "b"}, {1.0, std::nan("")}, {1, 0, 0, 1}}.problem()), HasSubstr("not a number"));
}

TEST(Targets, StandardErrorIsTheRootOfTheVariance) { EXPECT_DOUBLE_EQ(two({1, 0, 0, 9}).standard_error(1), 3); }

}  // namespace
}  // namespace gfdt::calibrate
