#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments.hpp"

namespace gfdt::app {

/// What the numbers of an experiment should be. Matrices are [observable][parameter], in the order of the model.
struct ExperimentTruth {
  std::string source;
  std::vector<double> statistics, statistics_error;
  std::vector<double> standard_deviation;  ///< of the observables
  std::vector<double> jacobian, jacobian_error;
};

/// By quadrature for one scalar state; else that of long perturbed runs, where it is kept.
std::optional<ExperimentTruth> experiment_truth(const Experiment& experiment, const symbolic::Model& model);

/// A table of the paper; columns that it leaves out are NaN.
struct PaperTable {
  struct Method {
    std::string name;
    std::vector<double> jacobian;  ///< as printed
    std::vector<double> meant;     ///< with the sign of the drift as written
  };
  std::string source;
  std::vector<Method> methods;
  std::vector<std::string> remarks;
};

/// Empty where the paper has none.
PaperTable paper_table(const Experiment& experiment, const symbolic::Model& model);

}  // namespace gfdt::app
