// Angles are identified from the formulas alone, for all values of the parameters.
#include "gfdt/symbolic/model/angles.hpp"

#include <gmock/gmock.h>

#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::symbolic {
namespace {

using testing::ElementsAre;

Description phase(const std::string& drift, const std::string& observable = "cos(th)") {
  Description description;
  description.parameter("a", 1).parameter("w", 0.3).state("th", drift, "0.5").observable("o", observable);
  return description;
}

TEST(Angles, AppearInPeriodicFunctionsOnly) {
  EXPECT_THAT(build(phase("w - a*sin(th)")).angles, ElementsAre(true));
  EXPECT_THAT(build(phase("w - a*sin(2*th + 1) + cos(3*th - a)^2")).angles, ElementsAre(true));
  EXPECT_THAT(build(phase("w - a*sin(th)", "cos(th) > 0.5")).angles, ElementsAre(true));
}

TEST(Angles, OtherPeriodsAreNotAngles) {
  EXPECT_THAT(build(phase("w - a*sin(1.5*th)")).angles, ElementsAre(false));
  EXPECT_THAT(build(phase("w - sin(a*th)")).angles, ElementsAre(false));  // periodic for integer a only
  EXPECT_THAT(build(phase("w - sin(th^2)")).angles, ElementsAre(false));
}

TEST(Angles, StatesOutsideOfPeriodicFunctionsAreNotAngles) {
  EXPECT_THAT(build(phase("-a*sin(th) - 0.01*th")).angles, ElementsAre(false));
  EXPECT_THAT(build(phase("w - a*sin(th)", "th > 100")).angles, ElementsAre(false));
  EXPECT_THAT(build(phase("w - a*sin(th)", "tanh(1e6*th)")).angles, ElementsAre(false));
  EXPECT_THAT(build(phase("w", "1")).angles, ElementsAre(false));  // appears in no formula
}

TEST(Angles, AreFoundAmongOtherStates) {
  Description pendulum = phase("v");
  pendulum.state("v", "-a*v - sin(th)", "0.5");
  EXPECT_THAT(build(pendulum).angles, ElementsAre(true, false));
}

TEST(Angles, AreFoundOnLattices) {
  Description ring;
  ring.index("k", 6).parameter("c", 1);
  ring.state("th[k]", "c*sin(th[k+1] - th[k]) + c*sin(th[k-1] - th[k])", "0.3")
      .observable("order", "sum(k, cos(th[k+1] - th[k]))/6");
  EXPECT_THAT(build(ring).angles, ElementsAre(true));
  ring.observable("twist", "sum(k, (th[k+1] - th[k])^2)");
  EXPECT_THAT(build(ring).angles, ElementsAre(false));
}

TEST(Angles, SettlingFunctionsAreCosineAndSine) {
  Description pendulum = phase("v");
  pendulum.state("v", "-a*v - sin(th)", "0.5");
  const Model model = build(pendulum);
  EXPECT_EQ(settling_functions(model, 0)[0].name, "cos(th)");
  EXPECT_EQ(settling_functions(model, 0)[1].name, "sin(th)");
  EXPECT_EQ(settling_functions(model, 1)[0].name, "v");
  EXPECT_EQ(settling_functions(model, 1)[1].name, "v^2");
}

}  // namespace
}  // namespace gfdt::symbolic
