#include "gfdt/codegen/native/program_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "gfdt/codegen/native/code_parts.hpp"

namespace gfdt::codegen {
namespace {

/// `i1`, `i1_m2`, `i1_p1`: name of the site of index 1 at an offset.
std::string site_name(int loop, int offset) {
  if (offset == 0) return fmt::format("i{}", loop);
  return fmt::format("i{}_{}{}", loop, offset < 0 ? 'm' : 'p', std::abs(offset));
}

const char* region_name(Region region) {
  switch (region) {
    case Region::state:
      return "state";
    case Region::next:
      return "next";
    case Region::scratch:
      return "scratch";
    case Region::noise:
      return "noise";
    case Region::sign:
      return "sign_rows";  // `sign` is a function
    case Region::output:
      return "output";
  }
  std::abort();
}

constexpr const char* buffer_parameters =
    "[[maybe_unused]] const Real* __restrict state, [[maybe_unused]] Real* __restrict next, "
    "[[maybe_unused]] Real* __restrict scratch,\n"
    "    [[maybe_unused]] const float* __restrict noise, [[maybe_unused]] const float* __restrict sign_rows, "
    "[[maybe_unused]] Real* __restrict output, [[maybe_unused]] const Real* __restrict uniforms";

/// The function name in a pattern, such as "sin" in sin({0}).
std::string function_name(Op op) {
  const std::string pattern = operation_pattern(op);
  return pattern.substr(0, pattern.find('('));
}

std::string uniform_line(int index) {
  return fmt::format("  [[maybe_unused]] const Vector<Real> u{0} = broadcast<Real>(uniforms[{0}]);\n", index);
}

class LoopWriter {
 public:
  LoopWriter(const Program& program, const Loop& loop, std::string name)
      : program_(program),
        loop_(loop),
        name_(std::move(name)),
        division_(divide(loop)),
        offsets_(loop.indices.size(), {0}) {
    for (const Element& element : loop.elements)
      for (const Element::Step& step : element.steps) offsets_[static_cast<std::size_t>(step.loop)].insert(step.offset);
  }

  std::string text() {
    out_.clear();
    if (division_.slots > 0) line(0, "Vector<Real> kept[{}];", division_.slots);
    depth(0);
    return std::move(out_);
  }

  /// Definitions of the functions that the text calls.
  std::string functions() {
    std::string text;
    for (std::size_t p = 0; p < division_.parts.size(); ++p) text += function(p);
    return text;
  }

 private:
  template <class... Args>
  void line(std::size_t level, fmt::format_string<Args...> format, Args&&... args) {
    out_ += std::string(4 + 2 * level, ' ') + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  std::string function(std::size_t p) {
    const CodePart& part = division_.parts[p];
    std::set<int> uniforms;
    out_.clear();
    for (std::size_t i = part.first; i < part.end; ++i) {
      const Instruction& code = loop_.bodies[part.depth][i];
      for (const Operand& operand : {code.a, code.b, code.c})
        if (operand.kind == Operand::Kind::uniform) uniforms.insert(operand.index);
      instruction(part.depth, code, is_elaborate(code.op) ? "apart_" : "");
    }
    std::string text = fmt::format(
        "__attribute__((noinline)) static void {}_{}({},\n    [[maybe_unused]] Vector<Real>* kept, int lane", name_, p,
        buffer_parameters);
    for (const std::string& site : sites(part.depth)) text += ", [[maybe_unused]] long " + site;
    text += ") {\n";
    for (const int uniform : uniforms) text += uniform_line(uniform);
    return text + out_ + "}\n";
  }

  /// Names of the sites that the bodies at a depth may access.
  std::vector<std::string> sites(std::size_t depth) const {
    std::vector<std::string> names;
    for (std::size_t d = 0; d < depth; ++d)
      for (const int offset : offsets_[d]) names.push_back(site_name(static_cast<int>(d), offset));
    return names;
  }

  void body(std::size_t d) {
    bool divided = false;
    for (std::size_t p = 0; p < division_.parts.size(); ++p) {
      if (division_.parts[p].depth != d) continue;
      divided = true;
      std::string arguments = "state, next, scratch, noise, sign_rows, output, uniforms, kept, lane";
      for (const std::string& site : sites(d)) arguments += ", " + site;
      line(d, "{}_{}({});", name_, p, arguments);
    }
    if (divided) return;
    for (const Instruction& i : loop_.bodies[d]) instruction(d, i);
  }

  void depth(std::size_t d) {
    body(d);
    if (d == loop_.indices.size()) {
      for (const Accumulation& a : loop_.accumulations)
        line(d, "total{0} = total{0} + {1};", a.temporary, read(a.value));
      return;
    }
    bool innermost = d + 1 == loop_.indices.size();
    if (innermost)
      for (const Accumulation& a : loop_.accumulations) line(d, "Vector<Real> total{} = {{}};", a.temporary);
    periodic_loop(d);
    if (innermost)
      for (const Accumulation& a : loop_.accumulations)
        line(d, "{}", write(a.target, fmt::format("total{}", a.temporary)));
  }

  /// First visits the sites near the ends, whose neighbours wrap around, then all others.
  void periodic_loop(std::size_t d) {
    int index = static_cast<int>(d), size = loop_.indices[d].size;
    const std::set<int>& offsets = offsets_[d];
    std::vector<std::string> parameters, wrapped, plain;
    for (int offset : offsets) {
      parameters.push_back("long " + site_name(index, offset));
      plain.push_back(offset == 0 ? "i" : fmt::format("i + {}", offset));
      wrapped.push_back(offset == 0 ? "i" : fmt::format("wrap(i + {}, {})", offset, size));
    }
    line(d, "auto visit{} = [&]({}) __attribute__((always_inline)) {{", d, fmt::join(parameters, ", "));
    depth(d + 1);
    line(d, "}};");
    int low = std::max(0, -*offsets.begin()), high = std::max(0, *offsets.rbegin());
    if (low + high >= size) {
      line(d, "for (long i = 0; i < {}; ++i) visit{}({});", size, d, fmt::join(wrapped, ", "));
      return;
    }
    if (low + high > 0)
      line(d, "for (long n = 0; n < {}; ++n) {{ const long i = n < {} ? n : n + {}; visit{}({}); }}", low + high, low,
           size - low - high, d, fmt::join(wrapped, ", "));
    line(d, "for (long i = {}; i < {}; ++i) visit{}({});", low, size - high, d, fmt::join(plain, ", "));
  }

  /// `prefix` is prepended to the name of the operation.
  void instruction(std::size_t d, const Instruction& i, const std::string& prefix = "") {
    std::string value = fmt::format(fmt::runtime(prefix + operation_pattern(i.op)), read(i.a), read(i.b), read(i.c));
    if (i.target.kind != Operand::Kind::temporary)
      line(d, "{}", write(i.target, value));
    else if (const int slot = division_.slot[static_cast<std::size_t>(i.target.index)]; slot >= 0)
      line(d, "kept[{}] = {};", slot, value);
    else
      line(d, "const Vector<Real> t{} = {};", i.target.index, value);
  }

  std::string address(const Operand& operand) const {
    const Element& element = loop_.elements[static_cast<std::size_t>(operand.index)];
    const Buffer& buffer = program_.buffers[static_cast<std::size_t>(element.buffer)];
    std::string row = fmt::format("{}", buffer.first_row);
    for (const Element::Step& step : element.steps)
      row += fmt::format(" + {}*{}", site_name(step.loop, step.offset), step.stride);
    return fmt::format("{} + ({}) * lanes + lane", region_name(buffer.region), row);
  }

  std::string temporary(int index) const {
    const int slot = division_.slot[static_cast<std::size_t>(index)];
    return slot >= 0 ? fmt::format("kept[{}]", slot) : fmt::format("t{}", index);
  }

  std::string read(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::none:
        return "";
      case Operand::Kind::temporary:
        return temporary(operand.index);
      case Operand::Kind::uniform:
        return fmt::format("u{}", operand.index);
      case Operand::Kind::element:
        return fmt::format("load_as<Real>({})", address(operand));
    }
    std::abort();
  }

  std::string write(const Operand& operand, const std::string& value) const {
    return fmt::format("store<Real>({}, {});", address(operand), value);
  }

  const Program& program_;
  const Loop& loop_;
  std::string name_;
  CodeParts division_;
  std::vector<std::set<int>> offsets_;
  std::string out_;
};

}  // namespace

const char* operation_pattern(Op op) {
  switch (op) {
    case Op::copy:
      return "{0}";
    case Op::negate:
      return "-{0}";
    case Op::add:
      return "{0} + {1}";
    case Op::subtract:
      return "{0} - {1}";
    case Op::multiply:
      return "{0} * {1}";
    case Op::divide:
      return "{0} / {1}";
    case Op::multiply_add:
      return "{0} * {1} + {2}";
    case Op::sqrt:
      return "sqrt({0})";
    case Op::power:
      return "pow({0}, {1})";
    case Op::exp:
      return "exp({0})";
    case Op::log:
      return "log({0})";
    case Op::sin:
      return "sin({0})";
    case Op::cos:
      return "cos({0})";
    case Op::tan:
      return "tan({0})";
    case Op::sinh:
      return "sinh({0})";
    case Op::cosh:
      return "cosh({0})";
    case Op::tanh:
      return "tanh({0})";
    case Op::atan:
      return "atan({0})";
    case Op::abs:
      return "abs({0})";
    case Op::sign:
      return "sign({0})";
    case Op::erf:
      return "erf({0})";
    case Op::min:
      return "min({0}, {1})";
    case Op::max:
      return "max({0}, {1})";
    case Op::less:
      return "less({0}, {1})";
    case Op::less_equal:
      return "less_equal({0}, {1})";
    case Op::equal:
      return "equal({0}, {1})";
    case Op::logical_and:
      return "logical_and({0}, {1})";
    case Op::logical_or:
      return "logical_or({0}, {1})";
    case Op::logical_not:
      return "logical_not({0})";
  }
  std::abort();
}

std::string program_source(const Program& program, const std::string& name) {
  std::string functions, loops;
  for (std::size_t l = 0; l < program.loops.size(); ++l) {
    LoopWriter writer(program, program.loops[l], fmt::format("{}_loop{}", name, l));
    functions += writer.functions();
    loops += "   {\n" + writer.text() + "   }\n";
  }
  std::string text = functions;
  text += fmt::format("[[maybe_unused]] static inline void {}({}) {{\n", name, buffer_parameters);
  for (std::size_t u = 0; u < program.uniforms.size(); ++u) text += uniform_line(static_cast<int>(u));
  return text + "  for (int lane = 0; lane < lanes; lane += width<Real>) {\n" + loops + "  }\n}\n";
}

std::string functions_apart() {
  std::string text;
  for (int i = 0; i <= static_cast<int>(Op::logical_not); ++i) {
    const Op op = static_cast<Op>(i);
    if (!is_elaborate(op)) continue;
    const bool two = op == Op::power;
    text += fmt::format(
        "[[maybe_unused]] __attribute__((noinline)) static Vector<Real> apart_{0}(Vector<Real> x{1}) {{ return "
        "{0}(x{2}); }}\n",
        function_name(op), two ? ", Vector<Real> y" : "", two ? ", y" : "");
  }
  return text;
}

}  // namespace gfdt::codegen
