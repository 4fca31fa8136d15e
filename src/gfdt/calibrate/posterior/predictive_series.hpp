#pragma once

#include "gfdt/calibrate/posterior/predictive.hpp"

namespace gfdt::calibrate {

/// Something of a run that is looked at as a series, or whose average is.
struct Quantity {
  std::string name;
  std::string kind;
  std::vector<std::string> components;  ///< whose mean it is, where it is no observable
  const symbolic::Observable* observable = nullptr;
  std::vector<double> record;  ///< NaN where missing; empty where it is not in the record
  bool shown = true;           ///< as a series; else its average only
};

/// What is looked at in a model: quantities of the record, then states, then observables for their averages.
std::vector<Quantity> quantities_of(const symbolic::Model& model, const Record* record);

/// The values of quantities in a run, missing where they are in the record. `model` has the observables of the
/// quantities by name.
std::vector<std::vector<double>> values_of(const std::vector<Quantity>& quantities, const symbolic::Model& model,
                                           const Record& run);

/// `draws` and `guess`: values of one quantity in each run.
PredictiveSeries series_of(const Quantity& quantity, const std::vector<std::vector<double>>& draws,
                           const std::vector<std::vector<double>>& guess, double interval);

void add_statistic(const Quantity& quantity, const std::vector<std::vector<double>>& draws,
                   PredictiveStatistics& statistics);

}  // namespace gfdt::calibrate
