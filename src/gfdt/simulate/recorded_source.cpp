#include "gfdt/simulate/recorded_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/simulate/blocks.hpp"

namespace gfdt::simulate {
namespace {

/// Limits on the samples passed to the sinks at once, as in a run.
constexpr std::size_t record_bytes = 256 * 1024;
constexpr std::uint64_t most_samples = 512;

void check(const Recording& recording) {
  if (recording.members == 0 || recording.times == 0 || recording.rows == 0)
    throw Error("A recording needs at least one member, one time and one state variable.");
  if (recording.values.size() != recording.members * recording.times * recording.rows)
    throw Error(fmt::format("A recording of {} members, {} times and {} state variables cannot have {} values.",
                            recording.members, recording.times, recording.rows, recording.values.size()));
  if (!(recording.interval > 0) || !std::isfinite(recording.interval))
    throw Error(fmt::format("The interval between recorded times is {}; it must be positive.", recording.interval));
}

std::size_t segments_of(const Recording& recording, double shortest) {
  check(recording);
  const std::size_t wanted = (RecordedSource::fewest_members + recording.members - 1) / recording.members;
  std::size_t most = recording.times;
  if (shortest > 0) {
    // Tolerance for the rounding of times.
    constexpr double rounding = 1e-9;
    const double samples = std::max(1.0, std::ceil(shortest / recording.interval * (1 - rounding)));
    most = samples < static_cast<double>(recording.times) ? recording.times / static_cast<std::size_t>(samples) : 1;
  }
  return std::clamp<std::size_t>(wanted, 1, most);
}

Options options_of(const Recording& recording, const Options& given, std::size_t segments) {
  Options options{.dt = recording.interval,
                  .length = static_cast<double>(recording.times / segments) * recording.interval,
                  .burn_in = 0,
                  .cadence = 1,
                  .precision = Precision::double_precision,
                  .seed = given.seed,
                  .threads = given.threads,
                  .backend = given.backend};
  constexpr std::size_t too_many = std::numeric_limits<int>::max();
  options.members = static_cast<int>(std::min(recording.members * segments, too_many));
  if (const std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  return options;
}

}  // namespace

RecordedSource::RecordedSource(Recording recording, const Options& options, double shortest)
    : Source(options_of(recording, options, segments_of(recording, shortest))),
      recording_(std::move(recording)),
      segments_(segments_of(recording_, shortest)) {}

void RecordedSource::copy(const Block& block, std::uint64_t first_sample, std::uint64_t samples, double* record) const {
  const std::size_t lanes = static_cast<std::size_t>(block.lanes), rows = recording_.rows;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t member = block.members[std::min(lane, block.members.size() - 1)];
    const std::size_t time = member % segments_ * options().samples() + first_sample;
    const double* from = recording_.values.data() + (member / segments_ * recording_.times + time) * rows;
    for (std::size_t i = 0; i < samples * rows; ++i) record[i * lanes + lane] = from[i];
  }
}

Summary RecordedSource::run(std::span<Sink* const> sinks, const Control& control) const {
  const Stopwatch watch;
  Summary summary;
  summary.backend = codegen::choose_backend(options().backend);
  summary.lanes = codegen::block_lanes(summary.backend.backend, static_cast<int>(recording_.rows));
  std::vector<Pending> members;
  for (int member = 0; member < options().members; ++member) members.push_back({static_cast<std::uint32_t>(member), 0});
  const std::vector<Block> blocks = make_blocks(members, summary.lanes, 0);
  const std::uint64_t samples = options().samples();
  const std::size_t sample_size = recording_.rows * static_cast<std::size_t>(summary.lanes);
  const std::uint64_t room =
      std::clamp<std::uint64_t>(record_bytes / (sample_size * sizeof(double)), 1, std::min(samples, most_samples));
  const auto cancelled = [&] { return control.cancellation && control.cancellation->requested(); };
  std::mutex progress_mutex;
  std::uint64_t shown = 0;
  const double share = 1.0 / ranks::count();
  const auto note = [&](std::uint64_t more) {
    ranks::poll();
    std::lock_guard lock(progress_mutex);
    shown += more;
    const double all = static_cast<double>(samples) * options().members * share;
    if (control.progress) control.progress({"trajectory", static_cast<double>(shown) / all});
  };
  const auto show = [&](const Block& block, std::span<const std::unique_ptr<BlockSink>> opened) {
    std::optional<std::vector<bool>> sound;
    codegen::AlignedArray<double> record(room * sample_size);
    for (std::uint64_t first = 0; first < samples; first += room) {
      if (cancelled()) return sound;
      const std::uint64_t count = std::min(room, samples - first);
      copy(block, first, count, record.data());
      for (const auto& sink : opened)
        sink->consume(Record<double>{record.data(), first, count, static_cast<int>(recording_.rows), summary.lanes});
      note(count * block.members.size());
    }
    sound.emplace(block.members.size(), true);
    return sound;
  };
  run_blocks(fmt::format("a trajectory of {} members and {} samples", options().members, samples), blocks, sinks,
             options().threads, show);
  if (cancelled()) {
    summary.status = Status::cancelled;
    summary.explanation = "The reading of the trajectory was stopped before its end.";
  }
  if (ranks::count() > 1) shown = samples * static_cast<std::uint64_t>(options().members);
  summary.simulated_time = static_cast<double>(shown) * recording_.interval;
  summary.wall_seconds = watch.seconds();
  return summary;
}

}  // namespace gfdt::simulate
