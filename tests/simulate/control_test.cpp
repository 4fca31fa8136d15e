#include <gmock/gmock.h>

#include <chrono>

#include "gfdt/base/error.hpp"
#include "recorder.hpp"

namespace gfdt::simulate {
namespace {

using symbolic::build;
using symbolic::Description;
using symbolic::Model;

constexpr auto interpreter = codegen::Backend::interpreter;

/// Requests a stop at the `calls`-th report of progress.
struct StopAfter {
  explicit StopAfter(int calls) : left(calls) {
    control.cancellation = &cancellation;
    control.progress = [this](const Progress&) {
      if (--left == 0) cancellation.request();
    };
  }
  int left;
  Cancellation cancellation;
  Control control;
};

class Cancelled : public testing::TestWithParam<Options> {};

// Requests are checked every 512 steps: each thread takes at most one more segment.
TEST_P(Cancelled, RunStopsPromptly) {
  StopAfter stop(3);
  Recorder recorder;
  Sink* sinks[] = {&recorder};
  const Summary summary = run(build(ornstein_uhlenbeck()), GetParam(), sinks, stop.control);
  EXPECT_EQ(summary.status, Status::cancelled);
  EXPECT_NE(summary.explanation, "");
  EXPECT_EQ(recorder.members(), 0u);
  const double segments = 3 + GetParam().threads;
  EXPECT_LE(summary.simulated_time, segments * 512 * GetParam().dt * 64 * 1.0001);
}

INSTANTIATE_TEST_SUITE_P(
    All, Cancelled,
    testing::Values(
        Options{.dt = 0.01, .members = 1000, .length = 1e5, .burn_in = 0, .threads = 1, .backend = interpreter},
        Options{.dt = 0.01, .members = 1000, .length = 1e5, .burn_in = 0, .threads = 3, .backend = interpreter},
        Options{.dt = 0.01, .members = 1000, .length = 1, .burn_in = 1e5, .threads = 2, .backend = interpreter},
        Options{.dt = 0.01,
                .members = 10,
                .length = 1e6,
                .burn_in = 0,
                .cadence = 10000000,
                .threads = 1,
                .backend = interpreter}));

TEST(Control, DoesNotStartIfCancelledBefore) {
  Cancellation cancellation;
  cancellation.request();
  Recorder recorder;
  Sink* sinks[] = {&recorder};
  const Summary summary =
      run(build(ornstein_uhlenbeck()), {.length = 1e6, .backend = interpreter}, sinks, {{}, &cancellation});
  EXPECT_EQ(summary.status, Status::cancelled);
  EXPECT_EQ(summary.simulated_time, 0);
}

std::vector<double> fractions(const Model& model, const Options& options) {
  std::vector<double> heard;
  Control control;
  control.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "simulate");
    heard.push_back(progress.fraction);
  };
  run(model, options, std::span<Sink* const>(), control);
  return heard;
}

TEST(Control, ProgressNeverDecreasesAndEndsAtOne) {
  for (const int threads : {1, 8})
    for (int repeat = 0; repeat < 5; ++repeat) {
      const std::vector<double> heard =
          fractions(build(ornstein_uhlenbeck()),
                    {.dt = 0.01, .members = 1000, .length = 100, .threads = threads, .backend = interpreter});
      EXPECT_GT(heard.size(), 100u);
      EXPECT_TRUE(std::ranges::is_sorted(heard));
      EXPECT_GT(heard.front(), 0);
      EXPECT_EQ(heard.back(), 1);
    }
}

TEST(Control, ProgressNeverDecreasesWhenMembersAreReplaced) {
  Description description;
  description.state("x", "-x^3", "0.1");
  description.initial.push_back({"x", {0, 25}});
  const std::vector<double> heard =
      fractions(build(description), {.dt = 0.001, .members = 300, .length = 20, .threads = 2, .backend = interpreter});
  EXPECT_TRUE(std::ranges::is_sorted(heard));
  EXPECT_LE(heard.back(), 1);
}

class Broken : public Sink {
  std::unique_ptr<BlockSink> open(const Block&) override { throw Error("The disk is full."); }
  void close(const Block&, std::unique_ptr<BlockSink>, const std::vector<bool>&) override {}
};

TEST(Control, RethrowsTheErrorOfASink) {
  Broken broken;
  Sink* sinks[] = {&broken};
  EXPECT_THROW(run(build(ornstein_uhlenbeck()), {.length = 10, .threads = 2, .backend = interpreter}, sinks), Error);
}

TEST(Control, SummaryCountsTheTimeOfAllMembers) {
  const Summary summary = run(build(ornstein_uhlenbeck()),
                              {.dt = 0.01, .members = 70, .length = 10, .burn_in = 3, .backend = interpreter}, {});
  EXPECT_NEAR(summary.simulated_time, 70 * 13, 1e-6);
  EXPECT_EQ(summary.replaced_members, 0);
  EXPECT_EQ(summary.explanation, "");
  EXPECT_LE(summary.compile_seconds, summary.wall_seconds);
}

}  // namespace
}  // namespace gfdt::simulate
