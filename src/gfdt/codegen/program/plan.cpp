#include "gfdt/codegen/program/plan.hpp"

#include <algorithm>

namespace gfdt::codegen {
namespace {

int place(std::vector<Buffer>& buffers, std::span<const Field> fields, Region region, const std::string& prefix = "") {
  int row = 0;
  for (const Field& field : fields) {
    buffers.push_back({{prefix + field.name, field.indices}, region, row});
    row += field.sites();
  }
  return row;
}

}  // namespace

std::string next_name(const Field& state) { return "next." + state.name; }

int total_rows(std::span<const Field> fields) {
  int rows = 0;
  for (const Field& field : fields) rows += field.sites();
  return rows;
}

DrawSize draw_size(int rows_per_step) {
  constexpr int rows_at_once = 48;
  if (rows_per_step == 0) return {};
  int steps = std::max(1, rows_at_once / rows_per_step);
  return {steps, (steps * rows_per_step + 2 * 3) / 4 * 4};
}

Routine lower(const StepPlan& plan) {
  Routine routine;
  std::vector<Buffer> buffers;
  routine.state_rows = place(buffers, plan.states, Region::state);
  place(buffers, plan.states, Region::next, "next.");
  routine.scratch_rows = place(buffers, plan.scratch, Region::scratch);
  routine.noise_rows = place(buffers, plan.noises, Region::noise);
  routine.sign_rows = place(buffers, plan.signs, Region::sign);
  for (const auto& stage : plan.stages) {
    routine.stages.push_back(lower(stage, buffers, {plan.index_order, total_rows(plan.scratch)}));
    routine.scratch_rows = std::max(routine.scratch_rows, routine.stages.back().scratch_rows);
  }
  return routine;
}

Routine lower(const EvaluationPlan& plan) {
  Routine routine;
  std::vector<Buffer> buffers;
  routine.state_rows = place(buffers, plan.states, Region::state);
  std::vector<Field> targets;
  for (const Assignment& output : plan.outputs) targets.push_back(output.target);
  routine.output_rows = place(buffers, targets, Region::output);
  routine.stages.push_back(lower(plan.outputs, buffers, {plan.index_order, 0}));
  routine.scratch_rows = routine.stages.back().scratch_rows;
  return routine;
}

}  // namespace gfdt::codegen
