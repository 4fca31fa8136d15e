#include "gfdt/gpu/simulate/device_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/parallel/threads.hpp"
#include "gfdt/simulate/initial_state.hpp"
#include "gfdt/simulate/scheme.hpp"
#include "gfdt/simulate/stability_guard.hpp"

namespace gfdt::simulate {
namespace {

constexpr auto lanes = static_cast<std::size_t>(codegen::device_lanes);
/// Bytes of samples in memory: in general, and if they are copied to the host.
constexpr std::size_t record_bytes = std::size_t{1} << 32, host_record_bytes = std::size_t{1} << 27;
constexpr double room_for_records = 0.3;  ///< fraction of the free memory
/// Target duration of a launch in seconds, for progress and cancellation, and longest time that sinks on the host may
/// need for the samples of a launch. Sinks that use the device themselves work best on large portions.
constexpr double shortest_launch = 0.05, longest_launch = 0.2, longest_look = 2;
constexpr std::uint64_t first_steps = 512;

}  // namespace

/// Blocks that run concurrently.
template <class T>
class DeviceRun<T>::Part {
 public:
  Part(DeviceRun& run, std::span<const Block> blocks, std::span<Sink* const> sinks)
      : run_(run), device_(run.device_), options_(run.options_), blocks_(blocks), rows_(run.routine_.state_rows) {
    const std::size_t threads = blocks.size() * lanes;
    state_ = gpu::Memory(device_, threads * rows_ * sizeof(T));
    scale_ = gpu::Memory(device_, threads * run.model_.states.size() * sizeof(T));
    unsound_ = gpu::Memory(device_, threads * sizeof(unsigned));
    streams_ = gpu::Memory(device_, threads * sizeof(std::uint32_t));
    lost_ = gpu::Memory(device_, sizeof(unsigned));
    start();
    open(sinks);
  }

  bool run(const Listener& go_on) {
    const std::uint64_t burn_in = options_.burn_in_steps(), cadence = static_cast<std::uint64_t>(options_.cadence);
    const std::uint64_t total = burn_in + options_.samples() * cadence;
    std::uint64_t at_once = first_steps, members = 0;
    for (const Block& block : blocks_) members += block.members.size();
    for (std::uint64_t step = 0, seen = 0; step < total;) {
      const Stopwatch watch;
      std::uint64_t end = std::min(step + at_once, step < burn_in ? burn_in : total), samples = 0;
      if (step >= burn_in) {
        samples = std::clamp<std::uint64_t>((end - step) / cadence, 1, capacity_);
        end = step + samples * cadence;
      }
      advance(step, end, burn_in, total);
      show_on_device(seen, samples);
      device_.synchronize();
      const double launch = watch.seconds();
      show_on_host(seen, samples);
      seen += samples;
      const double look = watch.seconds() - launch;
      if (launch < shortest_launch && look < longest_look / 2) at_once *= 2;
      if ((launch > longest_launch || look > longest_look) && at_once > first_steps) at_once /= 2;
      const std::uint64_t steps = end - step;
      step = end;
      if (!go_on(steps * members)) return false;
      if (step < total && all_lost()) break;
    }
    return true;
  }

  void close(const Done& done) {
    std::vector<unsigned> lost(blocks_.size() * lanes);
    device_.download(unsound_.address(), std::span(lost));
    std::vector<BlockSinks> seen;
    for (Monitor& watcher : watchers_)
      seen.push_back(watcher.on_device ? watcher.on_device->finish() : std::move(watcher.on_host));
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      BlockSinks of_block;
      for (BlockSinks& sinks : seen) of_block.push_back(std::move(sinks[b]));
      std::vector<bool> sound;
      for (std::size_t lane = 0; lane < blocks_[b].members.size(); ++lane) sound.push_back(lost[b * lanes + lane] == 0);
      done(blocks_[b], std::move(of_block), sound);
    }
  }

 private:
  struct Monitor {
    std::unique_ptr<DeviceSink> on_device;
    BlockSinks on_host;
  };

  void open(std::span<Sink* const> sinks) {
    bool to_host = false;
    for (Sink* const sink : sinks) {
      Monitor& watcher = watchers_.emplace_back();
      watcher.on_device = sink->open_on_device(device_, blocks_, options_.precision);
      if (watcher.on_device) continue;
      to_host = true;
      for (const Block& block : blocks_) watcher.on_host.push_back(sink->open(block));
    }
    capacity_ = options_.samples();
    if (sinks.empty()) return;
    const std::size_t sample = blocks_.size() * lanes * rows_ * sizeof(T);
    const std::size_t room =
        std::min(to_host ? host_record_bytes : record_bytes,
                 static_cast<std::size_t>(room_for_records * static_cast<double>(device_.free_bytes())));
    capacity_ = std::clamp<std::uint64_t>(room / sample, 1, options_.samples());
    record_ = gpu::Memory(device_, capacity_ * sample);
    if (to_host) copy_ = codegen::AlignedArray<T>(capacity_ * sample / sizeof(T));
  }

  void start() {
    const std::size_t threads = blocks_.size() * lanes, fields = run_.model_.states.size();
    std::vector<T> state(threads * rows_), scale(threads * fields);
    std::vector<std::uint32_t> streams(threads);
    for_each_block(blocks_.size(), options_.thread_count(), [&](std::size_t b) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        streams[b * lanes + lane] = blocks_[b].streams[lane];
        const std::vector<double> own = initial_state(run_.model_, options_.seed, blocks_[b].streams[lane]);
        for (std::size_t row = 0; row < rows_; ++row)
          state[(b * rows_ + row) * lanes + lane] = static_cast<T>(own[row]);
      }
      const std::vector<T> scales = guard_scales<T>(run_.model_);
      for (std::size_t field = 0; field < fields; ++field)
        std::fill_n(scale.begin() + static_cast<std::ptrdiff_t>((b * fields + field) * lanes), lanes, scales[field]);
    });
    device_.upload(std::span<const T>(state), state_.address());
    device_.upload(std::span<const T>(scale), scale_.address());
    device_.upload(std::span<const std::uint32_t>(streams), streams_.address());
    device_.clear(unsound_);
    device_.clear(lost_);
  }

  void advance(std::uint64_t step, std::uint64_t end, std::uint64_t burn_in, std::uint64_t total) {
    const codegen::DeviceSpan span{.seed = options_.seed,
                                   .step = step,
                                   .end = end,
                                   .burn_in = burn_in,
                                   .total = total,
                                   .stride = stride(),
                                   .dt = options_.dt,
                                   .cadence = static_cast<unsigned>(options_.cadence),
                                   .blocks = static_cast<unsigned>(blocks_.size()),
                                   .recorded = record_.bytes() > 0 ? 1u : 0u};
    run_.step_.launch(blocks_.size() * lanes, std::span<const std::byte>(std::as_bytes(std::span(run_.uniforms_))),
                      span, state_.address(), scale_.address(), unsound_.address(), lost_.address(), streams_.address(),
                      record_.address());
  }

  void show_on_device(std::uint64_t first, std::uint64_t samples) {
    if (samples == 0) return;
    for (Monitor& watcher : watchers_)
      if (watcher.on_device) watcher.on_device->consume({record_.address(), first, samples, stride()});
  }

  void show_on_host(std::uint64_t first, std::uint64_t samples) {
    if (samples == 0 || copy_.size() == 0) return;
    const std::size_t used = samples * rows_ * lanes;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      device_.download(record_.address() + b * stride() * sizeof(T), std::span(copy_.data() + b * stride(), used));
    for_each_block(blocks_.size(), options_.thread_count(), [&](std::size_t b) {
      const Record<T> record{copy_.data() + b * stride(), first, samples, static_cast<int>(rows_),
                             static_cast<int>(lanes)};
      for (Monitor& watcher : watchers_)
        if (!watcher.on_device) watcher.on_host[b]->consume(record);
    });
  }

  bool all_lost() const {
    unsigned lost = 0;
    device_.download(lost_.address(), std::span(&lost, 1));
    return lost == blocks_.size() * lanes;
  }

  std::uint64_t stride() const { return capacity_ * rows_ * lanes; }

  DeviceRun& run_;
  const gpu::Device& device_;
  const Options& options_;
  std::span<const Block> blocks_;
  std::size_t rows_;
  gpu::Memory state_, scale_, unsound_, lost_, streams_, record_;
  codegen::AlignedArray<T> copy_;
  std::uint64_t capacity_ = 1;  ///< samples that the record can hold
  std::vector<Monitor> watchers_;
};

template <class T>
DeviceRun<T>::DeviceRun(const symbolic::Model& model, const Options& options, const gpu::Device& device)
    : model_(model),
      options_(options),
      device_(device),
      routine_(codegen::lower(step_plan(model, options.scheme))),
      step_(model, routine_, options, device) {
  std::map<std::string, double> symbols = model.parameter_values();
  symbols.emplace(dt_name, options.dt);
  uniforms_ = codegen::all_uniforms<T>(routine_, symbols);
  if (uniforms_.empty()) uniforms_.push_back(0);
}

template <class T>
void DeviceRun<T>::run(std::span<const Block> blocks, std::span<Sink* const> sinks, const Done& done,
                       const Listener& go_on) {
  device_.use();
  for (std::size_t at_once = blocks.size(), first = 0; first < blocks.size();) {
    const std::size_t count = std::min(at_once, blocks.size() - first);
    std::unique_ptr<Part> part;
    try {
      part = std::make_unique<Part>(*this, blocks.subspan(first, count), sinks);
    } catch (const gpu::OutOfMemory& full) {
      if (count == 1) throw Error(std::string(full.what()) + " Not even one block of members fits.");
      at_once = (count + 1) / 2;
      notice_ = fmt::format("{} Members run {} at a time.", full.what(), at_once * lanes);
      continue;
    }
    if (!part->run(go_on)) return;
    part->close(done);
    first += count;
  }
}

template class DeviceRun<float>;
template class DeviceRun<double>;

}  // namespace gfdt::simulate
