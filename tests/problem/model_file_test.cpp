#include <gmock/gmock.h>

#include "../temporary_folder.hpp"
#include "gfdt/problem/problem.hpp"

namespace gfdt::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string lorenz = R"toml([model]
state = ["X[k]"]
[model.sites]
k = 36
[model.parameters]
F = { value = 8, lower = 0 }
s = 1
[model.drift]
X = "X[k-1]*(X[k+1] - X[k-2]) - X[k] + F"
[model.diffusion]
X = "s"
[observables]
mu = "mean(k, X[k])"
v = "mean(k, X[k]^2)"
)toml";

class ModelFile : public testing::Test {
 protected:
  void SetUp() override { folder_.file("models/lorenz96.toml", lorenz); }

  Problem read(const std::string& text, const std::vector<std::string>& changes = {}) const {
    return read_problem(folder_.file("problem.toml", text), changes);
  }
  std::string failure(const std::string& text) const {
    return complaint<InputError>([&] { read(text); });
  }

  const TemporaryFolder folder_;
  const std::string head_ = "[model]\nfile = \"models/lorenz96.toml\"\n";
};

TEST_F(ModelFile, IsFoundRelativeToTheProblem) {
  const Problem problem = read(head_);
  EXPECT_EQ(problem.model.dimension(), 36);
  EXPECT_EQ(problem.model_file, (folder_ / "models/lorenz96.toml").string());
  EXPECT_EQ(problem.model_text, lorenz);
  EXPECT_EQ(problem.model.observables.size(), 2u);
}

TEST_F(ModelFile, TheProblemMayAddTimeDependence) {
  EXPECT_EQ(read(head_ + "period = 3\n[model.drift]\nX = \"-X[k] + F*cos(t)\"\n").model.period, 3.0);
  EXPECT_TRUE(read(head_ + "time = true\n").model.time_state);
  folder_.file("models/tide.toml", "model.state = ['x']\nmodel.period = 2\nmodel.drift.x = '-x + cos(pi*t)'\n");
  const std::string tide = "[model]\nfile = \"models/tide.toml\"\n";
  EXPECT_EQ(read(tide).model.period, 2.0);
  EXPECT_EQ(read(tide + "period = 4\n").model.period, 4.0);
}

TEST_F(ModelFile, TheProblemSetsValuesAndAddsObservables) {
  const Problem problem =
      read(head_ +
           "[model.parameters]\ns = 2\nF = 10\n[observables]\nextra = \"mu^2\"\nmu = \"mean(k, X[k]^3)\"\n"
           "[targets]\nextra = { value = 1, std = 1 }\n[simulation]\ndt = 0.5\n");
  EXPECT_EQ(problem.model.parameters[0].name, "F");
  EXPECT_EQ(problem.model.parameters[0].value, 10);
  EXPECT_EQ(problem.model.parameters[0].lower, 0);
  EXPECT_EQ(problem.model.parameters[1].value, 2);
  std::vector<std::string> names;
  for (const auto& observable : problem.model.observables) names.push_back(observable.name);
  EXPECT_THAT(names, ElementsAre("mu", "v", "extra"));
  EXPECT_EQ(problem.description.observables[0].formula.text, "mean(k, X[k]^3)");
  EXPECT_EQ(problem.simulation.dt, 0.5);
}

TEST_F(ModelFile, TheProblemReplacesSitesAndFormulas) {
  const Problem problem =
      read(head_ + "[model.sites]\nk = 5\n[model.diffusion]\n\"X[k]\" = 0.5\n[model.initial]\nX = 3\n");
  EXPECT_EQ(problem.model.dimension(), 5);
  EXPECT_EQ(problem.description.diffusion.size(), 1u);
  EXPECT_EQ(problem.model.initial[0].mean, 3);
}

TEST_F(ModelFile, OverridesAreAppliedLast) {
  EXPECT_EQ(read(head_ + "[model.parameters]\nF = 10\n", {"F=4"}).model.parameter("F").value, 4);
  folder_.file("other.toml", "[model]\nstate=['x']\ndrift.x='-x'\n");
  EXPECT_EQ(read(head_, {"model.file=other.toml"}).model.dimension(), 1);
}

TEST_F(ModelFile, ProvidesSimulationOptionsThatTheProblemMayChange) {
  folder_.file("set.toml", "[model]\nstate=['x']\ndrift.x='-x'\n[simulation]\ndt=0.5\nscheme='rk4'\n");
  const Problem problem = read("[model]\nfile = 'set.toml'\n[simulation]\ndt = 0.25\nmembers = 7\n");
  EXPECT_EQ(problem.simulation.dt, 0.25);
  EXPECT_EQ(problem.simulation.members, 7);
  EXPECT_EQ(problem.simulation.scheme, simulate::Scheme::rk4);
}

TEST_F(ModelFile, ErrorsNameTheirFile) {
  EXPECT_THAT(failure(head_ + "[model.parameters]\nG = 1\n"),
              HasSubstr("problem.toml:4:1: 'G' is not a parameter of the model"));
  EXPECT_THAT(failure(head_ + "[model.parameters]\nF = -1\n"), HasSubstr("problem.toml:4:1: The value -1"));
  EXPECT_THAT(failure(head_ + "state = ['x']\n"),
              HasSubstr("problem.toml:3:1: The states are those of the model file"));
  EXPECT_THAT(failure("[model]\nfile = 'none.toml'\n"), HasSubstr("problem.toml:2:8: The model file cannot be used."));
  EXPECT_THAT(failure("[model]\nfile = 'models'\n"), HasSubstr("is a folder"));
  EXPECT_THAT(failure("[model]\nfile = 1\n"), HasSubstr("expected a string"));
  folder_.file("bad.toml", "[model]\nstate=['x']\ndrift.x='-y'\n");
  EXPECT_THAT(failure("[model]\nfile = 'bad.toml'\n"), HasSubstr("bad.toml:3:11: The name y"));
  folder_.file("rich.toml", "[model]\nstate=['x']\ndrift.x='-x'\n[calibration]\nfree=[]\n");
  EXPECT_THAT(failure("[model]\nfile = 'rich.toml'\n"), HasSubstr("rich.toml:4:2: 'calibration' is not a key"));
  folder_.file("loop.toml", "[model]\nfile='loop.toml'\n");
  EXPECT_THAT(failure("[model]\nfile = 'loop.toml'\n"), HasSubstr("cannot itself refer"));
}

}  // namespace
}  // namespace gfdt::problem
