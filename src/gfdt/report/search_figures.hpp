#pragma once

#include <vector>

#include "gfdt/report/calibration_path.hpp"
#include "gfdt/report/plot.hpp"

namespace gfdt::report {

/// Each statistic during the search, relative to its target.
Figure statistics_figure(const RunDocuments& run, const std::vector<CalibrationPath>& paths);

/// Each parameter during the search, relative to its true value or to the answer.
Figure parameters_figure(const RunDocuments& run, const std::vector<CalibrationPath>& paths);

/// Legend of figures with one line per calibration.
std::vector<Key> keys_of_methods(const std::vector<CalibrationPath>& paths);

/// Puts ticks at whole steps.
void count_steps(Json& layout, const std::vector<CalibrationPath>& paths);

template <class Get>
Values each(const CalibrationPath& path, Get get) {
  Values values;
  for (const CalibrationPath::Point& point : path.points) values.push_back(get(point));
  return values;
}

}  // namespace gfdt::report
