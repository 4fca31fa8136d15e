#include "gfdt/problem/tables/calibration_table.hpp"

#include <gmock/gmock.h>

#include "gfdt/problem/problem.hpp"

namespace gfdt::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string head =
    "model = { state = ['x'], parameters = { F0 = 0.5, sigma = 1 }, drift.x = 'F0 - x' }\n[calibration]\n";

std::string failure(const std::string& text) {
  try {
    parse_problem(head + text, "p.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CalibrationTable, EveryKeyIsRead) {
  const Problem problem = parse_problem(head + R"toml(free = ["sigma"]
algorithm = "gauss-newton"
weights = "covariance"
ridge = 0.01
tikhonov = 0.02
trust_radius = 0.3
iterations = 4
tolerance = 0.05
until_noise = false
simulated_time = 1e6
confidence = 0.9
first_length = 1
condition_cap = 100
capped_step = 0.06
halvings = 7
stability_length = 0.08
ensemble = 33
ensemble_spread = 0.09
[calibration.priors]
F0 = { mean = 0.6, std = 0.1 }
)toml",
                                        "p.toml");
  const calibrate::Options& o = problem.calibration;
  EXPECT_THAT(problem.free, ElementsAre("sigma"));
  EXPECT_EQ(o.algorithm, calibrate::Algorithm::gauss_newton);
  EXPECT_EQ(o.weights, calibrate::Weighting::covariance);
  EXPECT_THAT((std::vector{o.ridge, o.tikhonov, o.trust_radius, *o.tolerance, *o.simulated_time, o.confidence}),
              ElementsAre(0.01, 0.02, 0.3, 0.05, 1e6, 0.9));
  EXPECT_THAT((std::vector{o.first_length, o.condition_cap, o.capped_step, o.stability_length, o.ensemble_spread}),
              ElementsAre(1, 100, 0.06, 0.08, 0.09));
  EXPECT_THAT((std::vector{o.iterations, o.halvings, o.ensemble}), ElementsAre(4, 7, 33));
  EXPECT_FALSE(o.until_noise);
  ASSERT_EQ(problem.priors.size(), 1u);
  EXPECT_EQ(problem.priors.at("F0").mean, 0.6);
  EXPECT_EQ(problem.priors.at("F0").std, 0.1);
}

TEST(CalibrationTable, HasDefaultsIfAbsent) {
  const Problem problem = parse_problem(head, "p.toml");
  EXPECT_TRUE(problem.free.empty() && problem.priors.empty());
  EXPECT_EQ(problem.calibration.iterations, calibrate::Options().iterations);
}

TEST(CalibrationTable, InvalidOptionsAreRejectedWithTheirPosition) {
  EXPECT_THAT(failure("algorithm = 'gauss'"), HasSubstr("p.toml:3:14: calibration.algorithm: 'gauss' is not one of"));
  EXPECT_THAT(failure("weights = 'noize'"), HasSubstr("Did you mean 'noise'?"));
  EXPECT_THAT(failure("iterations = 0"), HasSubstr("p.toml:3:14: 0 iterations are too few"));
  EXPECT_THAT(failure("iterations = 2.5"), HasSubstr("whole number"));
  EXPECT_THAT(failure("ridge = 1\ntrust_radius = 0"), HasSubstr("p.toml:4:16: The trust_radius is 0"));
  EXPECT_THAT(failure("until_noise = 1"), HasSubstr("expected true or false"));
  EXPECT_THAT(failure("confidence = 95"), HasSubstr("between 0 and 1"));
  EXPECT_THAT(failure("ensemble = 2"), HasSubstr("3 is the fewest"));
  EXPECT_THAT(failure("halvngs = 2"), HasSubstr("Did you mean 'halvings'?"));
}

TEST(CalibrationTable, PriorsNeedAParameterAndAPositiveWidth) {
  EXPECT_THAT(failure("priors.F1 = { mean = 1, std = 1 }"),
              HasSubstr("p.toml:3:8: 'F1' is not a parameter of the model. Did you mean 'F0'?"));
  EXPECT_THAT(failure("priors.F0 = { mean = 1, std = 0 }"),
              HasSubstr("p.toml:3:31: The std of the prior of 'F0' is 0"));
  EXPECT_THAT(failure("priors.F0 = { mean = 1 }"), HasSubstr("lacks its 'std'"));
  EXPECT_THAT(failure("priors.F0 = 1"), HasSubstr("p.toml:3:13: calibration.priors.F0: expected { mean"));
  EXPECT_THAT(failure("priors = 1"), HasSubstr("expected a table"));
}

}  // namespace
}  // namespace gfdt::problem
