#include "gfdt/problem/overrides.hpp"

#include <gmock/gmock.h>

#include "../temporary_folder.hpp"
#include "gfdt/problem/problem.hpp"

namespace gfdt::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string text = R"toml([model]
state = ["x"]
[model.parameters]
F0 = { value = 1, lower = 0, upper = 10 }
a = 2
[model.drift]
x = "F0 - a*x"
[observables]
v = "x^2"
w = "x"
[targets]
v = { value = 1, std = 0.1 }
)toml";

Problem with(const std::vector<std::string>& changes) { return parse_problem(text, "p.toml", changes); }

std::string failure(const std::string& change) {
  return complaint<InputError>([&] { with({change}); });
}

TEST(Overrides, SetOptionsOfTheSimulation) {
  EXPECT_EQ(with({"simulation.dt=0.005"}).simulation.dt, 0.005);
  EXPECT_EQ(with({"simulation.dt = 0.005"}).simulation.dt, 0.005);
  EXPECT_EQ(with({"dt=.005"}).simulation.dt, 0.005);
  EXPECT_EQ(with({"dt=1", "dt=2"}).simulation.dt, 2);
  EXPECT_EQ(with({"simulation.scheme=weak2"}).simulation.scheme, simulate::Scheme::weak2);
  EXPECT_EQ(with({"simulation.scheme=\"rk4\""}).simulation.scheme, simulate::Scheme::rk4);
  EXPECT_EQ(with({"simulation={dt=0.5,members=3}"}).simulation.members, 3);
}

TEST(Overrides, SetParametersAndKeepTheirBounds) {
  for (const char* change : {"model.parameters.F0=0.7", "parameters.F0=0.7", "F0=0.7", "parameters.F0.value=0.7"}) {
    const Problem problem = with({change});
    EXPECT_EQ(problem.model.parameter("F0").value, 0.7) << change;
    EXPECT_EQ(problem.model.parameter("F0").upper, 10) << change;
    EXPECT_EQ(problem.model.parameters[0].name, "F0") << change;
  }
  EXPECT_EQ(with({"a=-1e-3"}).model.parameter("a").value, -1e-3);
  EXPECT_EQ(with({"parameters.a.lower=1"}).model.parameter("a").lower, 1);
  EXPECT_EQ(with({"parameters.a.lower=1"}).model.parameter("a").value, 2);
  EXPECT_EQ(with({"a={value=3,upper=4}"}).model.parameter("a").upper, 4);
}

TEST(Overrides, SetFormulasWithoutQuotes) {
  const Problem problem = with({"observables.v=x^4", "observables.extra=x > 1", "drift.x=-x"});
  ASSERT_EQ(problem.model.observables.size(), 3u);
  EXPECT_EQ(problem.model.observables[0].name, "v");
  EXPECT_EQ(problem.description.observables[0].formula.text, "x^4");
  EXPECT_EQ(problem.description.drift[0].formula.text, "-x");
  EXPECT_EQ(problem.model.observables[2].name, "extra");
}

TEST(Overrides, SetTargetsAndFreeParameters) {
  EXPECT_EQ(with({"targets.v.value=3"}).targets.values[0].value, 3);
  EXPECT_EQ(with({"targets.v=3"}).targets.values[0].value, 3);
  EXPECT_EQ(with({"targets.v=3"}).targets.values[0].std, 0.1);
  EXPECT_EQ(with({"targets.w={value=1,std=2}"}).targets.values[1].std, 2);
  EXPECT_THAT(with({"calibration.free=[\"a\"]"}).free, ElementsAre("a"));
  EXPECT_EQ(with({"model.initial.\"x\"=3"}).model.initial[0].mean, 3);
}

TEST(Overrides, SetOptionsOfTheResponse) {
  EXPECT_EQ(with({"response.window=[2,5]"}).response.window->end, 5);
  EXPECT_EQ(with({"response.method=finite-difference"}).response.method, jacobian::Method::finite_difference);
  const Problem problem = with({"response.steps.F0=0.05", "response.steps.a=0.1", "response.cross_fit=false"});
  EXPECT_EQ(problem.response.steps, (std::map<std::string, double>{{"F0", 0.05}, {"a", 0.1}}));
  EXPECT_FALSE(problem.response.cross_fit);
  EXPECT_THAT(failure("response.steps.F1=0.05"),
              HasSubstr("--set:1:16: 'F1' is not a parameter of the model. Did you"));
  EXPECT_THAT(failure("response.step.F0=1"), HasSubstr("Did you mean 'steps'?"));
  EXPECT_THAT(failure("response.window=[5,2]"), HasSubstr("--set:1:17: The window [5, 2] is empty"));
}

TEST(Overrides, AreStored) { EXPECT_THAT(with({"dt=1", "a=3"}).overrides, ElementsAre("dt=1", "a=3")); }

TEST(Overrides, UnknownKeysSuggestTheNearest) {
  EXPECT_THAT(failure("simulaton.dt=1"), HasSubstr("Did you mean 'simulation'?"));
  EXPECT_THAT(failure("simulation.dtt=1"), HasSubstr("Did you mean 'dt'?"));
  EXPECT_THAT(failure("membrs=1"), HasSubstr("Did you mean 'members'?"));
  EXPECT_THAT(failure("F1=1"), HasSubstr("Did you mean 'F0'?"));
  EXPECT_THAT(failure("parameters.F1=1"), HasSubstr("'F1' is not a parameter of the model. Did you mean 'F0'?"));
  EXPECT_THAT(failure("simulation.dt.x=1"), HasSubstr("expected a number, found a table"));
  EXPECT_THAT(failure("observables.v.x=1"), HasSubstr("'v' is not a table"));
  EXPECT_THAT(failure("targets.nothing={value=1,std=1}"), HasSubstr("not an observable"));
}

TEST(Overrides, ErrorsPointIntoTheOverride) {
  EXPECT_THAT(failure("simulation.dt=abc"), HasSubstr("--set:1:15: simulation.dt: expected a number, found a string."));
  EXPECT_THAT(failure("simulation.dt=abc"), HasSubstr("\n  simulation.dt=abc\n                ^"));
  EXPECT_THAT(failure("dt=0"), HasSubstr("--set:1:4: The time step dt is 0"));
  EXPECT_THAT(failure("observables.v=x + q"), HasSubstr("--set:1:19: The name q is not known"));
  EXPECT_THAT(failure("observables.v='x + q'"), HasSubstr("--set:1:20: The name q is not known"));
  EXPECT_THAT(failure("F0=11"), HasSubstr("--set:1:1: The value 11 of parameter 'F0' is not within its bounds"));
  EXPECT_THAT(failure("a=nan"), HasSubstr("finite"));
  EXPECT_THAT(failure("dt="), HasSubstr("expected a number, found a string"));
}

TEST(Overrides, NeedAKeyAndAValue) {
  EXPECT_THAT(failure("dt"), HasSubstr("there is no '='"));
  EXPECT_THAT(failure(""), HasSubstr("there is no '='"));
  EXPECT_THAT(failure("=1"), HasSubstr("--set takes key=value"));
  EXPECT_THAT(failure("simulation.=1"), HasSubstr("--set takes key=value"));
  EXPECT_THAT(failure(".dt=1"), HasSubstr("--set takes key=value"));
  EXPECT_THAT(failure("\"dt=1"), HasSubstr("there is no '='"));
  EXPECT_THAT(failure("dt=1\nlength=2"), HasSubstr("expected a number, found a string"));
  EXPECT_THAT(failure("dt=\xFF"), HasSubstr("UTF-8"));
}

}  // namespace
}  // namespace gfdt::problem
