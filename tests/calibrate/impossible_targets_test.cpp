#include "gfdt/calibrate/targets/impossible_targets.hpp"

#include <gmock/gmock.h>

#include <Eigen/Core>

#include "gfdt/symbolic/model/description.hpp"
#include "linear_problems.hpp"

namespace gfdt::calibrate {
namespace {

using ::testing::HasSubstr;

symbolic::Model observed() {
  symbolic::Description description;
  description.parameter("a", 1).parameter("c", 0.5).state("x", "-a*x", "1").state("y", "-y", "1");
  description.observable("mean", "x").observable("square", "x^2").observable("hot", "x > 1 or y > 1");
  description.observable("size", "abs(x)").observable("shifted", "c + x^2").observable("scaled", "a*x^2");
  description.observable("wave", "sin(x)").observable("energy", "x^2 + 3*y^4").observable("angle", "atan(x*y)");
  return symbolic::build(description);
}

std::string verdict(const std::vector<std::pair<std::string, double>>& given, double std = 0.1) {
  Targets targets;
  const auto size = static_cast<Eigen::Index>(given.size());
  for (const auto& [name, value] : given) {
    targets.observables.push_back(name);
    targets.value.push_back(value);
  }
  targets.covariance = values_of(std * std * Eigen::MatrixXd::Identity(size, size));
  return impossible_target(observed(), targets, {"a"});
}

TEST(ImpossibleTargets, LieOutsideTheRangeOfTheirObservable) {
  EXPECT_THAT(verdict({{"square", -0.1}}), HasSubstr("at least 0 in every state"));
  EXPECT_THAT(verdict({{"hot", 1.2}}), HasSubstr("between 0 and 1"));
  EXPECT_THAT(verdict({{"hot", -0.01}}), HasSubstr("hot = -0.01"));
  for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
           {"size", -1}, {"shifted", 0.4}, {"wave", 1.5}, {"energy", -2}, {"angle", 2}})
    EXPECT_FALSE(verdict({{name, value}}).empty()) << name;
}

TEST(ImpossibleTargets, DoNotIncludeReachableTargets) {
  for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
           {"mean", -1e9}, {"square", 1e-9}, {"hot", 0}, {"hot", 1}, {"shifted", 0.5}, {"scaled", -3}, {"angle", 1.5}})
    EXPECT_EQ(verdict({{name, value}}), "") << name;
}

TEST(ImpossibleTargets, IncludeSquaresBelowTheSquareOfTheMean) {
  EXPECT_THAT(verdict({{"mean", 2}, {"square", 1}}), HasSubstr("no less than the square of the average, here 4"));
  EXPECT_EQ(verdict({{"mean", 2}, {"square", 4.5}}), "");
  EXPECT_EQ(verdict({{"mean", 2}, {"square", 3.5}}, 0.1), "");  // within the errors of both
}

}  // namespace
}  // namespace gfdt::calibrate
