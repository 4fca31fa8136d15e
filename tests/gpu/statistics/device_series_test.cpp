#include "gfdt/gpu/statistics/device_series.hpp"

#include <gmock/gmock.h>

#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::statistics {
namespace {

// Enough members that their sums are copied to the host in several parts.
TEST(DeviceSeries, OnADeviceManyMembersHaveTheSumsOfTheHost) {
  std::string missing;
  if (!gpu::Device::find(&missing)) GTEST_SKIP() << missing;
  symbolic::Description description;
  description.state("x", "-x", "0.7").observable("m", "x").observable("q", "x^2");
  const symbolic::Model model = symbolic::build(description);
  simulate::Options options;
  options.dt = 0.1;
  options.members = 20000;
  options.length = 2.3;
  options.burn_in = 0.1;
  options.backend = codegen::Backend::interpreter;
  const EnsembleStatistics host = simulate_statistics(model, options);
  options.backend = codegen::Backend::cuda;
  const EnsembleStatistics device = simulate_statistics(model, options);
  constexpr double tolerance = 1e-6;  // normals on a device have 22 bits
  for (const auto of : {&EnsembleStatistics::observables, &EnsembleStatistics::monitored}) {
    ASSERT_EQ((device.*of).size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      const Average &there = (device.*of)[i], &here = (host.*of)[i];
      EXPECT_NEAR(there.mean, here.mean, tolerance);
      EXPECT_NEAR(there.standard_error / here.standard_error, 1, tolerance);
      EXPECT_NEAR(there.autocorrelation_time / here.autocorrelation_time, 1, tolerance);
    }
  }
  ASSERT_EQ(device.stationarity.drifts.size(), host.stationarity.drifts.size());
  for (std::size_t i = 0; i < host.stationarity.drifts.size(); ++i)
    EXPECT_NEAR(device.stationarity.drifts[i].change, host.stationarity.drifts[i].change, tolerance);
}

}  // namespace
}  // namespace gfdt::statistics
