#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gfdt/data/trajectory_writer.hpp"

namespace gfdt::data {

/// A scalar and two fields; the label of Y lists its indices in the opposite order to the storage.
inline TrajectoryLayout small_layout(std::size_t members = 3, std::size_t times = 5) {
  const symbolic::Index k{"k", 2}, j{"j", 3};
  return {.fields = {{{"x", {}}, {}}, {{"X", {k}}, {k}}, {{"Y", {j, k}}, {k, j}}},
          .members = members,
          .times = times,
          .start = 0.5,
          .interval = 0.25,
          .single_precision = false};
}

/// A number without a short decimal form that identifies its member, time and variable.
inline double value_at(std::size_t member, std::size_t time, std::size_t variable) {
  return std::sin(1 + static_cast<double>(member) + 100 * static_cast<double>(time) +
                  0.01 * static_cast<double>(variable));
}

template <class T>
void append_times(TrajectoryWriter& writer, const std::vector<std::uint32_t>& members, std::size_t first,
                  std::size_t times, double shift = 0) {
  const std::size_t rows = writer.layout().variables(), lanes = members.size() + 1;
  std::vector<T> data(times * rows * lanes, T(-1));
  for (std::size_t time = 0; time < times; ++time)
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t lane = 0; lane < members.size(); ++lane)
        data[(time * rows + row) * lanes + lane] = static_cast<T>(value_at(members[lane], first + time, row) + shift);
  writer.append(members,
                simulate::Record<T>{data.data(), first, times, static_cast<int>(rows), static_cast<int>(lanes)});
}

/// Writes members in two interleaved blocks and restarts one member.
template <class T = double>
void write_small(TrajectoryWriter& writer) {
  append_times<T>(writer, {2}, 0, 3, 7.0);
  append_times<T>(writer, {1}, 0, 2);
  append_times<T>(writer, {2, 0}, 0, 1);
  append_times<T>(writer, {1}, 2, 3);
  append_times<T>(writer, {2, 0}, 1, 4);
  writer.finish();
}

template <class T = double>
void expect_small(const Trajectory& read) {
  EXPECT_EQ(read.variables, (std::vector<std::string>{"x", "X[0]", "X[1]", "Y[0,0]", "Y[1,0]", "Y[2,0]", "Y[0,1]",
                                                      "Y[1,1]", "Y[2,1]"}));
  ASSERT_EQ(read.members, 3u);
  ASSERT_EQ(read.times, 5u);
  EXPECT_DOUBLE_EQ(read.start, 0.5);
  EXPECT_DOUBLE_EQ(read.interval, 0.25);
  for (std::size_t member = 0; member < 3; ++member)
    for (std::size_t time = 0; time < 5; ++time)
      for (std::size_t variable = 0; variable < 9; ++variable)
        EXPECT_EQ(static_cast<T>(read.at(member, time, variable)), static_cast<T>(value_at(member, time, variable)));
}

}  // namespace gfdt::data
