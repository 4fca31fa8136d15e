#include "gfdt/simulate/ensemble.hpp"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <mutex>

#include "gfdt/core/error.hpp"
#include "gfdt/core/threads.hpp"
#include "gfdt/simulate/block_run.hpp"
#include "gfdt/simulate/blocks.hpp"
#include "gfdt/simulate/device_run.hpp"
#include "gfdt/simulate/time_dependence.hpp"

namespace gfdt::simulate {
namespace {

constexpr int stream_bits_for_members = 24;
constexpr int most_attempts = 20;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class T>
class EnsembleRun {
 public:
  EnsembleRun(const model::Model& model, const Options& options, std::span<Sink* const> sinks, const Control& control)
      : model_(model), options_(options), sinks_(sinks), control_(control) {}

  Summary run() {
    auto start = std::chrono::steady_clock::now();
    summary_.backend = kernel::choose_backend(options_.backend);
    prepare();
    summary_.compile_seconds = seconds_since(start);

    steps_a_member_ = options_.burn_in_steps() + options_.samples() * static_cast<std::uint64_t>(options_.cadence);
    std::vector<Pending> pending;
    for (int member = 0; member < options_.members; ++member)
      pending.push_back({static_cast<std::uint32_t>(member), 0});
    while (!pending.empty() && summary_.status == Status::done) pending = run_round(pending);

    summary_.simulated_time = static_cast<double>(steps_done_) * options_.dt;
    summary_.wall_seconds = seconds_since(start);
    return summary_;
  }

 private:
  void prepare() {
    if (summary_.backend.backend == kernel::Backend::cuda) {
      device_run_ = std::make_unique<DeviceRun<T>>(model_, options_, *cuda::Device::find());
      summary_.lanes = kernel::device_lanes;
      return;
    }
    std::map<std::string, double> symbols = model_.parameter_values();
    symbols.emplace(dt_name, options_.dt);
    stepper_ = kernel::make_stepper<T>(step_plan(model_, options_.scheme), symbols, summary_.backend.backend);
    summary_.lanes = stepper_->lanes();
  }

  /// Runs the pending members; returns those that blew up, to be run again.
  std::vector<Pending> run_round(const std::vector<Pending>& pending) {
    std::vector<Block> blocks = make_blocks(pending, summary_.lanes, blocks_done_);
    OrderedClosing closing(sinks_, blocks_done_);
    std::vector<std::vector<bool>> sound(blocks.size());
    int threads = options_.threads > 0 ? options_.threads : available_threads();
    steps_to_do_ += static_cast<double>(steps_a_member_) * static_cast<double>(pending.size());
    if (device_run_) {
      sound = device_run_->run(blocks, closing, [&](std::uint64_t steps) { return note(steps); });
      summary_.backend.notice = device_run_->notice();
    }
    for_each_block(device_run_ ? 0 : blocks.size(), threads, [&](std::size_t i) {
      if (cancelled()) return;
      BlockRun<T> run(model_, options_, *stepper_, blocks[i]);
      auto opened = closing.open(blocks[i]);
      if (!run.run(opened, [&](std::uint64_t steps) { return note(steps * blocks[i].members.size()); })) return;
      sound[i] = run.sound();
      closing.finished(blocks[i], std::move(opened), run.sound());
    });
    blocks_done_ += blocks.size();
    if (cancelled()) {
      summary_.status = Status::cancelled;
      summary_.explanation = "The run was stopped before its end.";
      return {};
    }
    return unsound_members(pending, sound);
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
          "{} of {} members blew up within time {:g}. The model may have no stationary law at these parameters, start "
          "where its "
          "formulas are not defined (see [model.initial]), or need a smaller time step than {:g}.",
          again.size(), pending.size(), options_.length + options_.burn_in_time(), options_.dt);
      return {};
    }
    return again;
  }

  bool cancelled() const { return control_.cancellation && control_.cancellation->requested(); }

  bool note(std::uint64_t steps) {
    std::lock_guard lock(progress_mutex_);
    steps_done_ += steps;
    // Members that blow up add to what is to be done: the fraction waits rather than going back.
    fraction_ = std::max(fraction_, static_cast<double>(steps_done_) / steps_to_do_);
    if (control_.progress) control_.progress({"simulate", fraction_});
    return !cancelled();
  }

  const model::Model& model_;
  const Options& options_;
  std::span<Sink* const> sinks_;
  const Control& control_;
  std::unique_ptr<kernel::Stepper<T>> stepper_;
  std::unique_ptr<DeviceRun<T>> device_run_;  ///< instead, where the run is on a device
  Summary summary_;
  std::uint64_t steps_a_member_ = 0;
  std::size_t blocks_done_ = 0;
  std::mutex progress_mutex_;
  std::uint64_t steps_done_ = 0;
  double steps_to_do_ = 0, fraction_ = 0;
};

}  // namespace

std::uint32_t stream_of(std::uint32_t member, int attempt) {
  return member + (static_cast<std::uint32_t>(attempt) << stream_bits_for_members);
}

Summary run(const model::Model& model, const Options& options, std::span<Sink* const> sinks, const Control& control) {
  if (std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  if (std::string problem = precision_problem(model, options.precision); !problem.empty()) throw Error(problem);
  return options.precision == Precision::single_precision ? EnsembleRun<float>(model, options, sinks, control).run()
                                                          : EnsembleRun<double>(model, options, sinks, control).run();
}

}  // namespace gfdt::simulate
