#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "experiment_reference.hpp"
#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

namespace gfdt::app {

struct OurJacobian {
  std::string name;  ///< as for `gfdt jacobian --compare`
  jacobian::GfdtJacobian result;
};

/// Results of an experiment, the paper's numbers and the reference values.
struct Comparison {
  const Experiment& experiment;
  const symbolic::Model& model;
  std::optional<ExperimentTruth> truth;
  PaperTable paper;
  std::vector<OurJacobian> ours = {};

  /// ‖S − S*‖/‖S*‖ of every column; empty without a truth or a Jacobian.
  std::vector<double> column_errors(const std::vector<double>& jacobian) const;
  /// Column errors that are expected from the standard errors.
  std::vector<double> expected_column_errors(const std::vector<double>& standard_errors) const;
};

/// Statistics, entries, column errors and what was found.
void print_comparison(std::FILE* file, const Comparison& comparison);

}  // namespace gfdt::app
