#include "gfdt/gpu/codegen/group_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "gfdt/base/philox.hpp"
#include "gfdt/gpu/codegen/device_loops.hpp"
#include "gfdt/gpu/codegen/group_phases.hpp"

namespace gfdt::codegen {

/// Text of the code for the workers and of the kernel.
extern const char *const group_work_text, *const group_kernel_text;

namespace {

constexpr int threads_a_warp = 32, most_threads = 256, fewest_threads = 128;
/// Number of members whose samples fill one memory transaction of the device.
constexpr int members_to_write = 8;
/// Number of groups per multiprocessor: while one group waits at a barrier, others continue.
constexpr int groups_at_once = 4;
/// Fewer sums than this, over at least as many sites, are computed in parts.
constexpr int many_sums = 32;

/// Rounds up to a multiple of `unit`.
int whole(int value, int unit) { return (value + unit - 1) / unit * unit; }

/// Rows required for random numbers, for any position of a step's first number in its block or word.
int noise_room(const Routine& routine) { return routine.noise_rows == 0 ? 0 : whole(routine.noise_rows + 3, 4); }
int sign_room(const Routine& routine) { return routine.sign_rows == 0 ? 0 : whole(routine.sign_rows + 31, 32); }

/// Number of parts of a loop's sums; 1 if dividing them is not worthwhile.
int parts_of(const Loop& loop) {
  if (loop.accumulations.empty() || dealt_sites(loop) >= many_sums || loop.indices.back().size < many_sums) return 1;
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::sqrt(loop.indices.back().size))));
}

/// Scratch rows for the parts of a loop's sums.
int rows_of_parts(const Loop& loop) {
  const int parts = parts_of(loop);
  return parts == 1 ? 0 : parts * dealt_sites(loop) * static_cast<int>(loop.accumulations.size());
}

int scratch_room(const Routine& routine) {
  int most = 0;
  for (const Program& stage : routine.stages) {
    int rows = 0;
    for (const Loop& loop : stage.loops) rows += rows_of_parts(loop);
    most = std::max(most, rows);
  }
  return routine.scratch_rows + most;
}

int widest_loop(const Routine& routine) {
  int sites = 1;
  for (const Program& stage : routine.stages)
    for (const Loop& loop : stage.loops) sites = std::max(sites, dealt_sites(loop) * parts_of(loop));
  return sites;
}

std::string number(Region region, const std::string& row) {
  const char* const names[] = {"state", "next", "scratch", "noise", "signs", ""};
  return fmt::format("{}[({}) * members]", names[static_cast<std::size_t>(region)], row);
}

/// Code of one step, from random numbers to the next state.
std::string step_text(const Routine& routine) {
  std::vector<Piece> pieces;
  if (routine.noise_rows > 0)
    pieces.push_back({"    draw_normals(drawn_normals, step, stream, seed, worker);\n",
                      {},
                      {{Region::noise, 0, routine.noise_rows}}});
  if (routine.sign_rows > 0)
    pieces.push_back(
        {"    draw_signs(drawn_signs, step, stream, seed, worker);\n", {}, {{Region::sign, 0, routine.sign_rows}}});
  DeviceNames names{number};
  for (const Program& stage : routine.stages) {
    SumParts parts{1, routine.scratch_rows};
    for (const Loop& loop : stage.loops) {
      Piece piece = piece_of(stage, loop);
      parts.parts = parts_of(loop);
      if (parts.parts == 1) {
        piece.text = dealt_loop(stage, loop, names);
        pieces.push_back(std::move(piece));
        continue;
      }
      const RowRange rows{Region::scratch, parts.first_row, parts.first_row + rows_of_parts(loop)};
      pieces.push_back({sums_of_parts(stage, loop, names, parts), piece.reads, {rows}});
      pieces.push_back({totals_of_parts(stage, loop, names, parts), {rows}, piece.writes});
      parts.first_row = rows.end;
    }
    names.first_uniform += stage.uniforms.size();
  }
  return in_phases(pieces);
}

std::string look_text(const DeviceModel& model) {
  std::string text;
  for (std::size_t field = 0, row = 0; field < model.sites.size(); ++field) {
    text += fmt::format("  look_at_field(state + {} * members, {}, scale[{} * lanes], in_burn_in, lost);\n", row,
                        model.sites[field], field);
    row += static_cast<std::size_t>(model.sites[field]);
  }
  return text;
}

}  // namespace

std::size_t member_bytes(const Routine& routine, std::size_t number_bytes) {
  return static_cast<std::size_t>(2 * routine.state_rows + scratch_room(routine)) * number_bytes +
         static_cast<std::size_t>(noise_room(routine) + sign_room(routine)) * sizeof(float);
}

GroupShape group_shape(const Routine& routine, std::size_t number_bytes, std::size_t group_bytes, int members,
                       int multiprocessors) {
  const std::size_t bytes = member_bytes(routine, number_bytes);
  const int sites = widest_loop(routine);
  GroupShape shape;
  const auto room_for = [&](int more) {
    return static_cast<std::size_t>(more) * bytes <= group_bytes / groups_at_once && more <= device_lanes;
  };
  const auto enough_for = [&](int more) {
    return more <= members_to_write && members / more >= groups_at_once * multiprocessors;
  };
  while (room_for(2 * shape.members) && (sites * shape.members < fewest_threads || enough_for(2 * shape.members)))
    shape.members *= 2;
  const int work = sites * shape.members, rounds = (work + most_threads - 1) / most_threads;
  shape.threads = whole((work + rounds - 1) / rounds, std::max(threads_a_warp, shape.members));
  return shape;
}

std::string group_step_source(const Routine& routine, const DeviceModel& model, const std::string& real,
                              const GroupShape& shape) {
  return device_step_opening(routine, real) +
         fmt::format(R"(
namespace gfdt_device {{
constexpr unsigned members = {members}, workers = {workers}, state_rows = {rows}, scratch_rows = {scratch};
constexpr unsigned fields = {fields}, noises = {noises}, noise_rows = {noise_room}, signs_per_step = {signs};
constexpr unsigned noise_purpose = {noise}, sign_purpose = {sign};
constexpr bool ends_with_time = {time};
}}  // namespace gfdt_device
)",
                     fmt::arg("members", shape.members), fmt::arg("workers", shape.threads / shape.members),
                     fmt::arg("rows", routine.state_rows), fmt::arg("scratch", scratch_room(routine)),
                     fmt::arg("fields", model.sites.size()), fmt::arg("noises", routine.noise_rows),
                     fmt::arg("noise_room", noise_room(routine)), fmt::arg("signs", routine.sign_rows),
                     fmt::arg("noise", static_cast<std::uint32_t>(Purpose::noise)),
                     fmt::arg("sign", static_cast<std::uint32_t>(Purpose::signs)),
                     fmt::arg("time", model.ends_with_time)) +
         group_work_text +
         fmt::format(R"(
namespace gfdt_device {{
/// Pointers start at the member's own number in the first row.
GFDT_DEVICE void take_step(const Uniforms& u, const Real* state, Real* next, Real* scratch, float* drawn_normals,
                           float* drawn_signs, unsigned long long step, unsigned stream, unsigned long long seed,
                           unsigned worker) {{
  const float* const noise = drawn_normals + step * noises % 4 * members;
  const float* const signs = drawn_signs + step * signs_per_step % 32 * members;
{}}}

GFDT_DEVICE void look_at_fields(const Real* state, Real* scale, bool in_burn_in, unsigned& lost) {{
{}}}
}}  // namespace gfdt_device
)",
                     step_text(routine), look_text(model)) +
         group_kernel_text;
}

}  // namespace gfdt::codegen
