#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

/// One step of a scheme, in formulas: stages of assignments over the state, the step's random numbers and scratch
/// fields. The last stage assigns the state after the step, under the name `next_name` gives.
struct StepPlan {
  std::vector<Index> index_order;
  std::vector<Field> states;
  std::vector<Field> noises;   ///< standard normals, fresh at every step
  std::vector<Field> signs;    ///< ±1 with equal odds, fresh at every step
  std::vector<Field> scratch;  ///< written by one stage, read by later ones
  std::vector<std::vector<Assignment>> stages;
};

std::string next_name(const Field& state);

/// Values computed from a state: observables, conjugates.
struct EvaluationPlan {
  std::vector<Index> index_order;
  std::vector<Field> states;
  std::vector<Assignment> outputs;
};

/// A plan made flat. An evaluation is a single stage that writes Region::output.
struct Routine {
  std::vector<Program> stages;
  int state_rows = 0;
  int output_rows = 0;
  int scratch_rows = 0;
  int noise_rows = 0;  ///< a step
  int sign_rows = 0;   ///< a step
};

Routine lower(const StepPlan& plan);
Routine lower(const EvaluationPlan& plan);

/// The uniforms of all stages, one after the other.
template <class T>
std::vector<T> all_uniforms(const Routine& routine, const std::map<std::string, double>& symbols) {
  std::vector<T> values;
  for (const Program& stage : routine.stages)
    for (const double value : uniform_values(stage, symbols)) values.push_back(static_cast<T>(value));
  return values;
}

int total_rows(std::span<const Field> fields);

/// Random numbers are drawn for a few steps at once, so that the generator runs at full speed for small models too.
struct DrawSize {
  int steps = 1;  ///< drawn at once
  int rows = 0;   ///< to hold them: whole blocks of four, wherever the first step falls within a block
};
DrawSize draw_size(int rows_per_step);

}  // namespace gfdt::codegen
