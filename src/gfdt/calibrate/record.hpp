#pragma once

#include <map>
#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::calibrate {

/// Quantities measured at the same evenly spaced times.
struct Record {
  std::string name;  ///< for people
  /// State variables (`x`, `X[3]`) and observables of a model; as many values each, NaN where one is missing.
  std::map<std::string, std::vector<double>> series;
  double interval = 0;                              ///< time of the model between rows; 0 where it is not known
  std::map<std::string, std::string> columns = {};  ///< of the file, by series

  std::size_t rows() const { return series.empty() ? 0 : series.begin()->second.size(); }
};

/// Names of the state variables that stand in a formula; of a field all sites.
std::vector<std::string> needed_series(const symbolic::Model& model, const symbolic::Expression& formula);

/// The values of observables at every row, computed from the states in the record, which are taken as 0 where they are
/// not in it; NaN where one that is needed is missing.
std::vector<std::vector<double>> computed_series(const symbolic::Model& model,
                                                 const std::vector<const symbolic::Observable*>& observables,
                                                 const Record& record);

}  // namespace gfdt::calibrate
