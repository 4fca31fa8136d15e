#pragma once

#include <string>

#include "gfdt/simulate/options.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::simulate {

/// Why a model cannot run in this precision, as a sentence; empty when it can.
std::string precision_problem(const symbolic::Model& model, Precision precision);

/// The longest multiple of three periods of the model within `length`, 0 when there is none: such a run, and each third
/// of it, holds whole periods. The length itself for a model without a period.
double length_in_whole_periods(const symbolic::Model& model, double length);

/// Whether the samples of a run cover a multiple of three periods, to within the interval between them.
bool holds_whole_periods(const symbolic::Model& model, const Options& options);

}  // namespace gfdt::simulate
