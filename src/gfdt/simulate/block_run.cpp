#include "gfdt/simulate/block_run.hpp"

#include <algorithm>

#include "gfdt/random/philox.hpp"

namespace gfdt::simulate {
namespace {

/// Steps between two looks at the guard, the clock and the wish to stop.
constexpr std::uint64_t stretch = 512;
/// Bytes of samples handed to the sinks at once: what stays in the second-level cache.
constexpr std::size_t record_bytes = 256 * 1024;

}  // namespace

template <class T>
BlockRun<T>::BlockRun(const Model& model, const Options& options, const kernel::Stepper<T>& stepper, const Block& block)
    : model_(model),
      options_(options),
      stepper_(stepper),
      block_(block),
      memory_(stepper.memory()),
      clock_{options.seed, block.streams.data(), 0},
      guard_(model, stepper.lanes()) {
  draw_initial_state();
}

template <class T>
void BlockRun<T>::draw_initial_state() {
  std::size_t lanes = static_cast<std::size_t>(stepper_.lanes());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    random::Stream stream(options_.seed, random::Purpose::initial, block_.streams[lane]);
    std::uint64_t row = 0;
    for (std::size_t field = 0; field < model_.states.size(); ++field)
      for (int site = 0; site < model_.states[field].sites(); ++site, ++row)
        memory_.state[row * lanes + lane] =
            static_cast<T>(model_.initial[field].mean + model_.initial[field].std * stream.normal(row));
  }
}

template <class T>
auto BlockRun<T>::advance(std::uint64_t samples, std::uint64_t cadence, T* record, const GoOn& go_on) -> Outcome {
  stepper_.advance(memory_, clock_, samples, cadence, record);
  clock_.step += samples * cadence;
  burning_in_ ? guard_.watch_burn_in(memory_.state) : guard_.watch(memory_.state);
  if (!go_on(samples * cadence)) return Outcome::stopped;
  return guard_.all_lost(block_.members.size()) ? Outcome::all_lost : Outcome::goes_on;
}

template <class T>
auto BlockRun<T>::skip(std::uint64_t steps, const GoOn& go_on) -> Outcome {
  Outcome outcome = Outcome::goes_on;
  for (std::uint64_t now; steps > 0 && outcome == Outcome::goes_on; steps -= now) {
    now = std::min(steps, stretch);
    outcome = advance(1, now, nullptr, go_on);
  }
  return outcome;
}

template <class T>
bool BlockRun<T>::run(std::span<const std::unique_ptr<BlockSink>> sinks, const GoOn& go_on) {
  guard_.watch_burn_in(memory_.state);
  Outcome outcome = skip(options_.burn_in_steps(), go_on);
  burning_in_ = false;
  if (options_.burn_in_steps() > 0) guard_.end_burn_in(block_.members.size());

  std::size_t sample_size = memory_.state.size();
  std::uint64_t cadence = static_cast<std::uint64_t>(options_.cadence), seen = std::min(cadence, stretch);
  std::uint64_t at_once = std::clamp<std::uint64_t>(record_bytes / (sample_size * sizeof(T)), 1, stretch / seen);
  kernel::AlignedArray<T> record(at_once * sample_size);
  for (std::uint64_t sample = 0; sample < options_.samples() && outcome == Outcome::goes_on;) {
    std::uint64_t count = std::min(at_once, options_.samples() - sample);
    if (cadence > seen) outcome = skip(cadence - seen, go_on);
    if (outcome == Outcome::goes_on) outcome = advance(count, seen, record.data(), go_on);
    if (outcome != Outcome::goes_on) break;
    for (const auto& sink : sinks)
      sink->consume(Record<T>{record.data(), sample, count, stepper_.rows(), stepper_.lanes()});
    sample += count;
  }
  return outcome != Outcome::stopped;
}

template <class T>
std::vector<bool> BlockRun<T>::sound() const {
  std::vector<bool> result;
  for (int lane = 0; lane < static_cast<int>(block_.members.size()); ++lane) result.push_back(guard_.sound(lane));
  return result;
}

template class BlockRun<float>;
template class BlockRun<double>;

}  // namespace gfdt::simulate
