#include "gfdt/data/trajectory_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <set>

#include "gfdt/base/error.hpp"
#include "gfdt/data/csv/csv.hpp"
#include "gfdt/data/netcdf/netcdf_trajectory.hpp"

namespace gfdt::data {
namespace {

void check(const TrajectoryLayout& layout) {
  std::set<std::string> names{"time", "member"};
  for (const RecordedField& recorded : layout.fields) {
    const std::string& name = recorded.field.name;
    if (!names.insert(name).second)
      throw Error(fmt::format("A trajectory file cannot hold a variable named '{}': the name is taken.", name));
  }
  for (const RecordedField& recorded : layout.fields)
    for (const symbolic::Index& axis : recorded.axes)
      if (names.contains(axis.name))
        throw Error(fmt::format("A trajectory file cannot hold sites named '{}': the name is taken.", axis.name));
  if (layout.fields.empty() || layout.members == 0 || layout.times == 0)
    throw Error("A trajectory to be written has no variables, no members or no times.");
}

/// Passes the samples of one block to a writer.
class BlockWriter : public simulate::BlockSinkOf<BlockWriter> {
 public:
  BlockWriter(TrajectoryWriter* writer, std::vector<std::uint32_t> members)
      : writer_(writer), members_(std::move(members)) {}

  template <class T>
  void take(const simulate::Record<T>& record) {
    if (writer_) writer_->append(members_, record);
  }

  void pack(Packer&) override {}
  void unpack(Unpacker&) override {}

 private:
  TrajectoryWriter* writer_;
  std::vector<std::uint32_t> members_;
};

}  // namespace

TrajectoryWriter::TrajectoryWriter(TrajectoryLayout layout)
    : layout_(std::move(layout)), times_written_(layout_.members, 0) {
  check(layout_);
}

template <class T>
void TrajectoryWriter::append(std::span<const std::uint32_t> members, const simulate::Record<T>& record) {
  const std::size_t rows = static_cast<std::size_t>(record.rows), lanes = static_cast<std::size_t>(record.lanes);
  assert(rows == layout_.variables() && members.size() <= lanes);
  assert(record.first_sample + record.samples <= layout_.times);
  std::vector<double> series(record.samples * rows);
  for (std::size_t lane = 0; lane < members.size(); ++lane) {
    for (std::size_t i = 0; i < series.size(); ++i) series[i] = static_cast<double>(record.data[i * lanes + lane]);
    const std::size_t member = members[lane];
    assert(member < layout_.members);
    std::lock_guard lock(mutex_);
    assert(record.first_sample == 0 || record.first_sample == times_written_[member]);
    write(member, record.first_sample, record.samples, series);
    times_written_[member] = record.first_sample + record.samples;
  }
}

template void TrajectoryWriter::append(std::span<const std::uint32_t>, const simulate::Record<float>&);
template void TrajectoryWriter::append(std::span<const std::uint32_t>, const simulate::Record<double>&);

void TrajectoryWriter::finish() {
  std::lock_guard lock(mutex_);
  for (std::size_t member = 0; member < times_written_.size(); ++member)
    if (times_written_[member] != layout_.times)
      throw Error(fmt::format("The trajectory is not complete: member {} has {} of {} times.", member,
                              times_written_[member], layout_.times));
  complete();
}

std::unique_ptr<TrajectoryWriter> make_trajectory_writer(const std::filesystem::path& file,
                                                         const TrajectoryLayout& layout, const Provenance& provenance) {
  const std::string kind = file.extension().string();
  if (kind == ".csv") return write_csv(file, layout, provenance);
  if (kind == ".nc" || kind == ".nc4") return write_netcdf(file, layout, provenance);
  throw Error(
      fmt::format("The trajectory file '{}' must end in .csv or .nc: the ending chooses the format.", file.string()));
}

TrajectoryLayout trajectory_layout(const symbolic::Model& model, const simulate::Options& options) {
  return {.fields = recorded_states(model),
          .members = static_cast<std::size_t>(options.members),
          .times = options.samples(),
          .start = options.sample_interval(),
          .interval = options.sample_interval(),
          .single_precision = options.precision == simulate::Precision::single_precision};
}

std::unique_ptr<simulate::BlockSink> TrajectorySink::open(const simulate::Block& block) {
  return std::make_unique<BlockWriter>(writer_, block.members);
}

}  // namespace gfdt::data
