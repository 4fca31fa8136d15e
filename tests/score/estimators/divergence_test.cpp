#include "gfdt/score/fields/divergence.hpp"

#include <gmock/gmock.h>

#include "field_checks.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/score/fields/callable_field.hpp"
#include "gfdt/score/fields/probes.hpp"

namespace gfdt::score {
namespace {

/// s_i = −x_i³/3 + c x_{i+1}, so that ∇·s = −|x|² and the rest of the Jacobian is c.
class Cubic : public CallableField {
 public:
  Cubic(int dimension, double c, int probes)
      : CallableField(
            dimension,
            [c](std::span<const double> x, std::span<double> s) {
              for (std::size_t i = 0; i < x.size(); ++i) s[i] = -x[i] * x[i] * x[i] / 3 + c * x[(i + 1) % x.size()];
            },
            [c](std::span<const double> x, std::span<const double> v, std::span<double> sv) {
              for (std::size_t i = 0; i < x.size(); ++i) sv[i] = -x[i] * x[i] * v[i] + c * v[(i + 1) % x.size()];
            }),
        probes_(probes) {}
  int probes() const override { return probes_; }

 private:
  int probes_;
};

double minus_mean_square(const Samples& samples) {
  double total = 0;
  for (const double value : samples.values) total -= value * value;
  return total / static_cast<double>(samples.size());
}

TEST(Divergence, IsTheMeanTraceOfAnExactJacobian) {
  const Samples samples = normal_samples({3, 1}, 1000);
  const Divergence divergence = divergence_of(Cubic(3, 0.5, 0), samples);
  EXPECT_NEAR(divergence.mean, minus_mean_square(samples), 1e-12);
  EXPECT_EQ(divergence.probe_error, 0);
  EXPECT_EQ(divergence.probes, 0);
}

// The samples are independent: the standard error is that of a mean of 1000 chi-squared numbers with 3 degrees of
// freedom, √(6/1000), estimated from 100 groups to 1/√200 of its value; the bound is 5 of these.
TEST(Divergence, HasTheStandardErrorOfIndependentGroups) {
  const Divergence divergence = divergence_of(Cubic(3, 0.5, 0), normal_samples({3, 1}, 1000));
  EXPECT_NEAR(divergence.standard_error, std::sqrt(6.0 / 1000), 5 * std::sqrt(6.0 / 1000 / 200));
  EXPECT_LT(std::abs(divergence.mean + 3), 4.9 * divergence.standard_error);
}

TEST(Divergence, CountsIdenticalSamplesOfAGroupOnce) {
  Samples samples = normal_samples({2, 1}, 400);
  for (std::size_t i = 0; i < 400; ++i)
    for (std::size_t c = 0; c < 2; ++c) samples.values[2 * i + c] = samples.values[2 * (i / 10 * 10) + c];
  const Divergence divergence = divergence_of(Cubic(2, 0, 0), samples);
  double variance = 0;
  for (std::size_t g = 0; g < 40; ++g) {
    const double* x = samples[10 * g];
    const double deviation = -x[0] * x[0] - x[1] * x[1] - divergence.mean;
    variance += deviation * deviation / 39;
  }
  EXPECT_NEAR(divergence.standard_error, std::sqrt(variance / 40), 1e-12);
}

// A probe adds Σ_i c v_i v_{i+1} to the trace of each sample, which has the variance 4c² in four dimensions.
TEST(Divergence, ReportsTheErrorDueToProbes) {
  const Samples samples = normal_samples({4, 1}, 2000);
  const Divergence exact = divergence_of(Cubic(4, 3, 0), samples);
  const Divergence probed = divergence_of(Cubic(4, 3, 4), samples);
  EXPECT_EQ(probed.probes, 4);
  const double expected = std::sqrt(4 * 9.0 / (4 * 2000));
  EXPECT_NEAR(probed.probe_error, expected, 0.1 * expected);
  EXPECT_LT(std::abs(probed.mean - exact.mean), 4.9 * expected);
  EXPECT_GT(std::abs(probed.mean - exact.mean), 0);
  EXPECT_GT(probed.standard_error, probed.probe_error);
}

TEST(Divergence, UsesAtLeastTwoProbes) {
  const Divergence divergence = divergence_of(Cubic(4, 3, 1), normal_samples({4, 1}, 500));
  EXPECT_EQ(divergence.probes, 2);
  EXPECT_GT(divergence.probe_error, 0);
}

TEST(Divergence, IsTheSameOnAnyNumberOfThreads) {
  const Samples samples = normal_samples({4, 1}, 1000);
  const Divergence one = divergence_of(Cubic(4, 3, 4), samples, 1), three = divergence_of(Cubic(4, 3, 4), samples, 3);
  EXPECT_EQ(one.mean, three.mean);
  EXPECT_EQ(one.standard_error, three.standard_error);
  EXPECT_EQ(one.probe_error, three.probe_error);
}

TEST(Divergence, OfOneGroupHasNoKnownError) {
  Samples samples = normal_samples({2, 1}, 50);
  samples.group.assign(50, 0);
  EXPECT_TRUE(std::isinf(divergence_of(Cubic(2, 0, 0), samples).standard_error));
  EXPECT_THROW(divergence_of(Cubic(2, 0, 0), normal_samples({2, 1}, 0)), Error);
}

}  // namespace
}  // namespace gfdt::score
