#include "gfdt/control_variate/fit/soundness.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "../symbolic/model/paper_models.hpp"
#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/control_variate/fit/spreads.hpp"

namespace gfdt::control_variate {
namespace {

symbolic::Model linear() {
  symbolic::Description d;
  d.parameter("a", 1).state("x", "-a*x", "1");
  return build(d.observable("high", "x > 0.5"));
}

/// Independent samples of the stationary distribution N(0, ½), in 32 groups; values above `end` are drawn again.
score::Samples normal_below(double end, std::uint64_t seed) {
  score::Samples samples{{1, 1}, {"x"}, {}, {}};
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal(0, std::sqrt(0.5));
  for (int i = 0; i < 32 * 500; ++i) {
    double x = normal(generator);
    while (x > end) x = normal(generator);
    samples.values.push_back(x);
    samples.group.push_back(i / 500);
  }
  return samples;
}

std::vector<double> inflations_of(const score::Samples& samples) {
  const symbolic::Model model = linear();
  std::vector<Coordinate> coordinates = coordinates_of(model);
  std::vector<Spread> spreads = spreads_of(model, coordinates, samples);
  const Dictionary dictionary = make_dictionary(model, std::move(coordinates), std::move(spreads), 50);
  const DictionaryValues values(model, dictionary, {});
  const SampleSums sums = sum_samples(samples, values, targets_of(observables_of(model, {}), 1), true, {.threads = 1});
  return inflations(sums, 0, dictionary.sizes);
}

// By chance T² is this large for one set of functions in 250, and thus for at least one of the sets in about one sample
// of 80. Three of 20 have a probability of 0.2 %.
TEST(Inflations, AreAbsentIfTheDistributionIsFullySampled) {
  int inflated = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<double> found = inflations_of(normal_below(9, seed));
    inflated += *std::max_element(found.begin(), found.begin() + 3) > 2;
  }
  EXPECT_LT(inflated, 3);
}

// One state in 400 is missing, which shifts the mean of L x² by more than its standard errors.
TEST(Inflations, AreLargeIfStatesAreMissing) {
  const std::vector<double> found = inflations_of(normal_below(2, 1));
  EXPECT_GT(found.back(), 5);
  EXPECT_GT(found.back(), found.front());
}

// P(x > ½) = ½ erfc(½). For the truncated distribution the fits leave almost no residual; the result must be within 4
// standard errors.
TEST(Inflations, KeepStandardErrorsValidIfStatesAreMissing) {
  const symbolic::Model model = linear();
  Request request{.model = model, .observables = 1, .values = observables_of(model, {})};
  request.threads = 1;
  const ControlVariate fit = fit_control_variate(request, normal_below(2, 2));
  EXPECT_LT(std::abs(fit.statistics[0].value - 0.5 * std::erfc(0.5)), 4 * fit.statistics[0].standard_error);
}

}  // namespace
}  // namespace gfdt::control_variate
