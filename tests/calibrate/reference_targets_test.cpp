#include "gfdt/calibrate/targets/reference_targets.hpp"

#include <gmock/gmock.h>

#include "../temporary_folder.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::calibrate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const symbolic::Model& process() {
  static const symbolic::Model model = symbolic::build(symbolic::Description()
                                                           .parameter("F", 1)
                                                           .state("x", "F - x", "1")
                                                           .observable("m", "x")
                                                           .observable("v", "(x - F)^2")
                                                           .observable("far", "x > 100"));
  return model;
}

simulate::Options short_runs() {
  return {.dt = 0.01,
          .members = 40,
          .length = 100,
          .scheme = simulate::Scheme::weak2,
          .backend = codegen::Backend::interpreter};
}

TEST(ReferenceTargets, AreTheStatisticsOfTheModel) {
  const Targets targets = reference_targets(process(), short_runs());
  EXPECT_THAT(targets.observables, ElementsAre("m", "v"));
  EXPECT_EQ(targets.problem(), "");
  EXPECT_EQ(targets.degrees_of_freedom, 39);
  // Four standard errors: a false-alarm rate of 2e-4 each.
  EXPECT_NEAR(targets.value[0], 1, 4 * targets.standard_error(0));
  EXPECT_NEAR(targets.value[1], 0.5, 4 * targets.standard_error(1));
  EXPECT_THAT(targets.remarks, ElementsAre(HasSubstr("'far' has no target")));
}

TEST(ReferenceTargets, HaveRandomNumbersOfTheirOwn) {
  simulate::Options options = short_runs();
  const Targets targets = reference_targets(process(), options);
  EXPECT_NE(targets.value[0], statistics::simulate_statistics(process(), options).observables[0].mean);
  EXPECT_EQ(targets.value, reference_targets(process(), options).value);
  options.seed = 2;
  EXPECT_NE(targets.value[0], reference_targets(process(), options).value[0]);
}

TEST(ReferenceTargets, RejectARunThatCannotBeUsed) {
  const symbolic::Model model = symbolic::build(symbolic::Description().state("x", "x^3", "1").observable("m", "x"));
  EXPECT_THAT(complaint<Error>([&] { reference_targets(model, short_runs()); }), HasSubstr("cannot be used. "));
}

}  // namespace
}  // namespace gfdt::calibrate
