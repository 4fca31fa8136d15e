#include "gfdt/codegen/native/native_source.hpp"

#include <fmt/format.h>

#include "gfdt/base/philox.hpp"
#include "gfdt/codegen/native/program_source.hpp"

namespace gfdt::codegen {

/// Text of the headers with vector functions and random numbers in lanes/ and random/.
extern const char* const lanes_text;

namespace {

std::string opening(const Routine& routine, const std::string& real, int lanes) {
  std::string text = lanes_text;
  text += "\nnamespace GFDT_LANES_NAMESPACE {\n";
  text += fmt::format("typedef {} Real;\nconstexpr int lanes = {};\n", real, lanes);
  text += "// Reads that the formulas share between noise, always single precision, and the rest.\n";
  if (real == "double")
    text += "template <class T> GFDT_LANES_INLINE Vector<T> load_as(const double* from) { return load(from); }\n";
  text += "GFDT_LANES_INLINE long wrap(long i, long size) { return i < 0 ? i + size : i >= size ? i - size : i; }\n";
  text += functions_apart();
  for (std::size_t s = 0; s < routine.stages.size(); ++s)
    text += program_source(routine.stages[s], fmt::format("stage{}", s));
  return text;
}

/// Draws the numbers of a few steps at once and then advances row by row.
std::string draw_source(const std::string& what, const std::string& function, Purpose purpose, int rows) {
  if (rows == 0) return fmt::format("      const float* {}_row = nullptr;\n", what);
  return fmt::format(R"(
      if (step >= {0}_end) {{
        const unsigned long long position = step * {3}, first = step;
        {0}_end = end - step < {4} ? end : step + {4};
        {1}({0}, lanes, ids, seed, {2}, position / 4, static_cast<int>((position % 4 + ({0}_end - first) * {3} + 3) / 4));
        {0}_next = {0} + position % 4 * lanes;
      }}
      const float* {0}_row = {0}_next;
      {0}_next += {3} * lanes;
)",
                     what, function, static_cast<std::uint32_t>(purpose), rows, draw_size(rows).steps);
}

std::string stage_calls(const Routine& routine, const std::string& arguments) {
  std::string text;
  std::size_t uniforms = 0;
  for (std::size_t s = 0; s < routine.stages.size(); ++s) {
    text += fmt::format("      stage{}({}, uniforms + {});\n", s, arguments, uniforms);
    uniforms += routine.stages[s].uniforms.size();
  }
  return text;
}

}  // namespace

int native_lanes(int state_rows) { return state_rows <= 8 ? 64 : state_rows <= 24 ? 32 : 16; }

std::string step_source(const Routine& routine, const std::string& real, int lanes) {
  std::string text = opening(routine, real, lanes);
  text += fmt::format(R"(
extern "C" void gfdt_advance(Real** buffers, Real* scratch, [[maybe_unused]] float* noise, [[maybe_unused]] float* sign,
                             [[maybe_unused]] const Real* uniforms, [[maybe_unused]] const unsigned* ids,
                             [[maybe_unused]] unsigned long long seed, unsigned long long step, unsigned long long samples,
                             unsigned long long cadence, Real* record) {{
  Real *state = buffers[0], *next = buffers[1];
  const unsigned long long end = step + samples * cadence;
  [[maybe_unused]] unsigned long long noise_end = 0, sign_end = 0;
  [[maybe_unused]] const float *noise_next = noise, *sign_next = sign;
  for (unsigned long long sample = 0; sample < samples; ++sample) {{
    for (unsigned long long i = 0; i < cadence; ++i, ++step) {{
{}{}{}
      Real* const previous = state;
      state = next;
      next = previous;
    }}
    if (record) {{
      for (int i = 0; i < {} * lanes; i += width<Real>) store<Real>(record + i, load<Real>(state + i));
      record += {} * lanes;
    }}
  }}
  buffers[0] = state;
  buffers[1] = next;
}}
}}  // namespace GFDT_LANES_NAMESPACE
)",
                      draw_source("noise", "normals", Purpose::noise, routine.noise_rows),
                      draw_source("sign", "signs", Purpose::signs, routine.sign_rows),
                      stage_calls(routine, "state, next, scratch, noise_row, sign_row, static_cast<Real*>(nullptr)"),
                      routine.state_rows, routine.state_rows);
  return text;
}

std::string evaluation_source(const Routine& routine, const std::string& real, int lanes) {
  std::string text = opening(routine, real, lanes);
  text += fmt::format(R"(
extern "C" void gfdt_evaluate(const Real* record, unsigned long long samples, Real* values, Real* scratch,
                              [[maybe_unused]] const Real* uniforms) {{
  const float* const none = nullptr;
  for (unsigned long long sample = 0; sample < samples; ++sample) {{
{}
    record += {} * lanes;
    values += {} * lanes;
  }}
}}
}}  // namespace GFDT_LANES_NAMESPACE
)",
                      stage_calls(routine, "record, static_cast<Real*>(nullptr), scratch, none, none, values"),
                      routine.state_rows, routine.output_rows);
  return text;
}

}  // namespace gfdt::codegen
