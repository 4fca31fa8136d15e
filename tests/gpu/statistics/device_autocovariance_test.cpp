#include "gfdt/gpu/statistics/device_autocovariance.hpp"

#include <gmock/gmock.h>

#include "gfdt/gpu/codegen/device_source.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::statistics {
namespace {

constexpr std::size_t sites = 3, samples = 23, blocks = 2;
constexpr auto lanes = static_cast<std::size_t>(codegen::device_lanes);

/// x² + 10 at the sites of a ring.
DevicePlan squares() {
  symbolic::Description description;
  description.index("k", static_cast<int>(sites)).state("x[k]", "-x[k]", "1");
  const symbolic::Model model = symbolic::build(description);
  const symbolic::Expression x = model.states[0].self();
  return {codegen::lower(codegen::EvaluationPlan{
              model.indices, model.states, {{{"square", model.states[0].indices}, x * x + 10}}}),
          {}};
}

double state(std::size_t block, std::size_t sample, std::size_t site, std::size_t lane) {
  return std::sin(0.7 * static_cast<double>(sample) + static_cast<double>(lane)) + 0.3 * static_cast<double>(site) -
         0.1 * static_cast<double>(block);
}

/// Compares with sums computed from the definition. Records have `in_record` samples, of which `at_once` fit into
/// memory.
void expect_sums(std::size_t lags, std::size_t in_record, std::size_t at_once) {
  const gpu::Device& device = *gpu::Device::find();
  const std::size_t room = at_once * blocks * lanes * (sites + 1) * sizeof(double);
  DeviceAutocovariance autocovariance(device, squares(), simulate::Precision::double_precision, blocks, samples, lags,
                                      room);
  const std::size_t stride = (in_record + 1) * sites * lanes;
  for (std::size_t first = 0; first < samples; first += in_record) {
    const std::size_t count = std::min(in_record, samples - first);
    std::vector<double> record(blocks * stride, std::nan(""));
    for (std::size_t b = 0; b < blocks; ++b)
      for (std::size_t n = 0; n < count; ++n)
        for (std::size_t k = 0; k < sites; ++k)
          for (std::size_t lane = 0; lane < lanes; ++lane)
            record[b * stride + (n * sites + k) * lanes + lane] = state(b, first + n, k, lane);
    gpu::Memory memory(device, record.size() * sizeof(double));
    device.upload(std::span<const double>(record), memory.address());
    autocovariance.add({memory.address(), first, count, stride});
  }
  const auto sums = autocovariance.sums(2);
  ASSERT_EQ(sums.size(), blocks);
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t lag = 0; lag < lags; ++lag) {
        double product = 0, later = 0, earlier = 0, number = 0;
        for (std::size_t n = 0; n + lag < samples; ++n)
          for (std::size_t k = 0; k < sites; ++k) {
            const double before = std::pow(state(b, n, k, lane), 2) + 10,
                         now = std::pow(state(b, n + lag, k, lane), 2) + 10;
            product += now * before;
            later += now;
            earlier += before;
            ++number;
          }
        const LaggedSums::Entry entry = sums[b].at(lane).entry(0, 0, lag, 0, 0);
        ASSERT_EQ(entry.count, number) << lag;
        ASSERT_NEAR(entry.product, product, 1e-9) << lag;
        ASSERT_NEAR(entry.later, later, 1e-10) << lag;
        ASSERT_NEAR(entry.earlier, earlier, 1e-10) << lag;
      }
}

TEST(DeviceAutocovariance, OnADeviceSumsDoNotDependOnHowSamplesCome) {
  std::string missing;
  if (!gpu::Device::find(&missing)) GTEST_SKIP() << missing;
  for (const std::size_t lags : {1, 2, 9, 30})
    for (const std::size_t in_record : {1, 7, 23})
      for (const std::size_t at_once : {1, 5, 100}) expect_sums(lags, in_record, at_once);
}

TEST(DeviceAutocovariance, ManyLagsAreLeftToTheHost) {
  EXPECT_TRUE(DeviceAutocovariance::suits(squares(), 1000));
  EXPECT_FALSE(DeviceAutocovariance::suits(squares(), 10000));
  EXPECT_FALSE(DeviceAutocovariance::suits({}, 10));
}

}  // namespace
}  // namespace gfdt::statistics
