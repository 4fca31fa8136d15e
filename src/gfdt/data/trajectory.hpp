#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::data {

/// A field as it is stored: its sites run over `axes`, the last fastest, whatever the order of the indices in its
/// label.
struct RecordedField {
  symbolic::Field field;
  std::vector<symbolic::Index> axes;

  std::size_t sites() const;
};

/// A whole trajectory in memory: values[(member * times + time) * variables + variable].
struct Trajectory {
  std::vector<std::string> variables;  ///< "x", "X[0]", "Y[3,7]"
  std::vector<RecordedField> fields;   ///< the same, where the file names its dimensions; empty for CSV
  double start = 0;
  double interval = 0;  ///< between times; 0 when there is only one
  std::size_t members = 0;
  std::size_t times = 0;
  std::vector<double> values;

  double at(std::size_t member, std::size_t time, std::size_t variable) const {
    return values[(member * times + time) * variables.size() + variable];
  }
};

/// What a trajectory file will hold. Names must differ from `time` and `member`.
struct TrajectoryLayout {
  std::vector<RecordedField> fields;
  std::size_t members = 0;
  std::size_t times = 0;
  double start = 0;
  double interval = 1;
  bool single_precision = false;  ///< netCDF stores float

  std::size_t variables() const;
};

/// The states of a model in the order in which a simulation stores them.
std::vector<RecordedField> recorded_states(const symbolic::Model& model);

/// `Y[3,7]`: the column of every site, in the order of storage, indices in the order of the field's label.
std::vector<std::string> column_names(std::span<const RecordedField> fields);

/// Reads CSV or netCDF, told apart by the first bytes of the file. Throws Error or InputError.
Trajectory read_trajectory(const std::filesystem::path& file);

/// The mean interval of increasing times, or the number of the first whose distance from the one before is off by more
/// than a fifth: room for rounded times and for months, none for a missing row.
struct Spacing {
  double interval = 0;  ///< 0 for a single time
  std::optional<std::size_t> uneven;
};
Spacing spacing_of(std::span<const double> times);

/// members · times · variables; throws Error when that many numbers do not fit into the available memory.
std::size_t affordable_size(const std::string& file, std::size_t members, std::size_t times, std::size_t variables);

}  // namespace gfdt::data
