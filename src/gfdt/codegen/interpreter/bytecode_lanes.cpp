// Compiled once for each instruction set.
#include "gfdt/codegen/interpreter/bytecode.hpp"
#include "gfdt/codegen/lanes/math.hpp"
#include "gfdt/codegen/program/operation.hpp"

namespace gfdt::codegen {
namespace GFDT_LANES_NAMESPACE {
namespace {

using namespace ::GFDT_LANES_NAMESPACE;

template <class T, class F>
inline __attribute__((always_inline)) void each(CodeRow<T> target, CodeRow<T> a, int sites, F function) {
  for (int s = 0; s < sites; ++s, target.address += target.stride, a.address += a.stride)
    for (int i = 0; i < interpreter_lanes; i += width<T>)
      store<T>(target.address + i, function(load<T>(a.address + i)));
}

template <class T, class F>
inline __attribute__((always_inline)) void each(CodeRow<T> target, CodeRow<T> a, CodeRow<T> b, int sites, F function) {
  for (int s = 0; s < sites; ++s, target.address += target.stride, a.address += a.stride, b.address += b.stride)
    for (int i = 0; i < interpreter_lanes; i += width<T>)
      store<T>(target.address + i, function(load<T>(a.address + i), load<T>(b.address + i)));
}

/// a·b + c. `FixedA` and `FixedC` state that the operand is the same at all sites, as most coefficients are.
template <class T, bool FixedA, bool FixedC>
inline __attribute__((always_inline)) void multiply_add(CodeRow<T> target, CodeRow<T> a, CodeRow<T> b, CodeRow<T> c,
                                                        int sites) {
  for (int i = 0; i < interpreter_lanes; i += width<T>) {
    const Vector<T> fixed_a = load<T>(a.address + i), fixed_c = load<T>(c.address + i);
    for (int s = 0; s < sites; ++s) {
      const Vector<T> x = FixedA ? fixed_a : load<T>(a.address + s * a.stride + i);
      const Vector<T> z = FixedC ? fixed_c : load<T>(c.address + s * c.stride + i);
      store<T>(target.address + s * target.stride + i, x * load<T>(b.address + s * b.stride + i) + z);
    }
  }
}

template <class T>
void multiply_add(CodeRow<T> target, CodeRow<T> a, CodeRow<T> b, CodeRow<T> c, int sites) {
  if (a.stride == 0 && c.stride == 0) return multiply_add<T, true, true>(target, a, b, c, sites);
  if (a.stride == 0) return multiply_add<T, true, false>(target, a, b, c, sites);
  if (c.stride == 0) return multiply_add<T, false, true>(target, a, b, c, sites);
  multiply_add<T, false, false>(target, a, b, c, sites);
}

template <class T>
void execute(const CodeInstruction& instruction, const CodeRow<T>* rows, int n) {
  using V = Vector<T>;
  const CodeRow<T> t = rows[instruction.target], a = rows[instruction.a], b = rows[instruction.b],
                   c = rows[instruction.c];
  switch (static_cast<Op>(instruction.op)) {
    case Op::copy:
      return each<T>(t, a, n, [](V x) { return x; });
    case Op::negate:
      return each<T>(t, a, n, [](V x) { return -x; });
    case Op::add:
      return each<T>(t, a, b, n, [](V x, V y) { return x + y; });
    case Op::subtract:
      return each<T>(t, a, b, n, [](V x, V y) { return x - y; });
    case Op::multiply:
      return each<T>(t, a, b, n, [](V x, V y) { return x * y; });
    case Op::divide:
      return each<T>(t, a, b, n, [](V x, V y) { return x / y; });
    case Op::multiply_add:
      return multiply_add<T>(t, a, b, c, n);
    case Op::sqrt:
      return each<T>(t, a, n, [](V x) { return sqrt(x); });
    case Op::power:
      return each<T>(t, a, b, n, [](V x, V y) { return pow(x, y); });
    case Op::exp:
      return each<T>(t, a, n, [](V x) { return exp(x); });
    case Op::log:
      return each<T>(t, a, n, [](V x) { return log(x); });
    case Op::sin:
      return each<T>(t, a, n, [](V x) { return sin(x); });
    case Op::cos:
      return each<T>(t, a, n, [](V x) { return cos(x); });
    case Op::tan:
      return each<T>(t, a, n, [](V x) { return tan(x); });
    case Op::sinh:
      return each<T>(t, a, n, [](V x) { return sinh(x); });
    case Op::cosh:
      return each<T>(t, a, n, [](V x) { return cosh(x); });
    case Op::tanh:
      return each<T>(t, a, n, [](V x) { return tanh(x); });
    case Op::atan:
      return each<T>(t, a, n, [](V x) { return atan(x); });
    case Op::abs:
      return each<T>(t, a, n, [](V x) { return abs(x); });
    case Op::sign:
      return each<T>(t, a, n, [](V x) { return sign(x); });
    case Op::erf:
      return each<T>(t, a, n, [](V x) { return erf(x); });
    case Op::min:
      return each<T>(t, a, b, n, [](V x, V y) { return min(x, y); });
    case Op::max:
      return each<T>(t, a, b, n, [](V x, V y) { return max(x, y); });
    case Op::less:
      return each<T>(t, a, b, n, [](V x, V y) { return less(x, y); });
    case Op::less_equal:
      return each<T>(t, a, b, n, [](V x, V y) { return less_equal(x, y); });
    case Op::equal:
      return each<T>(t, a, b, n, [](V x, V y) { return equal(x, y); });
    case Op::logical_and:
      return each<T>(t, a, b, n, [](V x, V y) { return logical_and(x, y); });
    case Op::logical_or:
      return each<T>(t, a, b, n, [](V x, V y) { return logical_or(x, y); });
    case Op::logical_not:
      return each<T>(t, a, n, [](V x) { return logical_not(x); });
  }
}

template <class T>
void locate(const CodeLoop& loop, int depth, const int* position, T* const* regions, CodeRow<T>* elements) {
  for (int e = loop.first[depth]; e < loop.first[depth + 1]; ++e) {
    const CodeElement& element = loop.elements[e];
    long row = element.first_row;
    elements[e].stride = 0;
    for (int s = 0; s < element.steps; ++s) {
      int size = loop.sizes[element.loop[s]];
      int site = position[element.loop[s]] + element.offset[s];
      site += site < 0 ? size : site >= size ? -size : 0;
      row += static_cast<long>(site) * element.stride[s];
      if (element.loop[s] + 1 == loop.depth)
        elements[e].stride = static_cast<long>(element.stride[s]) * interpreter_lanes;
    }
    elements[e].address = regions[element.region] + row * interpreter_lanes;
  }
}

/// Number of sites from `begin` that can be processed at once: none of the rows they use wraps around.
int sites_from(const CodeLoop& loop, int begin) {
  const int inner = loop.depth - 1, size = loop.sizes[inner];
  int end = begin + sites_at_once < size ? begin + sites_at_once : size;
  for (int e = loop.first[loop.depth]; e < loop.first[loop.depth + 1]; ++e)
    for (int s = 0; s < loop.elements[e].steps; ++s) {
      if (loop.elements[e].loop[s] != inner) continue;
      const int offset = loop.elements[e].offset[s], wrap = offset > 0 ? size - offset : -offset;
      if (begin < wrap && wrap < end) end = wrap;
    }
  return end - begin;
}

template <class T>
void run_innermost(const CodeLoop& loop, int* position, T* const* regions, CodeRow<T>* rows, int fixed) {
  const int inner = loop.depth - 1;
  for (int i = 0; i < loop.accumulation_count; ++i)
    for (int lane = 0; lane < interpreter_lanes; ++lane) rows[loop.accumulations[i].total].address[lane] = 0;
  for (int n = 0; position[inner] < loop.sizes[inner]; position[inner] += n) {
    n = sites_from(loop, position[inner]);
    locate<T>(loop, loop.depth, position, regions, rows + fixed);
    for (int i = 0; i < loop.lengths[loop.depth]; ++i) execute<T>(loop.bodies[loop.depth][i], rows, n);
    for (int i = 0; i < loop.accumulation_count; ++i) {
      const CodeRow<T> total = rows[loop.accumulations[i].total];
      each<T>(total, total, rows[loop.accumulations[i].value], n, [](Vector<T> x, Vector<T> y) { return x + y; });
    }
  }
  for (int i = 0; i < loop.accumulation_count; ++i)
    each<T>(rows[loop.accumulations[i].target], rows[loop.accumulations[i].total], 1, [](Vector<T> x) { return x; });
}

template <class T, int Depth>
void run_depth(const CodeLoop& loop, int* position, T* const* regions, CodeRow<T>* rows, int fixed) {
  locate<T>(loop, Depth, position, regions, rows + fixed);
  for (int i = 0; i < loop.lengths[Depth]; ++i) execute<T>(loop.bodies[Depth][i], rows, 1);
  if constexpr (Depth < 3) {
    if (Depth == loop.depth) return;
    position[Depth] = 0;
    if (Depth + 1 == loop.depth) return run_innermost<T>(loop, position, regions, rows, fixed);
    for (; position[Depth] < loop.sizes[Depth]; ++position[Depth])
      run_depth<T, Depth + 1>(loop, position, regions, rows, fixed);
  }
}

template <class T>
void run(const Code& code, T* const* regions, CodeRow<T>* rows) {
  for (int i = 0; i < code.loop_count; ++i) {
    const CodeLoop& loop = code.loops[i];
    for (int t = 0; t < code.temporaries; ++t) rows[t].stride = loop.moving[t] ? interpreter_lanes : 0;
    int position[3] = {0, 0, 0};
    run_depth<T, 0>(loop, position, regions, rows, code.fixed);
  }
}

}  // namespace

void run_float(const Code& code, float* const* regions, CodeRow<float>* rows) { run<float>(code, regions, rows); }
void run_double(const Code& code, double* const* regions, CodeRow<double>* rows) { run<double>(code, regions, rows); }

}  // namespace GFDT_LANES_NAMESPACE
}  // namespace gfdt::codegen
