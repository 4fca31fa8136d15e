// A run is a function of the model and the options; threads, sinks and cadence do not affect it.
#include <gtest/gtest.h>

#include <cmath>

#include "gfdt/statistics/statistics_sink.hpp"
#include "recorder.hpp"

namespace gfdt::simulate {
namespace {

using symbolic::build;
using symbolic::Description;
using symbolic::Model;

Model ring() {
  Description description;
  description.index("k", 5).state("X[k]", "X[k-1]*(X[k+1] - X[k-2]) - X[k] + 3", "0.5 + 0.1*X[k]");
  description.observable("energy", "mean(k, X[k]^2)").observable("high", "mean(k, X[k] > 2)");
  return build(description);
}

class Replay : public testing::TestWithParam<std::tuple<Precision, codegen::Backend>> {
 protected:
  Options options() const {
    return {.dt = 0.02,
            .members = 300,
            .length = 4,
            .burn_in = 1,
            .scheme = Scheme::weak2,
            .precision = std::get<0>(GetParam()),
            .seed = 5,
            .threads = 2,
            .backend = std::get<1>(GetParam())};
  }
};

TEST_P(Replay, IsBitIdenticalOnAnyNumberOfThreads) {
  Options options = this->options();
  const Model model = ring();
  std::vector<std::vector<double>> paths, means;
  for (const int threads : {1, 2, 3, 8}) {
    options.threads = threads;
    Recorder recorder;
    statistics::StatisticsSink statistics(model, options);
    Sink* sinks[] = {&recorder, &statistics};
    run(model, options, sinks);
    if (threads == 1) {
      paths = recorder.paths();
      means = statistics.member_means();
      ASSERT_EQ(paths.size(), 300u);
    }
    EXPECT_EQ(recorder.paths(), paths) << threads;
    EXPECT_EQ(statistics.member_means(), means) << threads;
  }
}

TEST_P(Replay, WithCadenceThreeIsTheSameTrajectory) {
  Options options = this->options();
  const Model model = ring();
  const Recorder all = record(model, options);
  options.cadence = 3;
  const Recorder third = record(model, options);
  ASSERT_EQ(all.samples(), 200u);
  ASSERT_EQ(third.samples(), 66u);
  for (std::size_t member = 0; member < 300; ++member)
    for (std::size_t sample = 0; sample < 66; ++sample)
      for (std::size_t row = 0; row < 5; ++row)
        ASSERT_EQ(third.at(member, sample, row), all.at(member, 3 * sample + 2, row));
}

TEST_P(Replay, WithALongCadenceIsTheSameTrajectory) {
  Options options = this->options();
  options.members = 3;
  options.length = 40;
  const Recorder all = record(ring(), options);
  options.cadence = 900;  // longer than the segments between stability checks
  const Recorder few = record(ring(), options);
  ASSERT_EQ(few.samples(), 2u);
  for (std::size_t sample = 0; sample < 2; ++sample)
    for (std::size_t row = 0; row < 5; ++row) EXPECT_EQ(few.at(2, sample, row), all.at(2, 900 * sample + 899, row));
}

TEST_P(Replay, ALongerRunStartsWithTheShorterOne) {
  Options options = this->options();
  const Model model = ring();
  const Recorder shorter = record(model, options);
  options.length = 6.5;
  const Recorder longer = record(model, options);
  for (std::size_t member = 0; member < 300; ++member) {
    const std::vector<double>& path = shorter.path(member);
    EXPECT_TRUE(std::equal(path.begin(), path.end(), longer.path(member).begin()));
  }
}

TEST_P(Replay, ADifferentBurnInShiftsTheSameTrajectory) {
  Options options = this->options();
  const Recorder early = record(ring(), options);
  options.burn_in = 2;
  const Recorder late = record(ring(), options);
  for (std::size_t sample = 0; sample < 150; ++sample) EXPECT_EQ(late.at(7, sample, 2), early.at(7, sample + 50, 2));
}

TEST_P(Replay, ALargerEnsembleContainsTheSmallerOne) {
  Options options = this->options();
  const Recorder large = record(ring(), options);
  for (const int members : {1, 17, 64}) {
    options.members = members;
    const Recorder small = record(ring(), options);
    ASSERT_EQ(small.members(), static_cast<std::size_t>(members));
    for (std::size_t member = 0; member < small.members(); ++member)
      EXPECT_EQ(small.path(member), large.path(member)) << member;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Replay,
                         testing::Combine(testing::Values(Precision::single_precision, Precision::double_precision),
                                          testing::Values(codegen::Backend::interpreter, codegen::Backend::native)));

// Correlations of white-noise chains x' = noise (dt = 1 / alpha) between members, steps and seeds. Each of the five has
// variance 1/n and, for a random seed, exceeds its threshold with probability 1e-5.
TEST(Ensemble, HasIndependentMembersStepsAndSeeds) {
  const Model model = build(ornstein_uhlenbeck(1, 1));
  Options options{
      .dt = 1, .members = 512, .length = 500, .burn_in = 5, .seed = 9, .backend = codegen::Backend::interpreter};
  const Recorder a = record(model, options);
  options.seed = 10;
  const Recorder b = record(model, options);
  const auto expect_uncorrelated = [&](const Recorder& other, std::size_t members_apart, std::size_t steps_apart) {
    double sum = 0, n = 0;
    for (std::size_t member = 0; member + members_apart < 512; ++member)
      for (std::size_t step = 0; step + steps_apart < 500; ++step, ++n)
        sum += a.at(member, step, 0) * other.at(member + members_apart, step + steps_apart, 0);
    EXPECT_LT(std::abs(sum / n), 4.417 / std::sqrt(n)) << members_apart << " members, " << steps_apart << " steps";
  };
  expect_uncorrelated(a, 1, 0);
  expect_uncorrelated(a, 64, 0);
  expect_uncorrelated(a, 0, 1);
  expect_uncorrelated(b, 0, 0);
  expect_uncorrelated(b, 1, 1);
}

}  // namespace
}  // namespace gfdt::simulate
