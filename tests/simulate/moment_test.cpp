// Checks that simulate::run takes the steps of the scheme with the documented random numbers, and that moments agree
// with exact values. For a random seed, each comparison of a sampled moment fails with probability 1e-4.
#include <gtest/gtest.h>

#include <cmath>

#include "gfdt/base/philox.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "recorder.hpp"
#include "step_expectation.hpp"

namespace gfdt::simulate {
namespace {

using statistics::Average;
using symbolic::build;
using symbolic::Description;
constexpr double coverage = 1 - 1e-4, deviations = 3.891;  // P(|Z| > 3.891) = 1e-4

Model shared_noise() {
  Description description;
  description.index("k", 3).state("u", "-u").state("X[k]", "-X[k] + 0.1*X[k-1]*u");
  drive(description, "u", {{"w1", "0.5 + 0.2*u"}, {"w2", "0.3*cos(u)"}});
  drive(description, "X", {{"own[k]", "1 + 0.3*X[k+1]"}, {"w1", "0.2*u"}});
  return build(description);
}

class Steps : public testing::TestWithParam<std::tuple<Scheme, codegen::Backend, Precision>> {};

// Noise j in step s of a member with m noises is normal number s m + j of its stream; signs are numbered likewise.
TEST_P(Steps, UseTheDocumentedRandomNumbers) {
  const auto [scheme, backend, precision] = GetParam();
  const Model model = shared_noise();
  const Options options{.dt = 0.1,
                        .members = 67,
                        .length = 2,
                        .burn_in = 0.5,
                        .scheme = scheme,
                        .precision = precision,
                        .seed = 77,
                        .threads = 2,
                        .backend = backend};
  const Recorder recorder = record(model, options);
  const StepExpectation reference(model, scheme, options.dt);
  ASSERT_EQ(recorder.samples(), 20u);
  const double tolerance = precision == Precision::double_precision ? 1e-6 : 1e-4;
  for (const std::uint32_t member : {0u, 1u, 63u, 66u}) {
    const codegen::Stream initial(options.seed, codegen::Purpose::initial, member);
    const codegen::Stream noise(options.seed, codegen::Purpose::noise, member);
    const codegen::Stream signs(options.seed, codegen::Purpose::signs, member);
    StepExpectation::State state;
    for (std::size_t row = 0; row < 4; ++row) state.push_back(initial.normal(row));
    for (std::size_t step = 0; step < 25; ++step) {
      std::vector<double> z, sign;
      for (std::size_t j = 0; j < reference.normals(); ++j) z.push_back(noise.normal(step * reference.normals() + j));
      for (std::size_t j = 0; j < reference.signs(); ++j) sign.push_back(signs.sign(step * reference.signs() + j));
      state = reference.step(state, z, sign);
      if (step < 5) continue;
      for (std::size_t row = 0; row < 4; ++row)
        ASSERT_NEAR(recorder.at(member, step - 5, row), state[row], tolerance) << "step " << step << " row " << row;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Steps,
                         testing::Combine(testing::Values(Scheme::euler_maruyama, Scheme::rk4, Scheme::weak2),
                                          testing::Values(codegen::Backend::interpreter, codegen::Backend::native),
                                          testing::Values(Precision::single_precision, Precision::double_precision)));

/// Stationary variance of the chain x' = R x + s N(0, 1).
double variance_of_chain(double r, double s) { return s * s / (1 - r * r); }

TEST(OrnsteinUhlenbeck, HasTheStationaryVarianceOfTheScheme) {
  const double alpha = 1.3, beta = 0.8;
  const Model model = build(ornstein_uhlenbeck(alpha, beta));
  for (const double dt : {0.9, 0.3}) {
    const double z = alpha * dt, noise = beta * std::sqrt(dt);
    const struct {
      Scheme scheme;
      double variance;
    } chains[] = {
        {Scheme::euler_maruyama, variance_of_chain(1 - z, noise)},
        {Scheme::rk4, variance_of_chain(1 - z + z * z / 2 - z * z * z / 6 + z * z * z * z / 24, noise)},
        {Scheme::weak2, variance_of_chain(1 - z + z * z / 2, noise * (1 - z / 2))},
    };
    EXPECT_NEAR(chains[0].variance, beta * beta / (2 * alpha) / (1 - z / 2), 1e-12);
    for (const auto& chain : chains) {
      const Options options{.dt = dt,
                            .members = 1024,
                            .length = 2000 * dt,
                            .scheme = chain.scheme,
                            .backend = codegen::Backend::interpreter};
      const auto result = statistics::simulate_statistics(model, options);
      const Average& x2 = result.observables.at(0);
      EXPECT_NEAR(x2.mean, chain.variance, x2.half_width(coverage)) << name(chain.scheme) << " " << dt;
      EXPECT_LT(x2.half_width(coverage), 0.01 * chain.variance);
    }
  }
}

/// Compares the mean of f over all members with the exact expectation for the scheme.
void expect_mean(const Recorder& recorder, const std::function<double(std::size_t member)>& f, double exact) {
  double sum = 0, squares = 0;
  const double n = static_cast<double>(recorder.members());
  for (std::size_t member = 0; member < recorder.members(); ++member) {
    const double value = f(member);
    sum += value;
    squares += value * value;
  }
  const double mean = sum / n, error = std::sqrt((squares / n - mean * mean) / n);
  EXPECT_NEAR(mean, exact, deviations * error);
  EXPECT_LT(error, 0.02 * std::abs(exact));
}

TEST(GeometricNoise, HasTheMomentsOfTheSchemeAtAFiniteTime) {
  Description description;
  description.state("x", "-0.5*x", "0.6*x");
  start_at(description, "x", 1);
  for (const Scheme scheme : {Scheme::euler_maruyama, Scheme::rk4, Scheme::weak2}) {
    const Options options{.dt = 0.25,
                          .members = 100000,
                          .length = 1,
                          .burn_in = 0,
                          .scheme = scheme,
                          .backend = codegen::Backend::interpreter};
    const Recorder recorder = record(build(description), options);
    const StepExpectation step(build(description), scheme, options.dt);
    ASSERT_EQ(recorder.samples(), 4u);
    for (const int moment : {1, 2}) {
      const double factor =
          step.expectation({1}, [&](const StepExpectation::State& x) { return std::pow(x[0], moment); });
      expect_mean(
          recorder, [&](std::size_t m) { return std::pow(recorder.at(m, 3, 0), moment); }, std::pow(factor, 4));
    }
  }
}

TEST(SharedNoise, HasTheMomentsOfTheSchemeAfterAStep) {
  Description description;
  description.state("x", "-0.6*x + 0.4*y").state("y", "-0.3*x - 0.8*y");
  drive(description, "x", {{"w1", "0.3*x + 0.5*y"}, {"w2", "0.1*x - 0.3*y"}});
  drive(description, "y", {{"w1", "-0.2*x + 0.1*y"}, {"w2", "0.6*x + 0.4*y"}});
  start_at(description, "x", 1);
  start_at(description, "y", 0.5);
  const Model model = build(description);
  const Options options{.dt = 0.5,
                        .members = 100000,
                        .length = 0.5,
                        .burn_in = 0,
                        .scheme = Scheme::weak2,
                        .backend = codegen::Backend::interpreter};
  const Recorder recorder = record(model, options);
  const StepExpectation step(model, Scheme::weak2, options.dt);
  for (const auto& [i, j] : {std::pair{0, 0}, {0, 1}, {1, 1}}) {
    const auto f = [i = static_cast<std::size_t>(i), j = static_cast<std::size_t>(j)](double x, double y) {
      return (i == 0 ? x : y) * (j == 0 ? x : y);
    };
    expect_mean(
        recorder, [&](std::size_t m) { return f(recorder.at(m, 0, 0), recorder.at(m, 0, 1)); },
        step.expectation({1, 0.5}, [&](const StepExpectation::State& x) { return f(x[0], x[1]); }));
  }
}

}  // namespace
}  // namespace gfdt::simulate
