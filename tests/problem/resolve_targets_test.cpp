#include "gfdt/problem/resolve_targets.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "../statistics/series.hpp"
#include "../temporary_folder.hpp"
#include "gfdt/base/error.hpp"

namespace gfdt::problem {
namespace {

using calibrate::Targets;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string head = R"toml([model]
state = ["x"]
parameters = { F = { value = 0.5, lower = 0 }, sigma = { value = 1, lower = 0, upper = 2 } }
drift = { x = "F - x" }
diffusion = { x = "sigma" }
[observables]
m = "x"
v = "(x - 1)^2"
w = "x > 1"
[simulation]
members = 20
length = 50
)toml";

std::string table(const std::string& header) {
  std::string text = header + "\n";
  const std::vector<double> x = statistics::autoregressive(0.5, 2000, 1);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (i % 11 != 3) text += fmt::format("{},{},El Nino\n", i, i % 17 == 0 ? std::string() : fmt::format("{}", x[i]));
  return text;
}

struct Files {
  explicit Files(const std::string& rest, const std::string& header = "time,nino,words") {
    folder.file("data/n.csv", table(header));
    problem = folder.file("p.toml", head + rest);
  }
  Targets targets() const { return resolve_targets(read_problem(problem)); }
  std::string failure() const {
    return complaint<Error>([&] { targets(); });
  }
  TemporaryFolder folder;
  std::filesystem::path problem;
};

TEST(ResolveTargets, GivenValuesAreUsed) {
  const Targets targets = Files("[targets]\nw = { value = 0.3, std = 0.1 }\nm = { value = 1, std = 0.2 }\n").targets();
  EXPECT_THAT(targets.observables, ElementsAre("m", "w"));
  EXPECT_THAT(targets.value, ElementsAre(1, 0.3));
  EXPECT_DOUBLE_EQ(targets.standard_error(0), 0.2);
  EXPECT_DOUBLE_EQ(targets.standard_error(1), 0.1);
  EXPECT_EQ(targets.covariance[1], 0);
  EXPECT_EQ(targets.degrees_of_freedom, std::numeric_limits<double>::infinity());
  EXPECT_EQ(targets.source, "given");
}

TEST(ResolveTargets, ACovarianceFollowsTheOrderOfTheObservables) {
  const Targets targets = Files("[targets]\nw = 3\nm = 1\ncovariance = [[4, 1], [1, 9]]\n").targets();
  EXPECT_THAT(targets.observables, ElementsAre("m", "w"));
  EXPECT_THAT(targets.covariance, ElementsAre(9, 1, 1, 4));
}

TEST(ResolveTargets, DataProvideTheTargetsThatAreNotGiven) {
  const Targets targets =
      Files("[targets]\ndata = 'data/n.csv'\ncolumns = { x = 'nino' }\nv = { value = 7, std = 2 }\n").targets();
  EXPECT_THAT(targets.observables, ElementsAre("m", "v", "w"));
  EXPECT_EQ(targets.value[1], 7);
  EXPECT_EQ(targets.covariance[4], 4);
  EXPECT_EQ(targets.covariance[1], 0);
  EXPECT_GT(targets.covariance[2], 0);  // m and w are positively correlated
  EXPECT_NEAR(targets.value[0], 0, 4 * targets.standard_error(0));
  EXPECT_LT(targets.degrees_of_freedom, 300);
  EXPECT_EQ(targets.source, "given, and from 2000 rows of n.csv, 182 of them left out there");
  EXPECT_THAT(targets.remarks, IsEmpty());
}

TEST(ResolveTargets, ColumnsWithTheSameNameAreUsed) {
  EXPECT_EQ(Files("[targets]\ndata = 'data/n.csv'\n", "time,x,words").targets().size(), 3u);
  const Targets direct = Files("[targets]\ndata = 'data/n.csv'\n", "time,w,words").targets();
  EXPECT_THAT(direct.observables, ElementsAre("w"));
  EXPECT_EQ(direct.remarks.size(), 2u);
}

TEST(ResolveTargets, UnsuitableDataAreRejectedWithTheirPosition) {
  const std::string start = "[targets]\ndata = 'data/n.csv'\n";
  EXPECT_THAT(Files(start + "columns = { x = 'nina' }").failure(), HasSubstr("p.toml:14:9: The file '"));
  EXPECT_THAT(Files(start + "columns = { x = 'nina' }").failure(),
              HasSubstr("has no column 'nina', which x is bound to. Did you mean 'nino'? It has nino, words."));
  EXPECT_THAT(Files(start + "columns = { x = 'words' }").failure(), HasSubstr("n.csv:2:4: 'El Nino' in the column"));
  EXPECT_THAT(Files(start).failure(), HasSubstr("Bind one: columns = { x = \"...\" }. It has nino, words."));
  EXPECT_THAT(Files("[targets]\ndata = 'none.csv'\n").failure(), HasSubstr("p.toml:14:9: The file '"));
  EXPECT_THAT(Files("").failure(), HasSubstr("There are no targets"));
}

TEST(ResolveTargets, AReferenceRunProvidesTheTargetsThatAreNotGiven) {
  const Targets targets =
      Files("[targets]\nw = { value = 0.3, std = 0.1 }\n[targets.reference]\nparameters = { F = 1 }\n").targets();
  EXPECT_THAT(targets.observables, ElementsAre("m", "v", "w"));
  EXPECT_EQ(targets.value[2], 0.3);
  EXPECT_EQ(targets.covariance[2], 0);
  // <x> = F = 1, <(x − 1)²> = ½ up to the time-step bias of 0.0025: four standard errors.
  EXPECT_NEAR(targets.value[0], 1, 4 * targets.standard_error(0));
  EXPECT_NEAR(targets.value[1], 0.5, 4 * targets.standard_error(1) + 0.0025);
  EXPECT_EQ(targets.degrees_of_freedom, 19);
  EXPECT_EQ(targets.source, "given, and from a run of the model at F = 1");
}

TEST(ResolveTargets, AReferenceRunMayBeLonger) {
  const double once = Files("[targets.reference]\n").targets().standard_error(0);
  const double long_run = Files("[targets.reference]\nlength = 800\n").targets().standard_error(0);
  EXPECT_NEAR(long_run / once, 0.25, 0.2);  // each of the two is known to 16 %
}

TEST(FreeParameters, AreTheNamedOnesOrAllWithBoundsAndPriors) {
  const Problem some =
      parse_problem(head + "[calibration]\nfree = ['sigma']\npriors.sigma = { mean = 1, std = 3 }\n", "p");
  const std::vector<calibrate::FreeParameter> free = free_parameters(some);
  ASSERT_EQ(free.size(), 1u);
  EXPECT_EQ(free[0].upper, 2);
  EXPECT_EQ(free[0].prior->std, 3);
  EXPECT_EQ(free_parameters(parse_problem(head, "p")).size(), 2u);
}

// The sign of an amplitude has no effect: with the sign of its prior, the search starts on the side that the prior
// favours.
TEST(FreeParameters, ThatAreAmplitudesHaveTheSignOfTheirPrior) {
  const auto sigma = [](double guess, const std::string& table) {
    const std::string text = fmt::format(R"(
model.state = ["x"]
model.parameters = {{ F = 1, sigma = {{ value = {}, lower = -3 }} }}
model.drift = {{ x = "F - x" }}
model.diffusion = {{ x = "sigma" }}
{}
)",
                                         guess, table);
    return free_parameters(parse_problem(text, "p")).back();
  };
  const std::string positive = "calibration.priors.sigma = { mean = 0.1, std = 0.03 }\n";
  EXPECT_EQ(sigma(-0.5, positive).value, 0.5);
  EXPECT_EQ(sigma(-0.5, positive).lower, 0);
  EXPECT_EQ(sigma(0.5, positive).value, 0.5);
  EXPECT_EQ(sigma(-0.5, "").value, -0.5);
  EXPECT_EQ(sigma(-0.5, "").upper, 0);
  const std::string negative = "calibration.priors.sigma = { mean = -1, std = 1 }\n";
  EXPECT_EQ(sigma(2, negative).value, -2);
  EXPECT_EQ(sigma(4, negative).value, 4) << "-4 is below the lower bound";
}

TEST(FreeParameters, AtABoundAreRejectedWithTheirPosition) {
  std::string text = head;
  text.replace(text.find("value = 1,"), 10, "value = 2,");
  EXPECT_THAT(complaint<InputError>([&] { free_parameters(parse_problem(text, "p")); }),
              HasSubstr("p:3:48: The guess sigma = 2 is not inside its bounds"));
  EXPECT_EQ(free_parameters(parse_problem(text + "[calibration]\nfree = ['F']\n", "p")).size(), 1u);
}

}  // namespace
}  // namespace gfdt::problem
