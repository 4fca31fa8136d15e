#include "gfdt/simulate/ensemble.hpp"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <mutex>

#include "gfdt/base/error.hpp"
#include "gfdt/base/memory.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/gpu/simulate/device_run.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/simulate/block_run.hpp"
#include "gfdt/simulate/blocks.hpp"
#include "gfdt/simulate/memory_use.hpp"
#include "gfdt/simulate/time_dependence.hpp"
#include "gfdt/symbolic/derived/partial_formulas.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::simulate {
namespace {

constexpr int stream_bits_for_members = 24;
constexpr int most_attempts = 20;
/// Number of bytes for which available memory is not checked.
constexpr double unquestioned_memory = 64e6;

std::uint64_t sum_on_ranks(std::uint64_t own) {
  std::uint64_t sum = 0;
  ranks::exchange(
      "steps taken", [own] { return std::string(reinterpret_cast<const char*>(&own), sizeof own); },
      [&](int, std::string_view bytes) { sum += Unpacker(bytes).get<std::uint64_t>(); });
  return sum;
}

template <class T>
class EnsembleRun {
 public:
  EnsembleRun(const symbolic::Model& model, const Options& options, std::span<Sink* const> sinks,
              const Control& control)
      : model_(model), options_(options), sinks_(sinks), control_(control) {}

  Summary run() {
    const Stopwatch watch;
    summary_.backend = codegen::choose_backend(options_.backend);
    prepare();
    summary_.compile_seconds = watch.seconds();

    steps_per_member_ = options_.burn_in_steps() + options_.samples() * static_cast<std::uint64_t>(options_.cadence);
    std::vector<Pending> pending;
    for (int member = 0; member < options_.members; ++member)
      pending.push_back({static_cast<std::uint32_t>(member), 0});
    label_ = label();
    while (!pending.empty() && summary_.status == Status::done) pending = run_round(pending);

    summary_.simulated_time = static_cast<double>(sum_on_ranks(steps_done_)) * options_.dt;
    summary_.wall_seconds = watch.seconds();
    return summary_;
  }

 private:
  void prepare() {
    const gpu::Device* const device =
        summary_.backend.backend == codegen::Backend::cuda ? gpu::Device::find() : nullptr;
    if (device && fits_device(model_, options_, *device)) {
      device_run_ = std::make_unique<DeviceRun<T>>(model_, options_, *device);
      summary_.lanes = codegen::device_lanes;
      return;
    }
    if (device) summary_.backend.notice = "The model is too large for the threads of a GPU: it runs on the host.";
    std::map<std::string, double> symbols = model_.parameter_values();
    symbols.emplace(dt_name, options_.dt);
    stepper_ = codegen::make_stepper<T>(step_plan(model_, options_.scheme), symbols, summary_.backend.backend);
    summary_.lanes = stepper_->lanes();
    const int states = stepper_->rows();
    const std::size_t sample = sizeof(T) * static_cast<std::size_t>(states) * static_cast<std::size_t>(summary_.lanes);
    const MemoryUse use = memory_use(options_, sinks_, stepper_->memory_bytes() + sample, states, summary_.lanes);
    if (use.total() > unquestioned_memory) require_memory(use, available_memory());
  }

  /// Identifies the run by all settings that affect it, so that ranks with different runs are detected.
  std::string label() const {
    std::uint64_t digest = 0;
    for (const symbolic::Parameter& parameter : model_.parameters)
      digest = (std::rotl(digest, 5) ^ std::bit_cast<std::uint64_t>(parameter.value)) * 0x9e3779b97f4a7c15u;
    return fmt::format("a run of seed {}, {} members, length {}, {} lanes, {} code, parameters {:016x}", options_.seed,
                       options_.members, options_.length, summary_.lanes, codegen::name(summary_.backend.backend),
                       digest);
  }

  /// Runs the pending members; returns those that became unstable, for another attempt.
  std::vector<Pending> run_round(const std::vector<Pending>& pending) {
    std::vector<Block> blocks = make_blocks(pending, summary_.lanes, blocks_done_);
    steps_to_do_ += static_cast<double>(steps_per_member_) * static_cast<double>(pending.size()) / ranks::count();
    const std::vector<std::vector<bool>> sound = device_run_ ? run_on_device(blocks) : run_on_threads(blocks);
    blocks_done_ += blocks.size();
    if (cancelled()) {
      summary_.status = Status::cancelled;
      summary_.explanation = "The run was stopped before its end.";
      return {};
    }
    return unsound_members(pending, sound);
  }

  std::vector<std::vector<bool>> run_on_threads(const std::vector<Block>& blocks) {
    return run_blocks(label_, blocks, sinks_, options_.threads,
                      [&](const Block& block, std::span<const std::unique_ptr<BlockSink>> opened) {
                        std::optional<std::vector<bool>> stayed_sound;
                        if (cancelled()) return stayed_sound;
                        BlockRun<T> run(model_, options_, *stepper_, block);
                        if (run.run(opened, [&](std::uint64_t steps) { return note(steps * block.members.size()); }))
                          stayed_sound = run.sound();
                        return stayed_sound;
                      });
  }

  std::vector<std::vector<bool>> run_on_device(const std::vector<Block>& blocks) {
    std::vector<std::vector<bool>> sound =
        run_shares(label_, blocks, sinks_, [&](std::span<const Block> share, const Done& done) {
          device_run_->run(share, sinks_, done, [&](std::uint64_t steps) { return note(steps); });
        });
    summary_.backend.notice = device_run_->notice();
    return sound;
  }

  std::vector<Pending> unsound_members(const std::vector<Pending>& pending,
                                       const std::vector<std::vector<bool>>& sound) {
    std::vector<Pending> again;
    std::size_t lanes = static_cast<std::size_t>(summary_.lanes);
    for (std::size_t i = 0; i < pending.size(); ++i)
      if (!sound[i / lanes][i % lanes]) again.push_back({pending[i].member, pending[i].attempt + 1});
    summary_.replaced_members += static_cast<int>(again.size());
    bool hopeless = 2 * again.size() > pending.size() && pending.size() == static_cast<std::size_t>(options_.members);
    if (!again.empty() && (hopeless || again[0].attempt >= most_attempts)) {
      summary_.status = Status::unstable;
      summary_.explanation = fmt::format(
          "{} of {} members blew up within time {:g}. The model may have no stationary distribution at these "
          "parameters, start where its formulas are not defined (see [model.initial]), or need a smaller time step "
          "than {:g}.",
          again.size(), pending.size(), options_.length + options_.burn_in_time(), options_.dt);
      if (const auto partial = symbolic::find_partial_formula(model_)) {
        const std::string argument = symbolic::abbreviated(partial->argument);
        summary_.explanation += fmt::format(
            " {} is not defined for {} < 0, which a time step may lead to; max({}, 0) in its place is never negative.",
            symbolic::abbreviated(partial->formula), argument, argument);
      }
      return {};
    }
    return again;
  }

  bool cancelled() const { return control_.cancellation && control_.cancellation->requested(); }

  bool note(std::uint64_t steps) {
    ranks::poll();
    std::lock_guard lock(progress_mutex_);
    steps_done_ += steps;
    // Members that are run again increase the total work; the reported fraction never decreases.
    fraction_ = std::max(fraction_, static_cast<double>(steps_done_) / steps_to_do_);
    if (control_.progress) control_.progress({"simulate", fraction_});
    return !cancelled();
  }

  const symbolic::Model& model_;
  const Options& options_;
  std::span<Sink* const> sinks_;
  const Control& control_;
  std::unique_ptr<codegen::Stepper<T>> stepper_;
  std::unique_ptr<DeviceRun<T>> device_run_;  ///< used instead of `stepper_` if the run is on a device
  std::string label_;
  Summary summary_;
  std::uint64_t steps_per_member_ = 0;
  std::size_t blocks_done_ = 0;
  std::mutex progress_mutex_;
  std::uint64_t steps_done_ = 0;
  double steps_to_do_ = 0, fraction_ = 0;
};

}  // namespace

std::uint32_t stream_of(std::uint32_t member, int attempt) {
  return member + (static_cast<std::uint32_t>(attempt) << stream_bits_for_members);
}

Summary run(const symbolic::Model& model, const Options& options, std::span<Sink* const> sinks,
            const Control& control) {
  if (std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  if (std::string problem = precision_problem(model, options.precision); !problem.empty()) throw Error(problem);
  return options.precision == Precision::single_precision ? EnsembleRun<float>(model, options, sinks, control).run()
                                                          : EnsembleRun<double>(model, options, sinks, control).run();
}

}  // namespace gfdt::simulate
