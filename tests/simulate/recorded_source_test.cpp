#include "gfdt/simulate/recorded_source.hpp"

#include <gmock/gmock.h>

#include <mutex>

#include "../temporary_folder.hpp"
#include "gfdt/base/error.hpp"
#include "recorder.hpp"

namespace gfdt::simulate {
namespace {

using testing::HasSubstr;

constexpr auto interpreter = codegen::Backend::interpreter;

/// A value that identifies its member, time and row.
double value_at(std::size_t member, std::size_t time, std::size_t row) {
  return 1e6 * static_cast<double>(member) + static_cast<double>(time) + 0.1 * static_cast<double>(row);
}

Recording counted(std::size_t members, std::size_t times, std::size_t rows = 2) {
  Recording recording{.members = members, .times = times, .rows = rows, .interval = 0.25, .values = {}};
  for (std::size_t member = 0; member < members; ++member)
    for (std::size_t time = 0; time < times; ++time)
      for (std::size_t row = 0; row < rows; ++row) recording.values.push_back(value_at(member, time, row));
  return recording;
}

Recorder record(const Source& source) {
  Recorder recorder;
  Sink* sinks[] = {&recorder};
  EXPECT_EQ(source.run(sinks, {}).status, Status::done);
  return recorder;
}

/// Checks the guarantees given to sinks: consecutive records, padding that repeats the last member, blocks closed in
/// order.
class Witness : public Sink {
 public:
  std::unique_ptr<BlockSink> open(const Block& block) override {
    std::lock_guard lock(mutex_);
    ++open_;
    return std::make_unique<Watch>(block);
  }
  void close(const Block& block, std::unique_ptr<BlockSink> sink, const std::vector<bool>& sound) override {
    EXPECT_EQ(block.number, closed++);
    EXPECT_EQ(sound, std::vector<bool>(block.members.size(), true));
    EXPECT_EQ(block.streams.size(), static_cast<std::size_t>(block.lanes));
    EXPECT_EQ(block.streams.back(), block.members.back());
    samples = static_cast<const Watch&>(*sink).seen;
    lanes = block.lanes;
  }
  std::size_t opened() const { return open_; }
  std::size_t closed = 0;
  std::uint64_t samples = 0;
  int lanes = 0;

 private:
  struct Watch : BlockSinkOf<Watch> {
    explicit Watch(const Block& b) : block(b) {}
    template <class T>
    void take(const Record<T>& record) {
      EXPECT_TRUE((std::is_same_v<T, double>));
      EXPECT_EQ(record.first_sample, seen);
      EXPECT_EQ(record.lanes, block.lanes);
      EXPECT_LE(record.samples, 512u);
      const auto lane_count = static_cast<std::size_t>(record.lanes);
      for (std::size_t i = 0; i < record.samples * static_cast<std::size_t>(record.rows); ++i)
        for (std::size_t lane = block.members.size(); lane < lane_count; ++lane)
          ASSERT_EQ(record.data[i * lane_count + lane], record.data[i * lane_count + block.members.size() - 1]);
      seen += record.samples;
    }
    const Block& block;
    std::uint64_t seen = 0;
  };
  std::mutex mutex_;
  std::size_t open_ = 0;
};

TEST(RecordedSource, ReproducesARun) {
  const symbolic::Model model = symbolic::build(ornstein_uhlenbeck());
  const Options options{.dt = 0.01, .members = 70, .length = 20, .burn_in = 1, .cadence = 2, .backend = interpreter};
  const Recorder run = record(ModelSource(model, options));
  Recording recording{.members = 70, .times = run.samples(), .rows = 1, .interval = 0.02, .values = {}};
  for (const std::vector<double>& path : run.paths())
    recording.values.insert(recording.values.end(), path.begin(), path.end());
  const RecordedSource source(recording, options);
  EXPECT_EQ(source.segments_per_member(), 1u);
  EXPECT_EQ(record(source).paths(), run.paths());
}

TEST(RecordedSource, OptionsDescribeTheRecording) {
  const RecordedSource source(counted(20, 130),
                              {.dt = 3, .members = 1, .seed = 7, .threads = 2, .backend = interpreter});
  EXPECT_EQ(source.options().dt, 0.25);
  EXPECT_EQ(source.options().cadence, 1);
  EXPECT_EQ(source.options().members, 20);
  EXPECT_EQ(source.options().burn_in_steps(), 0u);
  EXPECT_EQ(source.options().length, 130 * 0.25);
  EXPECT_EQ(source.options().samples(), 130u);
  EXPECT_EQ(source.options().seed, 7u);
  EXPECT_EQ(source.options().threads, 2);
  EXPECT_EQ(source.options().backend, interpreter);
}

TEST(RecordedSource, AcceptsIntervalsThatAreNotExactInBinary) {
  for (const double interval : {0.1, 1.0 / 3, 1e-7, 30.4375}) {
    Recording recording = counted(16, 12345, 1);
    recording.interval = interval;
    EXPECT_EQ(RecordedSource(std::move(recording), {.backend = interpreter}).options().samples(), 12345u) << interval;
  }
}

class Threads : public testing::TestWithParam<int> {};

TEST_P(Threads, SinksSeeTheSameAsInARun) {
  const RecordedSource source(counted(150, 1500, 3), {.threads = GetParam(), .backend = interpreter});
  Witness witness;
  Recorder recorder;
  Sink* sinks[] = {&witness, &recorder};
  const Summary summary = source.run(sinks, {});
  EXPECT_EQ(summary.status, Status::done);
  EXPECT_EQ(summary.lanes, codegen::block_lanes(interpreter, 3));
  EXPECT_DOUBLE_EQ(summary.simulated_time, 150 * 1500 * 0.25);
  EXPECT_EQ(witness.closed,
            (150 + static_cast<std::size_t>(summary.lanes) - 1) / static_cast<std::size_t>(summary.lanes));
  EXPECT_EQ(witness.opened(), witness.closed);
  EXPECT_EQ(witness.samples, 1500u);
  EXPECT_EQ(witness.lanes, summary.lanes);
  ASSERT_EQ(recorder.members(), 150u);
  for (const std::size_t member : {0u, 63u, 64u, 149u})
    for (const std::size_t time : {0u, 511u, 512u, 1499u})
      EXPECT_EQ(recorder.at(member, time, 2), value_at(member, time, 2)) << member << ' ' << time;
}

INSTANTIATE_TEST_SUITE_P(All, Threads, testing::Values(1, 3));

struct Cut {
  std::size_t members, times;
  double shortest;
  std::size_t segments;
};

TEST(RecordedSource, DividesFewMembersIntoSegments) {
  // The interval is 0.25, so that 1600 samples cover a time of 400.
  for (const Cut& cut : {Cut{1, 1600, 0, 16}, Cut{1, 1607, 0, 16}, Cut{3, 1600, 0, 6}, Cut{15, 1600, 0, 2},
                         Cut{16, 1600, 0, 1}, Cut{100, 1600, 0, 1}, Cut{1, 1600, 100, 4}, Cut{1, 1600, 100.1, 3},
                         Cut{1, 1600, 25, 16}, Cut{1, 1600, 400, 1}, Cut{1, 1600, 1e9, 1}, Cut{1, 5, 0, 5}}) {
    const RecordedSource source(counted(cut.members, cut.times), {.backend = interpreter}, cut.shortest);
    EXPECT_EQ(source.segments_per_member(), cut.segments) << cut.members << ' ' << cut.times << ' ' << cut.shortest;
    EXPECT_EQ(source.options().members, static_cast<int>(cut.members * cut.segments));
    EXPECT_EQ(source.options().samples(), cut.times / cut.segments);
  }
}

TEST(RecordedSource, SegmentsAreConsecutive) {
  const RecordedSource source(counted(3, 1003), {.backend = interpreter});
  ASSERT_EQ(source.segments_per_member(), 6u);
  const Recorder recorder = record(source);
  ASSERT_EQ(recorder.members(), 18u);
  ASSERT_EQ(recorder.samples(), 167u);  // 6 · 167 = 1002: one sample is discarded
  for (std::size_t member = 0; member < 3; ++member)
    for (std::size_t time = 0; time < 1002; ++time)
      ASSERT_EQ(recorder.at(member * 6 + time / 167, time % 167, 1), value_at(member, time, 1));
}

TEST(RecordedSource, ReportsProgressAndStops) {
  const RecordedSource source(counted(300, 3000, 1), {.threads = 2, .backend = interpreter});
  std::vector<double> fractions;
  Cancellation cancellation;
  Control control{[&](const Progress& progress) { fractions.push_back(progress.fraction); }, &cancellation};
  EXPECT_EQ(source.run({}, control).status, Status::done);
  EXPECT_TRUE(std::ranges::is_sorted(fractions));
  EXPECT_DOUBLE_EQ(fractions.back(), 1);

  fractions.clear();
  control.progress = [&](const Progress& progress) {
    fractions.push_back(progress.fraction);
    cancellation.request();
  };
  Recorder recorder;
  Sink* sinks[] = {&recorder};
  const Summary summary = source.run(sinks, control);
  EXPECT_EQ(summary.status, Status::cancelled);
  EXPECT_NE(summary.explanation, "");
  EXPECT_LE(fractions.size(), 3u);
  EXPECT_EQ(recorder.members(), 0u);
}

TEST(RecordedSource, RejectsInvalidRecordings) {
  const auto failure = [](Recording recording) {
    return complaint<Error>([&] { RecordedSource(std::move(recording), {.backend = interpreter}); });
  };
  EXPECT_THAT(failure(counted(0, 10)), HasSubstr("at least one member"));
  EXPECT_THAT(failure(counted(2, 0)), HasSubstr("at least one member, one time"));
  Recording short_of_values = counted(2, 10);
  short_of_values.values.pop_back();
  EXPECT_THAT(failure(short_of_values), HasSubstr("cannot have 39 values"));
  Recording still = counted(2, 10);
  still.interval = 0;
  EXPECT_THAT(failure(still), HasSubstr("it must be positive"));
}

}  // namespace
}  // namespace gfdt::simulate
