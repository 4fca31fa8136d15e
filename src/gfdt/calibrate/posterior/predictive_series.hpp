#pragma once

#include "gfdt/calibrate/posterior/predictive.hpp"

namespace gfdt::calibrate {

/// A quantity of a run that is evaluated as a series or only as an average.
struct Quantity {
  std::string name;
  std::string kind;
  std::vector<std::string> components;  ///< states whose mean it is, unless it is an observable
  const symbolic::Observable* observable = nullptr;
  std::vector<double> record;  ///< NaN for missing values; empty if it is not in the record
  bool shown = true;           ///< whether it is shown as a series; otherwise only its average is used
};

/// The quantities of a model to evaluate: those of the record, then states, then observables for their averages.
std::vector<Quantity> quantities_of(const symbolic::Model& model, const Record* record);

/// The values of quantities in a run; values missing in the record are missing here, too. `model` must have the
/// observables of the quantities, by name.
std::vector<std::vector<double>> values_of(const std::vector<Quantity>& quantities, const symbolic::Model& model,
                                           const Record& run);

/// `draws` and `guess`: values of one quantity in each run.
PredictiveSeries series_of(const Quantity& quantity, const std::vector<std::vector<double>>& draws,
                           const std::vector<std::vector<double>>& guess, double interval);

void add_statistic(const Quantity& quantity, const std::vector<std::vector<double>>& draws,
                   PredictiveStatistics& statistics);

}  // namespace gfdt::calibrate
