#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments.hpp"

namespace gfdt::app {

/// Reference values of an experiment. Matrices are [observable][parameter], in the order of the model.
struct ExperimentTruth {
  std::string source;
  std::vector<double> statistics, statistics_error;
  std::vector<double> standard_deviation;  ///< of the observables
  std::vector<double> jacobian, jacobian_error;
};

/// Computed by quadrature for one scalar state; otherwise from stored long perturbed runs, if available.
std::optional<ExperimentTruth> experiment_truth(const Experiment& experiment, const symbolic::Model& model);

/// A table of the paper; columns that it leaves out are NaN.
struct PaperTable {
  struct Method {
    std::string name;
    std::vector<double> jacobian;  ///< as printed
    std::vector<double> meant;     ///< with the sign that corresponds to the drift as written
  };
  std::string source;
  std::vector<Method> methods;
  std::vector<std::string> remarks;
};

/// Empty if the paper has no table.
PaperTable paper_table(const Experiment& experiment, const symbolic::Model& model);

}  // namespace gfdt::app
