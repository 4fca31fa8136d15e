#include "states.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/core/error.hpp"
#include "gfdt/statistics/series_sums.hpp"

namespace gfdt::python {

MemoryWriter::MemoryWriter(const io::TrajectoryLayout& layout)
    : io::TrajectoryWriter(layout),
      values_(io::affordable_size("the trajectory", layout.members, layout.times, layout.variables())) {}

std::vector<std::size_t> MemoryWriter::shape() const {
  return {layout().members, layout().times, layout().variables()};
}

void MemoryWriter::write(std::size_t member, std::size_t first_time, std::size_t, std::span<const double> values) {
  std::ranges::copy(values, values_.begin() + static_cast<std::ptrdiff_t>((member * layout().times + first_time) *
                                                                          layout().variables()));
}

class ObservedSink::Block : public simulate::BlockSinkOf<Block> {
 public:
  Block(const std::vector<Observed>& observed, int dimension, int lanes, std::uint64_t samples)
      : sums(static_cast<int>(observed.size()), lanes, samples), observed_(observed), dimension_(dimension) {}

  template <class T>
  void take(const simulate::Record<T>& record) {
    const std::size_t lanes = static_cast<std::size_t>(record.lanes), rows = static_cast<std::size_t>(record.rows);
    const std::size_t width = static_cast<std::size_t>(dimension_), count = record.samples * lanes;
    values_.resize(count * observed_.size());
    const py::gil_scoped_acquire locked;
    py::array_t<double> states({count, width});
    double* state = states.mutable_data();
    for (std::uint64_t sample = 0; sample < record.samples; ++sample)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        for (std::size_t row = 0; row < width; ++row)
          *state++ = static_cast<double>(record.data[(sample * rows + row) * lanes + lane]);
    for (std::size_t q = 0; q < observed_.size(); ++q) evaluate(states, q, record.samples, lanes);
    sums.add(values_.data(), record.samples);
  }

  statistics::SeriesSums sums;

 private:
  void evaluate(const py::array_t<double>& states, std::size_t q, std::size_t samples, std::size_t lanes) {
    const py::array_t<double, py::array::c_style | py::array::forcecast> given(observed_[q].function(states));
    if (given.ndim() != 1 || given.shape(0) != states.shape(0))
      throw Error(
          fmt::format("The observable '{}' must give one number for each state: an array of shape ({},) for "
                      "states of shape ({}, {}).",
                      observed_[q].name, states.shape(0), states.shape(0), states.shape(1)));
    for (std::size_t sample = 0; sample < samples; ++sample)
      std::copy_n(given.data() + sample * lanes, lanes, values_.data() + (sample * observed_.size() + q) * lanes);
  }

  const std::vector<Observed>& observed_;
  int dimension_;
  std::vector<double> values_;  ///< [sample][function][lane]
};

ObservedSink::ObservedSink(std::vector<Observed> observed, int dimension, const simulate::Options& options)
    : observed_(std::move(observed)),
      dimension_(dimension),
      options_(options),
      sums_(observed_.size(), std::vector<statistics::MemberSums>(static_cast<std::size_t>(options.members))) {}

std::unique_ptr<simulate::BlockSink> ObservedSink::open(const simulate::Block& block) {
  return std::make_unique<Block>(observed_, dimension_, block.lanes, options_.samples());
}

void ObservedSink::close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
                         const std::vector<bool>& sound) {
  const statistics::SeriesSums& sums = static_cast<const Block&>(*sink).sums;
  group_ = sums.group();
  for (std::size_t lane = 0; lane < block.members.size(); ++lane)
    for (std::size_t q = 0; q < observed_.size() && sound[lane]; ++q)
      sums_[q][block.members[lane]] = sums.member(static_cast<int>(q), static_cast<int>(lane));
}

std::vector<statistics::Average> ObservedSink::averages() const {
  std::vector<statistics::Average> result;
  for (std::size_t q = 0; q < observed_.size(); ++q)
    result.push_back(statistics::average(observed_[q].name, sums_[q], options_.sample_interval(), group_));
  return result;
}

std::vector<std::vector<double>> ObservedSink::member_means() const {
  std::vector<std::vector<double>> result;
  for (const auto& members : sums_) {
    std::vector<double>& means = result.emplace_back();
    for (const statistics::MemberSums& member : members) means.push_back(member.mean());
  }
  return result;
}

}  // namespace gfdt::python
