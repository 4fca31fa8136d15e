#include "gfdt/simulate/block_run.hpp"

#include <algorithm>

#include "gfdt/simulate/initial_state.hpp"

namespace gfdt::simulate {
namespace {

/// Number of steps between checks of stability and of requests to stop. The checks occur at multiples of it, so that
/// they do not depend on the sampling of the run.
constexpr std::uint64_t segment = 512;
/// Bytes of samples passed to the sinks at once; small enough for the second-level cache.
constexpr std::size_t record_bytes = 256 * 1024;

}  // namespace

template <class T>
BlockRun<T>::BlockRun(const Model& model, const Options& options, const codegen::Stepper<T>& stepper,
                      const Block& block)
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
    const std::vector<double> state = initial_state(model_, options_.seed, block_.streams[lane]);
    for (std::size_t row = 0; row < state.size(); ++row) memory_.state[row * lanes + lane] = static_cast<T>(state[row]);
  }
}

template <class T>
void BlockRun<T>::set_time() {
  T* time = memory_.state.data() + memory_.state.size() - stepper_.lanes();
  std::fill_n(time, stepper_.lanes(), static_cast<T>(static_cast<double>(clock_.step) * options_.dt));
}

template <class T>
std::uint64_t BlockRun<T>::advance(std::uint64_t end, T* record, std::uint64_t room) {
  std::uint64_t step = clock_.step, burn_in = options_.burn_in_steps(),
                cadence = static_cast<std::uint64_t>(options_.cadence);
  std::uint64_t to_sample = step < burn_in ? burn_in - step : cadence - (step - burn_in) % cadence;
  std::uint64_t samples = 1, interval = std::min(to_sample, end - step);
  bool sampled = step >= burn_in && interval == to_sample;
  if (sampled && interval == cadence) samples = std::min(room, (end - step) / cadence);
  stepper_.advance(memory_, clock_, samples, interval, sampled ? record : nullptr);
  clock_.step += samples * interval;
  return sampled ? samples : 0;
}

template <class T>
bool BlockRun<T>::run(std::span<const std::unique_ptr<BlockSink>> sinks,
                      const std::function<bool(std::uint64_t)>& go_on) {
  std::size_t sample_size = memory_.state.size();
  std::uint64_t room = std::clamp<std::uint64_t>(record_bytes / (sample_size * sizeof(T)), 1, segment);
  codegen::AlignedArray<T> record(room * sample_size);
  std::uint64_t burn_in = options_.burn_in_steps();
  std::uint64_t total = burn_in + options_.samples() * static_cast<std::uint64_t>(options_.cadence);
  for (std::uint64_t seen = 0; clock_.step < total;) {
    std::uint64_t begin = clock_.step, filled = 0;
    std::uint64_t look = std::min((begin / segment + 1) * segment, begin < burn_in ? burn_in : total);
    while (clock_.step < look && filled < room)
      filled += advance(look, record.data() + filled * sample_size, room - filled);
    if (filled > 0)
      for (const auto& sink : sinks)
        sink->consume(Record<T>{record.data(), seen, filled, stepper_.rows(), stepper_.lanes()});
    seen += filled;
    if (clock_.step == look) guard_.watch(memory_.state, look <= burn_in);
    if (model_.time_state && clock_.step % segment == 0) set_time();
    if (!go_on(clock_.step - begin)) return false;
    if (guard_.all_lost(block_.members.size())) break;
  }
  return true;
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
