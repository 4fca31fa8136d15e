#include "gfdt/problem/problem.hpp"

#include <gmock/gmock.h>

#include "../temporary_folder.hpp"

namespace gfdt::problem {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string enso = R"toml([model]
state = ["u1", "u2", "tau"]

[model.parameters]
d_u = 0.24
omega = 0.32
d_tau  = { value = 2.2, lower = 0.0 }
sigma1 = { value = 0.36, lower = 0.0, upper = inf }
a_last = 7

[model.drift]
u1  = "-d_u*u1 - omega*u2 + tau"
u2  = "-d_u*u2 + omega*u1"
tau = "-d_tau*tau"

[model.diffusion]
u1  = "sigma1"
u2  = 0.27
tau = '1.575*(1 + tanh(u1))'

[model.initial]
u1 = 0.5
tau = { mean = 1, std = 0.1 }

[observables]
warm   = "u1 > 1.5"
var_u1 = "u1^2"
cold   = "u1 < -1.5"

[targets]
var_u1 = { value = 1.02, std = 0.05 }
cold   = { value = 0, std = 1e-2 }

[simulation]
dt = 0.005
members = 64
length = 50
burn_in = 3
cadence = 4
scheme = "weak2"
precision = "float"
seed = 12345678901

[score]
[response]
[calibration]
free = ["omega", "d_u"]
)toml";

template <class Items>
std::vector<std::string> names(const Items& items) {
  std::vector<std::string> result;
  for (const auto& item : items) result.push_back(item.name);
  return result;
}

TEST(Problem, KeepsTheOrderOfTheFile) {
  const Problem problem = parse_problem(enso, "enso.toml");
  EXPECT_THAT(names(problem.model.states), ElementsAre("u1", "u2", "tau"));
  EXPECT_THAT(names(problem.model.parameters), ElementsAre("d_u", "omega", "d_tau", "sigma1", "a_last"));
  EXPECT_THAT(names(problem.model.observables), ElementsAre("warm", "var_u1", "cold"));
}

TEST(Problem, ReadsParametersWithBounds) {
  const Problem problem = parse_problem(enso, "enso.toml");
  EXPECT_EQ(problem.model.parameter("d_u").value, 0.24);
  EXPECT_EQ(problem.model.parameter("d_tau").value, 2.2);
  EXPECT_EQ(problem.model.parameter("d_tau").lower, 0.0);
  EXPECT_EQ(problem.model.parameter("sigma1").upper, std::numeric_limits<double>::infinity());
  EXPECT_EQ(problem.model.parameter("a_last").value, 7.0);
}

TEST(Problem, ReadsInitialDistributions) {
  const Problem problem = parse_problem(enso, "enso.toml");
  EXPECT_EQ(problem.model.initial[0].mean, 0.5);
  EXPECT_EQ(problem.model.initial[0].std, 0.0);
  EXPECT_EQ(problem.model.initial[1].std, 1.0);
  EXPECT_EQ(problem.model.initial[2].mean, 1.0);
  EXPECT_EQ(problem.model.initial[2].std, 0.1);
}

TEST(Problem, ReadsSimulationTargetsAndFreeParameters) {
  const Problem problem = parse_problem(enso, "enso.toml");
  EXPECT_EQ(problem.simulation.dt, 0.005);
  EXPECT_EQ(problem.simulation.members, 64);
  EXPECT_EQ(problem.simulation.length, 50);
  EXPECT_EQ(problem.simulation.burn_in, 3.0);
  EXPECT_EQ(problem.simulation.cadence, 4);
  EXPECT_EQ(problem.simulation.scheme, simulate::Scheme::weak2);
  EXPECT_EQ(problem.simulation.precision, simulate::Precision::single_precision);
  EXPECT_EQ(problem.simulation.seed, 12345678901u);
  ASSERT_EQ(problem.targets.values.size(), 2u);
  EXPECT_EQ(problem.targets.values[0].observable, "var_u1");
  EXPECT_EQ(problem.targets.values[0].value, 1.02);
  EXPECT_EQ(problem.targets.values[0].std, 0.05);
  EXPECT_EQ(problem.targets.values[0].origin.line, 31);
  EXPECT_EQ(problem.targets.values[1].observable, "cold");
  EXPECT_THAT(problem.free, ElementsAre("omega", "d_u"));
  EXPECT_EQ(problem.text, enso);
  EXPECT_EQ(problem.file, "enso.toml");
}

TEST(Problem, ReadsScoreOptions) {
  const Problem problem = parse_problem(
      "[model]\nstate = ['x']\ndrift.x = '-x'\ndiffusion.x = '1'\n[score]\nmethod = 'dsm'\nsamples = 5000\nnoise = "
      "0.1\n"
      "leaves = 30\nhidden = [40, 20]\nradius = 3\nwidth = 16\nepochs = 7\nbatch = 64\nrate = 1e-4\npatience = 2\n"
      "validation = 0.2\nprobes = 4\ncorrection = false\n",
      "file");
  EXPECT_EQ(problem.score.method, score::Method::dsm);
  EXPECT_EQ(problem.score.samples, 5000u);
  EXPECT_EQ(problem.score.noise, 0.1);
  EXPECT_EQ(problem.score.leaves, 30);
  EXPECT_EQ(problem.score.hidden, (std::vector{40, 20}));
  EXPECT_EQ(problem.score.radius, 3);
  EXPECT_EQ(problem.score.width, 16);
  EXPECT_EQ(problem.score.epochs, 7);
  EXPECT_EQ(problem.score.batch, 64);
  EXPECT_EQ(problem.score.rate, 1e-4);
  EXPECT_EQ(problem.score.patience, 2);
  EXPECT_EQ(problem.score.validation, 0.2);
  EXPECT_EQ(problem.score.probes, 4);
  EXPECT_FALSE(problem.score.correction);
}

TEST(Problem, ReadsResponseOptions) {
  const Problem problem = parse_problem(
      "[model]\nstate = ['x']\nparameters = { a = 1, b = 2 }\ndrift.x = '-a*x'\ndiffusion.x = 'b'\n"
      "[response]\nmethod = 'finite-difference'\nwindow = [2, 5.5]\nsamples = 20000000\ncross_fit = false\ncorrection "
      "= false\n"
      "relative_step = 0.05\n[response.steps]\nb = 0.25\n",
      "file");
  EXPECT_EQ(problem.response.method, jacobian::Method::finite_difference);
  ASSERT_TRUE(problem.response.window);
  EXPECT_EQ(problem.response.window->start, 2);
  EXPECT_EQ(problem.response.window->end, 5.5);
  EXPECT_EQ(problem.response.samples, 20'000'000u);
  EXPECT_FALSE(problem.response.cross_fit);
  EXPECT_EQ(problem.response.correction, false);
  EXPECT_EQ(problem.response.relative_step, 0.05);
  EXPECT_EQ(problem.response.steps, (std::map<std::string, double>{{"b", 0.25}}));
}

const std::string forced = "[model]\nstate = ['x']\nperiod = 2.0\ndrift.x = '-x + cos(pi*t)'\n";

TEST(Problem, ReadsModelsThatDependOnTime) {
  const Problem periodic = parse_problem(forced + "[simulation]\nlength = 100\n", "file");
  EXPECT_EQ(periodic.model.period, 2.0);
  EXPECT_EQ(periodic.model.time_state, 1u);
  EXPECT_DOUBLE_EQ(periodic.simulation.length, 96);
  EXPECT_DOUBLE_EQ(parse_problem(forced, "file").simulation.length, 996);
  const Problem other = parse_problem(forced, "file", std::vector<std::string>{"period=3", "length=100"});
  EXPECT_EQ(other.model.period, 3.0);
  EXPECT_DOUBLE_EQ(other.simulation.length, 99);
  const Problem aperiodic = parse_problem("model.state = ['x']\nmodel.drift.x = '-x + t'\n", "file",
                                          std::vector<std::string>{"model.time=true", "length=100"});
  EXPECT_EQ(aperiodic.model.time_state, 1u);
  EXPECT_EQ(aperiodic.simulation.length, 100);
  EXPECT_FALSE(parse_problem("model.state = ['x']\nmodel.time = false\nmodel.drift.x = '-x'\n", "f").model.time_state);
}

TEST(Problem, NeedsOnlyStatesAndDrift) {
  const Problem problem = parse_problem("model.state = ['x']\nmodel.drift.x = '-x'\n", "tiny.toml");
  EXPECT_EQ(problem.model.dimension(), 1);
  EXPECT_TRUE(problem.targets.empty());
  EXPECT_THAT(problem.free, IsEmpty());
  EXPECT_EQ(problem.simulation.members, simulate::Options().members);
}

TEST(Problem, ReadsFieldsAndNamedNoises) {
  const Problem problem = parse_problem(R"toml(
[model]
state = ["X[k]", "Y[j,k]"]
[model.sites]
k = 36
j = 10
[model.formulas]
"coupling[k]" = "mean(j, Y[j,k])"
[model.drift]
X = "X[k-1]*(X[k+1] - X[k-2]) - X[k] + coupling[k]"
"Y[j,k]" = "-Y[j,k]"
[model.diffusion]
X = { "w[k]" = "1", "w[k+1]" = 0.5, common = "0.1" }
[observables]
mu = "mean(k, X[k])"
V = "mean(k, (X[k] - mu)^2)"
)toml",
                                        "lattice.toml");
  EXPECT_EQ(problem.model.dimension(), 36 + 360);
  EXPECT_EQ(problem.model.indices[0].name, "k");
  EXPECT_EQ(problem.model.noises.size(), 2u);
  EXPECT_EQ(problem.model.diffusion.size(), 3u);
  EXPECT_THAT(names(problem.model.observables), ElementsAre("mu", "V"));
}

TEST(Problem, ReadsFilesWithByteOrderMarkAndWindowsLineEnds) {
  const Problem problem =
      parse_problem("\xEF\xBB\xBF[model]\r\nstate = [\"x\"]\r\ndrift = { x = \"-x\" }\r\n", "windows.toml");
  EXPECT_EQ(problem.model.dimension(), 1);
}

TEST(Problem, ReadsAFile) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.file("enso.toml", enso);
  const Problem problem = read_problem(file);
  EXPECT_EQ(problem.file, file.string());
  EXPECT_EQ(problem.text, enso);
}

TEST(Problem, ReadsTheModelFileThroughTheGivenReader) {
  std::filesystem::path asked;
  const TextReader read = [&](const std::filesystem::path& file) -> std::string {
    asked = file;
    if (file.stem() != "decay") throw Error("There is no such model.");
    return "[model]\nstate = ['x']\nparameters.a = 1\ndrift.x = '-a*x'\n";
  };
  const Problem problem =
      parse_problem("[model]\nfile = '../m/decay.toml'\nparameters.a = 3\n", "p.toml", {}, "e", read);
  EXPECT_EQ(asked, "e/../m/decay.toml");
  EXPECT_EQ(problem.model.parameter("a").value, 3);
  EXPECT_THROW(parse_problem("[model]\nfile = 'other.toml'\n", "p.toml", {}, "e", read), InputError);
}

TEST(Problem, ReadsTheCommandOfASimulator) {
  EXPECT_FALSE(parse_problem(enso, "p.toml").command);
  const std::string text = "model.state = ['x']\nmodel.parameters.a = 1\nmodel.drift.x = '-a*x'\n[simulation]\n";
  const Problem problem = parse_problem(
      text + "command = \"awk '{print $1}' ${HOME}/x {a} > {output}\"\ntimeout = 2.5\nretries = 0\ndt = 0.5\n",
      "p.toml");
  ASSERT_TRUE(problem.command);
  EXPECT_EQ(problem.command->command, "awk '{print $1}' ${HOME}/x {a} > {output}");
  EXPECT_EQ(problem.command->timeout, 2.5);
  EXPECT_EQ(problem.command->retries, 0);
  EXPECT_EQ(problem.simulation.dt, 0.5);
  const std::vector<std::string> overrides{"command=./run {output.nc}"};
  const Problem changed = parse_problem(text, "p.toml", overrides);
  ASSERT_TRUE(changed.command);
  EXPECT_EQ(changed.command->command, "./run {output.nc}");
  EXPECT_EQ(changed.command->timeout, 3600);
  EXPECT_EQ(changed.command->retries, 1);
}

}  // namespace
}  // namespace gfdt::problem
