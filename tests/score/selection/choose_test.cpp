#include "gfdt/score/selection/choose.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "../../symbolic/model/paper_models.hpp"
#include "../estimators/field_checks.hpp"

namespace gfdt::score {
namespace {

using score::complaint;
using symbolic::build;
using testing::HasSubstr;

TEST(AutomaticChoice, IsExactIfTheScoreIsKnown) {
  symbolic::Description linear;
  linear.state("x", "-2*x + y", "1").state("y", "-x - y", "0.5");
  EXPECT_EQ(choose(build(linear), {.method = Method::automatic}).method, Method::exact);
  symbolic::Description well;
  well.state("x", "x - x^3", "1");
  EXPECT_EQ(choose(build(well), {.method = Method::automatic}).method, Method::exact);
}

TEST(AutomaticChoice, IsKgmmInFewDimensionsPatchOnARingOtherwiseDenoising) {
  EXPECT_EQ(choose(build(symbolic::triad()), {.method = Method::automatic}).method, Method::kgmm);
  EXPECT_EQ(choose(build(symbolic::lorenz96(8)), {.method = Method::automatic}).method, Method::patch);
  symbolic::Description many;
  for (const char* name : {"a", "b", "c", "d", "e"}) many.state(name, fmt::format("-{0}^3", name), "1");
  const Choice choice = choose(build(many), {.method = Method::automatic});
  EXPECT_EQ(choice.method, Method::dsm);
  EXPECT_THAT(choice.reason, HasSubstr("5 dimensions"));
}

TEST(AskedFor, MethodsAreRejectedIfUnsuitableForTheModel) {
  const symbolic::Model triad = build(symbolic::triad());
  EXPECT_EQ(choose(triad, {.method = Method::gaussian}).method, Method::gaussian);
  EXPECT_THAT(complaint([&] { choose(triad, {.method = Method::unet}); }), HasSubstr("fields over one index"));
  EXPECT_THAT(complaint([&] { choose(triad, {.method = Method::patch}); }), HasSubstr("fields over one index"));
  EXPECT_THAT(complaint([&] { choose(triad, {.method = Method::exact}); }), HasSubstr("no exact score"));
}

TEST(AskedFor, ScoresAreRejectedIfTheDistributionDependsOnTime) {
  symbolic::Description forced;
  forced.state("x", "-x + cos(t)", "1");
  forced.period = 6.28;
  for (const Method method : {Method::automatic, Method::exact, Method::gaussian, Method::kgmm})
    EXPECT_THAT(complaint([&] { choose(build(forced), {.method = method}); }), HasSubstr("depends on time"));
}

TEST(ScoreOptions, ReportInvalidValues) {
  EXPECT_EQ(Options{}.problem(), "");
  EXPECT_THAT(Options{.samples = 5}.problem(), HasSubstr("samples"));
  EXPECT_THAT(Options{.noise = 0.0}.problem(), HasSubstr("noise"));
  EXPECT_THAT(Options{.noise = -0.1}.problem(), HasSubstr("noise"));
  EXPECT_THAT(Options{.hidden = std::vector<int>{}}.problem(), HasSubstr("hidden"));
  EXPECT_THAT(Options{.epochs = 0}.problem(), HasSubstr("epochs"));
  EXPECT_THAT(Options{.rate = 2.0}.problem(), HasSubstr("rate"));
  EXPECT_THAT(Options{.probes = 0}.problem(), HasSubstr("probes"));
  EXPECT_EQ(method_named("kgmm"), Method::kgmm);
  EXPECT_FALSE(method_named("kgm"));
  for (const std::string& known : method_names()) EXPECT_EQ(name(*method_named(known)), known);
}

}  // namespace
}  // namespace gfdt::score
