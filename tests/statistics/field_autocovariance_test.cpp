#include "gfdt/statistics/series/field_autocovariance.hpp"

#include <gmock/gmock.h>

#include "../simulate/recorder.hpp"
#include "gfdt/gpu/codegen/device_source.hpp"
#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/gpu/simulate/device_sink.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::statistics {
namespace {

symbolic::Model pairs() {
  symbolic::Description description;
  description.index("k", 3).index("j", 2).parameter("a", 2);
  description.state("X[k]", "-a*X[k] + X[k+1]", "1").state("Y[j,k]", "-Y[j,k] + X[k]", "0.5");
  return symbolic::build(description);
}

// Compares with the definition, sums over all times and sites of a recorded run. With 21 members, some lanes are
// unused.
void expect_sums_of_the_definition(simulate::Precision precision, codegen::Backend backend) {
  const symbolic::Model model = pairs();
  simulate::Options options;
  options.members = 21;
  options.length = 3;
  options.cadence = 3;
  options.precision = precision;
  options.backend = backend;
  const symbolic::Field& X = model.states[0];
  const symbolic::Index j = model.indices[1];
  const auto y = symbolic::Expression::site("Y", {{j, 0}, {X.indices[0], 0}});
  FieldAutocovariance autocovariance(model, X, symbolic::sum(j, y) * X.self(), options, 5);
  if (backend == codegen::Backend::cuda) {
    const simulate::Block block{0, codegen::device_lanes, {0}, {}};
    EXPECT_NE(autocovariance.open_on_device(*gpu::Device::find(), std::span(&block, 1), precision), nullptr);
  }
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
      double product = 0, later = 0, earlier = 0, count = 0;
      for (std::size_t n = 0; n + lag < recorder.samples(); ++n)
        for (std::size_t k = 0; k < 3; ++k) {
          product += value(member, n + lag, k) * value(member, n, k);
          later += value(member, n + lag, k);
          earlier += value(member, n, k);
          count += 1;
        }
      const LaggedSums::Entry entry = members[member].entry(0, 0, lag, 0, 0);
      EXPECT_EQ(entry.count, count);
      EXPECT_NEAR(entry.product, product, 1e-4);
      EXPECT_NEAR(entry.later, later, 1e-4);
      EXPECT_NEAR(entry.earlier, earlier, 1e-4);
    }
}

class FieldAutocovarianceOf : public ::testing::TestWithParam<simulate::Precision> {};

TEST_P(FieldAutocovarianceOf, SumsAgreeWithTheDefinition) {
  expect_sums_of_the_definition(GetParam(), codegen::Backend::interpreter);
}

TEST_P(FieldAutocovarianceOf, SumsOnADeviceAgreeWithTheDefinition) {
  std::string missing;
  if (!gpu::Device::find(&missing)) GTEST_SKIP() << missing;
  expect_sums_of_the_definition(GetParam(), codegen::Backend::cuda);
}

/// Expects that runs on the host and on a device agree; the memory of the device may be limited to `bytes`.
void expect_agreement(simulate::Precision precision, double length, const char* bytes) {
  const symbolic::Model model = pairs();
  const symbolic::Field& X = model.states[0];
  std::vector<LaggedSums> found[2];
  for (const bool on_device : {false, true}) {
    simulate::Options options;
    options.members = 150;
    options.length = length;
    options.cadence = 1;
    options.precision = precision;
    options.backend = on_device ? codegen::Backend::cuda : codegen::Backend::interpreter;
    FieldAutocovariance autocovariance(model, X, X.self() + 3, options, 40);
    simulate::Sink* const sinks[] = {&autocovariance};
    if (bytes) ::setenv("GFDT_EMULATED_BYTES", bytes, 1);
    const simulate::Summary run = simulate::run(model, options, sinks);
    ::unsetenv("GFDT_EMULATED_BYTES");
    EXPECT_EQ(run.backend.notice.empty(), !(bytes && on_device)) << run.backend.notice;
    found[on_device] = autocovariance.members();
    ASSERT_EQ(found[on_device].size(), 150u);
  }
  constexpr double tolerance = 1e-6;  // the normal random numbers of a device have 22 bits
  for (std::size_t member = 0; member < 150; ++member)
    for (std::size_t lag = 0; lag < 40; ++lag) {
      const LaggedSums::Entry host = found[0][member].entry(0, 0, lag, 0, 0),
                              device = found[1][member].entry(0, 0, lag, 0, 0);
      ASSERT_EQ(device.count, host.count);
      EXPECT_NEAR(device.product, host.product, tolerance * (1 + std::abs(host.product)));
      EXPECT_NEAR(device.later, host.later, tolerance * (1 + std::abs(host.later)));
      EXPECT_NEAR(device.earlier, host.earlier, tolerance * (1 + std::abs(host.earlier)));
    }
}

TEST_P(FieldAutocovarianceOf, RunsOnADeviceAgreeWithTheHost) {
  std::string missing;
  if (!gpu::Device::find(&missing)) GTEST_SKIP() << missing;
  expect_agreement(GetParam(), 20, nullptr);
  expect_agreement(GetParam(), 0.1, nullptr);  // shorter than the longest lag
}

TEST_P(FieldAutocovarianceOf, RunsInPartsOnADeviceWithLittleMemory) {
  const gpu::Device* const device = gpu::Device::find();
  if (!device || device->name() != "emulated GPU") GTEST_SKIP() << "needs a GPU that can be made small";
  expect_agreement(GetParam(), 5, "300000");
}

INSTANTIATE_TEST_SUITE_P(Precisions, FieldAutocovarianceOf,
                         ::testing::Values(simulate::Precision::single_precision,
                                           simulate::Precision::double_precision));

}  // namespace
}  // namespace gfdt::statistics
