#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::data {

/// A field in storage order: its sites run over `axes`, the last varying fastest, regardless of the order of indices in
/// its label.
struct RecordedField {
  symbolic::Field field;
  std::vector<symbolic::Index> axes;

  std::size_t sites() const;
};

/// A trajectory in memory: values[(member * times + time) * variables + variable].
struct Trajectory {
  std::vector<std::string> variables;  ///< names such as "x", "X[0]", "Y[3,7]"
  std::vector<RecordedField> fields;   ///< the same as fields if the file names its dimensions; empty for CSV
  double start = 0;
  double interval = 0;  ///< time between rows; 0 if there is only one
  std::size_t members = 0;
  std::size_t times = 0;
  std::vector<double> values;

  double at(std::size_t member, std::size_t time, std::size_t variable) const {
    return values[(member * times + time) * variables.size() + variable];
  }
};

/// Contents of a trajectory file. Names must differ from `time` and `member`.
struct TrajectoryLayout {
  std::vector<RecordedField> fields;
  std::size_t members = 0;
  std::size_t times = 0;
  double start = 0;
  double interval = 1;
  bool single_precision = false;  ///< netCDF files store single precision

  std::size_t variables() const;
};

/// States of a model in the order in which a simulation stores them.
std::vector<RecordedField> recorded_states(const symbolic::Model& model);

/// Column name of every site in storage order, such as `Y[3,7]`, with indices in the order of the field's label.
std::vector<std::string> column_names(std::span<const RecordedField> fields);

/// Reads a CSV or netCDF file; the first bytes determine the format. Throws Error or InputError.
Trajectory read_trajectory(const std::filesystem::path& file);

/// Mean interval of increasing times, or the index of the first time whose interval differs by more than a fifth from
/// the median. This tolerates rounded times and months, but not a missing row.
struct Spacing {
  double interval = 0;  ///< 0 for a single time
  std::optional<std::size_t> uneven;
};
Spacing spacing_of(std::span<const double> times);

/// Returns members · times · variables. Throws Error if that many numbers do not fit into the available memory.
std::size_t affordable_size(const std::string& file, std::size_t members, std::size_t times, std::size_t variables);

}  // namespace gfdt::data
