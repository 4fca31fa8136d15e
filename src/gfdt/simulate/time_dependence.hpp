#pragma once

#include <string>

#include "gfdt/simulate/options.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::simulate {

/// Reason, as a sentence, why a model cannot run in this precision; empty if it can.
std::string precision_problem(const symbolic::Model& model, Precision precision);

/// Largest multiple of three periods of the model that does not exceed `length` (0 if there is none), so that the run
/// and each third of it consist of whole periods. Returns `length` for a model without a period.
double length_in_whole_periods(const symbolic::Model& model, double length);

/// Whether the samples of a run cover a multiple of three periods, up to the interval between samples.
bool holds_whole_periods(const symbolic::Model& model, const Options& options);

}  // namespace gfdt::simulate
