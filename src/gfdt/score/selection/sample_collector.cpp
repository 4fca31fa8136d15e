#include "gfdt/score/selection/sample_collector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/philox.hpp"
#include "gfdt/codegen/program/component_names.hpp"

namespace gfdt::score {
namespace {

/// `count` indices out of `samples`, each in the middle of its share: ⌊samples (i + ½)/count⌋ up to rounding.
std::vector<std::uint64_t> evenly_spread(std::uint64_t samples, std::uint64_t count) {
  const std::uint64_t stride = samples / count, rest = samples % count;
  std::vector<std::uint64_t> positions;
  for (std::uint64_t i = 0; i < count; ++i) positions.push_back(i * stride + i * rest / count + stride / 2);
  return positions;
}

}  // namespace

Arrangement arrangement_of(const symbolic::Model& model) {
  const auto& indices = model.states.at(0).indices;
  const bool ring = indices.size() == 1 && std::ranges::all_of(model.states, [&](const symbolic::Field& state) {
                      return state.indices == indices;
                    });
  if (!ring) return {model.dimension(), 1};
  return {static_cast<int>(model.states.size()), indices[0].size};
}

/// [kept sample][row][member of the block]
class SampleCollector::Block : public simulate::BlockSinkOf<Block> {
 public:
  Block(const std::vector<std::uint64_t>& positions, std::size_t rows, std::size_t members)
      : positions_(positions), members_(members) {
    values.reserve(positions.size() * rows * members);
  }

  template <class T>
  void take(const simulate::Record<T>& record) {
    const std::size_t size = static_cast<std::size_t>(record.rows) * static_cast<std::size_t>(record.lanes);
    for (; next_ < positions_.size() && positions_[next_] < record.first_sample + record.samples; ++next_) {
      const T* sample = record.data + (positions_[next_] - record.first_sample) * size;
      for (std::size_t row = 0; row < size; row += static_cast<std::size_t>(record.lanes))
        values.insert(values.end(), sample + row, sample + row + members_);
    }
  }

  void pack(Packer& packer) override { packer.put(values); }
  void unpack(Unpacker& unpacker) override { unpacker.get(values); }

 private:
  const std::vector<std::uint64_t>& positions_;
  std::size_t members_, next_ = 0;

 public:
  std::vector<double> values;
};

SampleCollector::SampleCollector(const symbolic::Model& model, const simulate::Options& options, std::size_t wanted)
    : arrangement_(arrangement_of(model)), names_(codegen::component_names(model)), length_(options.length) {
  if (std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  if (wanted == 0) throw Error("No samples are wanted; ask for at least one.");
  const std::size_t members = static_cast<std::size_t>(options.members);
  const std::uint64_t count = (wanted + members - 1) / members;
  positions_ = evenly_spread(options.samples(), std::min(count, options.samples()));
  members_.resize(members);
}

std::unique_ptr<simulate::BlockSink> SampleCollector::open(const simulate::Block& block) {
  return std::make_unique<Block>(positions_, names_.size(), block.members.size());
}

void SampleCollector::close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
                            const std::vector<bool>& sound) {
  const std::vector<double>& values = static_cast<const Block&>(*sink).values;
  const std::size_t lanes = block.members.size(), rows = positions_.size() * names_.size();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (!sound[lane]) continue;
    std::vector<double>& member = members_[block.members[lane]];
    member.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) member[row] = values[row * lanes + lane];
  }
}

Samples SampleCollector::samples(double memory) const {
  const std::size_t count = positions_.size();
  std::size_t segments = 1;
  if (members_.size() < wanted_groups && memory > 0) {
    const double longest = std::floor(length_ / (memories_per_segment * memory));
    const std::size_t wanted = (wanted_groups + members_.size() - 1) / members_.size();
    segments = std::min({wanted, static_cast<std::size_t>(std::clamp(longest, 1.0, 1e6)), count});
  }
  return samples_in_segments(segments);
}

Samples SampleCollector::samples_in_segments(std::size_t segments) const {
  const std::size_t count = positions_.size();
  Samples result{arrangement_, names_, {}, {}};
  for (std::size_t member = 0; member < members_.size(); ++member) {
    if (members_[member].empty()) continue;
    result.values.insert(result.values.end(), members_[member].begin(), members_[member].end());
    for (std::size_t i = 0; i < count; ++i)
      result.group.push_back(static_cast<std::uint32_t>(member * segments + i * segments / count));
  }
  return result;
}

simulate::Options held_out_run(simulate::Options options) {
  constexpr std::uint32_t stream = 0x686f6c64;
  options.seed = codegen::Stream(options.seed, codegen::Purpose::sampling, stream).wide(0);
  return options;
}

Samples draw_samples(const symbolic::Model& model, const simulate::Options& options, std::size_t wanted,
                     const simulate::Control& control, simulate::Summary* summary, double memory) {
  SampleCollector collector(model, options, wanted);
  simulate::Sink* const sinks[] = {&collector};
  const simulate::Summary run = simulate::run(model, options, sinks, control);
  if (summary)
    *summary = run;
  else if (run.status != simulate::Status::done)
    throw Error(run.explanation);
  return collector.samples(memory);
}

}  // namespace gfdt::score
