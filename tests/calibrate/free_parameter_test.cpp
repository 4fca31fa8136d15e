#include "gfdt/calibrate/free_parameter.hpp"

#include <gmock/gmock.h>

namespace gfdt::calibrate {
namespace {

using ::testing::HasSubstr;

const std::vector<FreeParameter>& kinds() {
  static const std::vector<FreeParameter> list{{"free", 0.3, -INFINITY, INFINITY},
                                               {"positive", 0.3, 0, INFINITY},
                                               {"below", 0.3, -INFINITY, 1},
                                               {"both", 0.3, -1, 2}};
  return list;
}

TEST(FreeParameter, CoordinateAndNaturalAreInverse) {
  for (const FreeParameter& parameter : kinds())
    EXPECT_NEAR(parameter.natural(parameter.coordinate(0.3)), 0.3, 1e-15) << parameter.name;
}

TEST(FreeParameter, SlopeIsTheDerivativeOfTheNaturalScale) {
  constexpr double h = 1e-5;
  for (const FreeParameter& parameter : kinds()) {
    const double at = parameter.coordinate(0.3);
    EXPECT_NEAR(parameter.slope(0.3), (parameter.natural(at + h) - parameter.natural(at - h)) / (2 * h), 1e-9)
        << parameter.name;
  }
}

TEST(FreeParameter, NoCoordinateLeavesTheBounds) {
  for (const FreeParameter& parameter : kinds())
    for (const double far : {-30.0, 30.0}) {
      EXPECT_GE(parameter.natural(far), parameter.lower) << parameter.name;
      EXPECT_LE(parameter.natural(far), parameter.upper) << parameter.name;
    }
}

TEST(FreeParameter, ReportsInvalidDefinitions) {
  EXPECT_THAT((FreeParameter{"a", 1, 2, 0}.problem()), HasSubstr("contradict"));
  EXPECT_THAT((FreeParameter{"a", 3, 0, 2}.problem()), HasSubstr("not inside its bounds"));
  EXPECT_THAT((FreeParameter{"a", 0, 0, 2}.problem()), HasSubstr("not inside its bounds"));
  EXPECT_THAT((FreeParameter{"a", 1, 0, 2, Prior{1, 0}}.problem()), HasSubstr("prior"));
  EXPECT_EQ((FreeParameter{"a", 1, 0, 2, Prior{1, 0.5}}.problem()), "");
}

}  // namespace
}  // namespace gfdt::calibrate
