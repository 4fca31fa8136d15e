#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

/// One time step of a numerical scheme as formulas: stages of assignments over the state, the random numbers of the
/// step and scratch fields. The last stage assigns the state after the step under the names given by `next_name`.
struct StepPlan {
  std::vector<Index> index_order;
  std::vector<Field> states;
  std::vector<Field> noises;   ///< standard normals, new in every step
  std::vector<Field> signs;    ///< ±1 with equal probability, new in every step
  std::vector<Field> scratch;  ///< written by one stage, read by later ones
  std::vector<std::vector<Assignment>> stages;
};

/// Name of a state after the step.
std::string next_name(const Field& state);

/// Quantities computed from a state, such as observables and conjugate observables.
struct EvaluationPlan {
  std::vector<Index> index_order;
  std::vector<Field> states;
  std::vector<Assignment> outputs;
};

/// A plan translated into programs. An evaluation has a single stage, which writes Region::output.
struct Routine {
  std::vector<Program> stages;
  int state_rows = 0;
  int output_rows = 0;
  int scratch_rows = 0;
  int noise_rows = 0;  ///< per step
  int sign_rows = 0;   ///< per step
};

/// Translates a plan into programs. Throws Error if sums are nested too deeply.
Routine lower(const StepPlan& plan);
Routine lower(const EvaluationPlan& plan);

/// Uniforms of all stages, in order.
template <class T>
std::vector<T> all_uniforms(const Routine& routine, const std::map<std::string, double>& symbols) {
  std::vector<T> values;
  for (const Program& stage : routine.stages)
    for (const double value : uniform_values(stage, symbols)) values.push_back(static_cast<T>(value));
  return values;
}

/// Number of rows of all fields.
int total_rows(std::span<const Field> fields);

/// Random numbers are drawn for a few steps at once, which amortizes the setup of the generator for small models.
struct DrawSize {
  int steps = 1;  ///< number of steps drawn at once
  int rows = 0;   ///< rows required: whole blocks of four numbers, for any position of the first step within a block
};
DrawSize draw_size(int rows_per_step);

}  // namespace gfdt::codegen
