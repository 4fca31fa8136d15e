#include "gfdt/gpu/codegen/device_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/base/philox.hpp"
#include "gfdt/codegen/program/unrolled.hpp"
#include "gfdt/gpu/codegen/device_form.hpp"
#include "gfdt/gpu/codegen/device_loops.hpp"

namespace gfdt::codegen {

/// Text of the hardware functions, of the formula functions and random numbers, and of DeviceSpan.
extern const char *const device_intrinsics_text, *const device_math_text, *const device_span_text;

namespace {

/// Code of one step for each noise phase.
std::string step_cases(const Routine& routine) {
  const int phases = noise_phases(routine);
  std::string text;
  for (int n = 0; n < phases; ++n) {
    const Unrolled step = unroll(routine, n * routine.noise_rows % 4);
    const std::string open = phases == 1 ? "      {\n" : fmt::format("      if (step % {} == {}) {{\n", phases, n);
    text += open + step.text;
    for (std::size_t row = 0; row < step.results.size(); ++row)
      text += fmt::format("    x{} = {};\n", row, step.results[row]);
    text += "      }\n";
  }
  return text;
}

/// Stability check of a member: the largest magnitude of each field relative to its scale.
std::string guard_text(const DeviceModel& model) {
  std::string text;
  int row = 0;
  for (std::size_t field = 0; field < model.sites.size(); ++field) {
    text += "        {\n          Real largest = 0, size;\n";
    for (int site = 0; site < model.sites[field]; ++site, ++row)
      text += fmt::format("          size = ::fabs(x{}); largest = size > largest || size != size ? size : largest;\n",
                          row);
    text += fmt::format(R"(          Real& known = scale[(block * {} + {}) * lanes + lane];
          if (!(largest / Real(1e6) <= known)) lost = 1;
          if (in_burn_in && !lost && largest > known) known = largest;
        }}
)",
                        model.sites.size(), field);
  }
  return text;
}

std::string unrolled_values(const Routine& routine) {
  const Unrolled values = unroll(routine);
  std::string text;
  for (int row = 0; row < routine.state_rows; ++row)
    text += fmt::format("    const Real x{0} = from[{0} * lanes];\n", row);
  text += values.text;
  for (std::size_t row = 0; row < values.results.size(); ++row)
    text += fmt::format("    value[{}] = {};\n", row, values.results[row]);
  return text;
}

std::string looped_values(const Routine& routine) {
  std::string text = fmt::format("    Real scratch[{}];\n", std::max(1, routine.scratch_rows));
  DeviceNames names{[](Region region, const std::string& row) {
    if (region == Region::state) return fmt::format("Real(from[({}) * lanes])", row);
    return fmt::format("{}[{}]", region == Region::output ? "value" : "scratch", row);
  }};
  for (const Program& stage : routine.stages) {
    for (const Loop& loop : stage.loops) text += "    {\n" + whole_loop(stage, loop, names) + "    }\n";
    names.first_uniform += stage.uniforms.size();
  }
  return text;
}

}  // namespace

std::string device_intrinsics() { return device_intrinsics_text; }

int uniform_count(const Routine& routine) {
  std::size_t count = 0;
  for (const Program& stage : routine.stages) count += stage.uniforms.size();
  return static_cast<int>(count);
}

std::string device_opening(const Routine& routine, const std::string& real) {
  std::string text = fmt::format("typedef {} Real;\n", real);
  text += device_math_text;
  text += fmt::format("\nstruct Uniforms {{ Real value[{}]; }};\nconstexpr unsigned lanes = {};\n",
                      std::max(1, uniform_count(routine)), device_lanes);
  return text;
}

std::string device_step_opening(const Routine& routine, const std::string& real) {
  return device_opening(routine, real) + device_span_text;
}

std::string device_evaluation_source(const Routine& routine, const std::string& real) {
  std::string text = device_opening(routine, real);
  text += fmt::format(R"(
namespace gfdt_device {{
constexpr unsigned state_rows = {}, quantities = {};
template <class From, class To>
GFDT_DEVICE void evaluate(const Uniforms& u, const From* from, To&& value) {{
)",
                      routine.state_rows, routine.output_rows);
  text += evaluation_form(routine) == DeviceForm::unrolled ? unrolled_values(routine) : looped_values(routine);
  return text + "}\n}  // namespace gfdt_device\n";
}

std::string device_step_source(const Routine& routine, const DeviceModel& model, const std::string& real) {
  std::string text = device_step_opening(routine, real);
  std::string load, store, record;
  for (int row = 0; row < routine.state_rows; ++row) {
    load += fmt::format("  Real x{0} = own[{0} * lanes];\n", row);
    store += fmt::format("  own[{0} * lanes] = x{0};\n", row);
    record += fmt::format("        to[{0} * lanes] = x{0};\n", row);
  }
  const std::string time =
      model.ends_with_time
          ? fmt::format("        if (step % 512 == 0) x{} = Real(double(step) * span.dt);\n", routine.state_rows - 1)
          : "";
  text += fmt::format(
      R"(
namespace gfdt_device {{
extern "C" __global__ void __launch_bounds__(128) gfdt_advance(const Uniforms u, const DeviceSpan span, Real* state, Real* scale,
                                                               unsigned* unsound, unsigned* lost_members,
                                                               const unsigned* streams, Real* record) {{
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, block = thread / lanes, lane = thread % lanes;
  if (block >= span.blocks) return;
  const unsigned stream = streams[thread];
  unsigned lost = unsound[thread];
  Real* const own = state + static_cast<unsigned long long>(block) * {rows} * lanes + lane;
  Real* to = record + block * span.stride + lane;
{load}
  unsigned long long step = span.step;
  unsigned to_sample = step < span.burn_in ? 0 : span.cadence - static_cast<unsigned>((step - span.burn_in) % span.cadence);
  while (step < span.end) {{
    {{
      const auto noise_block = [&](unsigned n) {{
        return normals(step * {noises} / 4 + n, stream, {noise}u, span.seed);
      }};
      const auto sign_word = [&](unsigned n) {{ return word_of_signs(step * {signs} / 32 + n, stream, {sign}u, span.seed); }};
      const unsigned first_sign = static_cast<unsigned>(step * {signs} % 32);
      (void)noise_block, (void)sign_word, (void)first_sign;
{cases}
    }}
    ++step;
    if (to_sample != 0 && --to_sample == 0) {{
      if (span.recorded) {{
{record}
        to += {rows} * lanes;
      }}
      to_sample = span.cadence;
    }}
    if (step == span.burn_in) to_sample = span.cadence;
    if (step % 512 == 0 || step == span.burn_in || step == span.total) {{
        const bool in_burn_in = step <= span.burn_in;
{guard}{time}
    }}
  }}
{store}
  if (lost && !unsound[thread]) {{
    unsound[thread] = lost;
    atomicAdd(lost_members, 1);
  }}
}}
}}  // namespace gfdt_device
)",
      fmt::arg("rows", routine.state_rows), fmt::arg("load", load), fmt::arg("store", store),
      fmt::arg("record", record), fmt::arg("noises", routine.noise_rows), fmt::arg("signs", routine.sign_rows),
      fmt::arg("noise", static_cast<std::uint32_t>(Purpose::noise)),
      fmt::arg("sign", static_cast<std::uint32_t>(Purpose::signs)), fmt::arg("cases", step_cases(routine)),
      fmt::arg("guard", guard_text(model)), fmt::arg("time", time));
  return text;
}

}  // namespace gfdt::codegen
