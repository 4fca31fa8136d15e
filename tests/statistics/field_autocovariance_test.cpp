#include "gfdt/statistics/field_autocovariance.hpp"

#include <gmock/gmock.h>

#include "../simulate/recorder.hpp"
#include "gfdt/model/description.hpp"

namespace gfdt::statistics {
namespace {

model::Model pairs() {
  model::Description description;
  description.index("k", 3).index("j", 2).parameter("a", 2);
  description.state("X[k]", "-a*X[k] + X[k+1]", "1").state("Y[j,k]", "-Y[j,k] + X[k]", "0.5");
  return model::build(description);
}

class FieldAutocovarianceOf : public ::testing::TestWithParam<simulate::Precision> {};

// Against the definition, sums over all times and sites of a recorded run; 21 members leave lanes without one.
TEST_P(FieldAutocovarianceOf, SumsAreThoseOfTheDefinition) {
  const model::Model model = pairs();
  simulate::Options options;
  options.members = 21;
  options.length = 3;
  options.cadence = 3;
  options.precision = GetParam();
  options.backend = kernel::Backend::interpreter;
  const model::Field& X = model.states[0];
  const expression::Index j = model.indices[1];
  const auto y = expression::Expression::site("Y", {{j, 0}, {X.indices[0], 0}});
  FieldAutocovariance autocovariance(model, X, expression::sum(j, y) * X.self(), options, 5);
  simulate::Recorder recorder;
  simulate::Sink* const sinks[] = {&autocovariance, &recorder};
  simulate::run(model, options, sinks);

  const std::vector<LaggedSums> members = autocovariance.members();
  ASSERT_EQ(members.size(), 21U);
  const auto value = [&](std::size_t member, std::size_t n, std::size_t k) {
    return recorder.at(member, n, k) * (recorder.at(member, n, 3 + 2 * k) + recorder.at(member, n, 4 + 2 * k));
  };
  for (std::size_t member = 0; member < 21; ++member)
    for (std::size_t lag = 0; lag < 5; ++lag) {
      double product = 0, earlier = 0, count = 0;
      for (std::size_t n = 0; n + lag < recorder.samples(); ++n)
        for (std::size_t k = 0; k < 3; ++k) {
          product += value(member, n + lag, k) * value(member, n, k);
          earlier += value(member, n, k);
          count += 1;
        }
      const LaggedSums::Entry entry = members[member].entry(0, 0, lag, 0, 0);
      EXPECT_EQ(entry.count, count);
      EXPECT_NEAR(entry.product, product, 1e-4);
      EXPECT_NEAR(entry.earlier, earlier, 1e-4);
    }
}

INSTANTIATE_TEST_SUITE_P(Precisions, FieldAutocovarianceOf,
                         ::testing::Values(simulate::Precision::single_precision,
                                           simulate::Precision::double_precision));

}  // namespace
}  // namespace gfdt::statistics
