#include "gfdt/statistics/observed_functions.hpp"

#include <gmock/gmock.h>

#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::statistics {
namespace {

using testing::DoubleNear;

class ObservedFunctionsTest : public testing::TestWithParam<simulate::Precision> {};

TEST_P(ObservedFunctionsTest, AFunctionHasTheStatisticsOfItsFormula) {
  symbolic::Description description;
  description.state("x", "-x + y/2", "1").state("y", "-y", "1");
  description.observable("product", "x*y");
  const ObservedFunctions functions{{"by a function", [](const double* states, std::size_t count, double* values) {
                                       for (std::size_t i = 0; i < count; ++i)
                                         values[i] = states[2 * i] * states[2 * i + 1];
                                     }}};
  const symbolic::Model model = with_functions(symbolic::build(description), functions);
  simulate::Options options{.dt = 0.05, .members = 10, .length = 20};
  options.precision = GetParam();
  options.backend = codegen::Backend::interpreter;
  const EnsembleStatistics found = simulate_statistics(model, simulate::ModelSource(model, options), {}, {}, functions);
  ASSERT_EQ(found.observables.size(), 2u);
  EXPECT_EQ(found.observables[1].name, "by a function");
  EXPECT_NE(found.observables[0].mean, 0.0);
  EXPECT_THAT(found.observables[1].mean, DoubleNear(found.observables[0].mean, 1e-6));
  EXPECT_THAT(found.observables[1].standard_error, DoubleNear(found.observables[0].standard_error, 1e-6));
}

INSTANTIATE_TEST_SUITE_P(Precisions, ObservedFunctionsTest,
                         testing::Values(simulate::Precision::single_precision, simulate::Precision::double_precision));

}  // namespace
}  // namespace gfdt::statistics
