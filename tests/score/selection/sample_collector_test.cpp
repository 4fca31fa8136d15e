#include "gfdt/score/selection/sample_collector.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <map>
#include <set>

#include "../../simulate/recorder.hpp"
#include "../../symbolic/model/paper_models.hpp"
#include "../estimators/field_checks.hpp"
#include "gfdt/base/error.hpp"

namespace gfdt::score {
namespace {

using score::complaint;
using simulate::Options;
using symbolic::build;
using testing::AllOf;
using testing::HasSubstr;

TEST(Arrangement, IsARingIfAllStatesShareOneIndex) {
  const Arrangement ring = arrangement_of(build(symbolic::lorenz96(8)));
  EXPECT_EQ(ring.fields, 1);
  EXPECT_EQ(ring.sites, 8);
  EXPECT_FALSE(arrangement_of(build(symbolic::triad())).lattice());
  EXPECT_EQ(arrangement_of(build(symbolic::triad())).dimension(), 3);
  EXPECT_FALSE(arrangement_of(build(symbolic::two_scale_lorenz96())).lattice());
  EXPECT_EQ(arrangement_of(build(symbolic::two_scale_lorenz96())).dimension(), 396);
  symbolic::Description two;
  two.index("k", 4).state("X[k]", "-X[k]", "1").state("Y[k]", "-Y[k]", "1");
  EXPECT_EQ(arrangement_of(build(two)).fields, 2);
  EXPECT_EQ(arrangement_of(build(two)).sites, 4);
  two.state("u", "-u", "1");
  EXPECT_EQ(arrangement_of(build(two)).sites, 1);
}

class CollectedInPrecision : public testing::TestWithParam<simulate::Precision> {};

TEST_P(CollectedInPrecision, SamplesAreThoseOfTheRun) {
  const symbolic::Model model = build(symbolic::triad());
  const Options options{.dt = 0.01,
                        .members = 70,
                        .length = 3,
                        .burn_in = 0.5,
                        .cadence = 2,
                        .precision = GetParam(),
                        .seed = 9,
                        .threads = 2,
                        .backend = codegen::Backend::interpreter};
  const simulate::Recorder all = simulate::record(model, options);
  simulate::Summary summary;
  const Samples samples = draw_samples(model, options, 1000, {}, &summary);
  EXPECT_EQ(summary.status, simulate::Status::done);
  ASSERT_EQ(all.samples(), 150u);
  ASSERT_EQ(samples.size(), 70u * 15);  // ⌈1000/70⌉ per member, each in the middle of 10
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ASSERT_EQ(samples.group[i], i / 15);
    for (std::size_t row = 0; row < 3; ++row) ASSERT_EQ(samples[i][row], all.at(i / 15, i % 15 * 10 + 5, row));
  }
}

INSTANTIATE_TEST_SUITE_P(EachPrecision, CollectedInPrecision,
                         testing::Values(simulate::Precision::single_precision, simulate::Precision::double_precision));

TEST(HeldOutRun, SharesNoRandomNumbersWithTheFirst) {
  const symbolic::Model model = build(simulate::ornstein_uhlenbeck());
  const Options options{.dt = 0.1, .members = 4, .length = 5, .backend = codegen::Backend::interpreter};
  EXPECT_EQ(held_out_run(options).seed, held_out_run(options).seed);
  const Samples first = draw_samples(model, options, 100), second = draw_samples(model, held_out_run(options), 100);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NE(first[i][0], second[i][0]);
}

TEST(Collected, SamplesReachTheEndOfARunOfAnyLength) {
  const symbolic::Model model = build(simulate::ornstein_uhlenbeck());
  const Options options{.dt = 0.1, .members = 20, .length = 1.9, .backend = codegen::Backend::interpreter};
  const simulate::Recorder all = simulate::record(model, options);
  const Samples samples = draw_samples(model, options, 200);
  ASSERT_EQ(samples.size(), 200u);
  EXPECT_EQ(samples[0][0], all.at(0, 0, 0));
  EXPECT_EQ(samples[9][0], all.at(0, 17, 0));
  EXPECT_EQ(draw_samples(model, options, 100000).size(), 20u * 19);
  EXPECT_THROW(draw_samples(model, options, 0), Error);
}

TEST(Collected, FewMembersAreDividedIntoLongSegments) {
  const symbolic::Model model = build(simulate::ornstein_uhlenbeck());
  const Options options{.dt = 0.1, .members = 3, .length = 100, .backend = codegen::Backend::interpreter};
  const auto groups = [&](double memory) {
    const Samples samples = draw_samples(model, options, 300, {}, nullptr, memory);
    EXPECT_TRUE(std::ranges::is_sorted(samples.group));
    std::map<std::uint32_t, int> sizes;
    for (const std::uint32_t group : samples.group) ++sizes[group];
    return sizes;
  };
  EXPECT_EQ(groups(0).size(), 3u);    // unknown autocorrelation time
  EXPECT_EQ(groups(10).size(), 3u);   // a member is not much longer than it
  EXPECT_EQ(groups(1.6).size(), 9u);  // 3 segments of 33 time units per member
  const auto sizes = groups(0.1);     // as many groups as are wanted
  EXPECT_EQ(sizes.size(), 18u);
  for (const auto& [group, size] : sizes) EXPECT_NEAR(size, 100 / 6.0, 1) << group;
}

TEST(Collected, MembersThatBlewUpAreReplaced) {
  // Some members escape over the barrier at x = 1.5 within the run.
  symbolic::Description description;
  description.state("x", "-x + x^3/2.25", "0.7");
  description.initial.push_back({"x", {0, 0.1}});
  const symbolic::Model model = build(description);
  const Options options{
      .dt = 0.02, .members = 100, .length = 4, .burn_in = 1, .backend = codegen::Backend::interpreter};
  simulate::Summary summary;
  const Samples samples = draw_samples(model, options, 1000, {}, &summary);
  EXPECT_GT(summary.replaced_members, 0);
  ASSERT_EQ(summary.status, simulate::Status::done);
  ASSERT_EQ(samples.size(), 1000u);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ASSERT_EQ(samples.group[i], i / 10);
    ASSERT_LT(std::abs(samples[i][0]), 100);
  }
}

TEST(Collected, ReportsWhyARunWasNotCompleted) {
  symbolic::Description description;
  description.state("x", "x^3", "1");
  const Options options{.dt = 0.02, .members = 20, .length = 50, .backend = codegen::Backend::interpreter};
  EXPECT_THAT(complaint([&] { draw_samples(build(description), options, 100); }), HasSubstr("blew up"));
  simulate::Summary summary;
  EXPECT_EQ(draw_samples(build(description), options, 100, {}, &summary).size(), 0u);
  EXPECT_EQ(summary.status, simulate::Status::unstable);
}

}  // namespace
}  // namespace gfdt::score
