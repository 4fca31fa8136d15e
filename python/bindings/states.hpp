#pragma once

#include <pybind11/numpy.h>

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "gfdt/io/trajectory_writer.hpp"
#include "gfdt/simulate/sink.hpp"
#include "gfdt/statistics/average.hpp"

namespace gfdt::python {

/// Keeps a trajectory in memory: [member][time][variable].
class MemoryWriter : public io::TrajectoryWriter {
 public:
  /// Throws Error where it does not fit.
  explicit MemoryWriter(const io::TrajectoryLayout& layout);

  std::vector<double> take() { return std::move(values_); }
  std::vector<std::size_t> shape() const;

 private:
  void write(std::size_t member, std::size_t first_time, std::size_t times, std::span<const double> values) override;
  void complete() override {}

  std::vector<double> values_;
};

/// A function of Python's: states (n, dimension) to values (n,). The function must outlive it.
struct Observed {
  std::string name;
  py::handle function;
};

/// Averages of functions of Python's over a run.
class ObservedSink : public simulate::Sink {
 public:
  ObservedSink(std::vector<Observed> observed, int dimension, const simulate::Options& options);

  std::unique_ptr<simulate::BlockSink> open(const simulate::Block& block) override;
  void close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
             const std::vector<bool>& sound) override;
  std::vector<statistics::Average> averages() const;
  std::vector<std::vector<double>> member_means() const;  ///< [function][member]

 private:
  class Block;
  std::vector<Observed> observed_;
  int dimension_;
  simulate::Options options_;
  std::vector<std::vector<statistics::MemberSums>> sums_;  ///< [function][member]
  std::uint64_t group_ = 1;
};

}  // namespace gfdt::python
