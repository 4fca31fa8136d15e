#pragma once

#include <map>
#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::calibrate {

/// Quantities measured at the same evenly spaced times.
struct Record {
  std::string name;  ///< for display
  /// State variables (`x`, `X[3]`) and observables of a model, all with the same number of values; NaN for missing
  /// ones.
  std::map<std::string, std::vector<double>> series;
  double interval = 0;                              ///< time between rows, in time units of the model; 0 if unknown
  std::map<std::string, std::string> columns = {};  ///< names of the columns of the file, by series

  std::size_t rows() const { return series.empty() ? 0 : series.begin()->second.size(); }
};

/// Names of the state variables that occur in a formula; for a field, of all its sites.
std::vector<std::string> needed_series(const symbolic::Model& model, const symbolic::Expression& formula);

/// The values of observables at every row, computed from the states of the record. A state that is not in the record is
/// taken as 0; the value is NaN if a state that the observable needs is missing in that row.
std::vector<std::vector<double>> computed_series(const symbolic::Model& model,
                                                 const std::vector<const symbolic::Observable*>& observables,
                                                 const Record& record);

}  // namespace gfdt::calibrate
