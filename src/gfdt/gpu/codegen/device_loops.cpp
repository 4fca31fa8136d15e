#include "gfdt/gpu/codegen/device_loops.hpp"

#include <fmt/format.h>

#include <set>

#include "gfdt/codegen/native/program_source.hpp"

namespace gfdt::codegen {
namespace {

/// On a ring, all offsets are converted to forward offsets.
int forward(int offset, int size) { return (offset % size + size) % size; }

std::string site_at(int loop, int offset) {
  return offset == 0 ? fmt::format("i{}", loop) : fmt::format("i{}_{}", loop, offset);
}

class DeviceLoop {
 public:
  DeviceLoop(const Program& program, const Loop& loop, const DeviceNames& names)
      : program_(program), loop_(loop), names_(names), depth_(loop.indices.size()), offsets_(depth_) {
    for (const Element& element : loop.elements)
      for (const Element::Step& step : element.steps)
        if (const int offset = forward(step.offset, size(step.loop)); offset != 0)
          offsets_[static_cast<std::size_t>(step.loop)].insert(offset);
  }

  std::string whole() {
    visit(0);
    return std::move(out_);
  }

  std::string dealt() {
    if (depth_ == 0) {
      line("if (worker == 0) {{");
      body(0);
      line("}}");
      return std::move(out_);
    }
    body(0);
    line("for (unsigned n = worker; n < {}; n += workers) {{", dealt_sites(loop_));
    place_at("n");
    if (loop_.accumulations.empty()) {
      body(depth_);
    } else {
      total_sums();
    }
    line("}}");
    return std::move(out_);
  }

  std::string parts(const SumParts& parts) {
    const int outer = dealt_sites(loop_);
    body(0);
    line("for (unsigned n = worker; n < {}; n += workers) {{", outer * parts.parts);
    line("const unsigned part = n % {0}, site = n / {0};", parts.parts);
    place_at("site");
    open_totals();
    add_up("part", fmt::format("{}", parts.parts));
    for (std::size_t a = 0; a < loop_.accumulations.size(); ++a)
      line("{} = total{};",
           names_.number(Region::scratch, fmt::format("{} + n", parts.first_row + first_part(a, parts))),
           loop_.accumulations[a].temporary);
    line("}}");
    return std::move(out_);
  }

  std::string totals(const SumParts& parts) {
    const int outer = dealt_sites(loop_);
    for (std::size_t a = 0; a < loop_.accumulations.size(); ++a) {
      const std::string first = fmt::format("{} + n*{}", parts.first_row + first_part(a, parts), parts.parts);
      line("for (unsigned n = after(worker, {}); n < {}; n += workers) {{", static_cast<int>(a) * outer, outer);
      place_at("n", false);
      line("Real total = {};", names_.number(Region::scratch, first));
      line("for (unsigned part = 1; part < {}; ++part) total = total + {};", parts.parts,
           names_.number(Region::scratch, first + " + part"));
      line("{} = total;", value(loop_.accumulations[a].target));
      line("}}");
    }
    return std::move(out_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_ += "    " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  int size(int index) const { return loop_.indices[static_cast<std::size_t>(index)].size; }
  std::size_t dealt_depth() const { return loop_.accumulations.empty() ? depth_ : depth_ - 1; }
  int first_part(std::size_t accumulation, const SumParts& parts) const {
    return static_cast<int>(accumulation) * dealt_sites(loop_) * parts.parts;
  }

  void visit(std::size_t d) {
    body(d);
    if (d == depth_) return;
    if (d + 1 == depth_ && !loop_.accumulations.empty()) {
      total_sums();
      return;
    }
    line("for (unsigned i{0} = 0; i{0} < {1}; ++i{0}) {{", d, loop_.indices[d].size);
    neighbours(d);
    visit(d + 1);
    line("}}");
  }

  /// Computes the distributed indices from the number of the site, and the bodies of the outer depths.
  void place_at(const std::string& number, bool with_bodies = true) {
    int stride = dealt_sites(loop_);
    for (std::size_t d = 0; d < dealt_depth(); ++d) {
      const int before = stride;
      stride /= loop_.indices[d].size;
      line("const unsigned i{} = {}{}{};", d, number, d > 0 ? fmt::format(" % {}", before) : "",
           stride > 1 ? fmt::format(" / {}", stride) : "");
      neighbours(d);
      if (with_bodies && d + 1 < depth_) body(d + 1);
    }
  }

  void neighbours(std::size_t d) {
    const int index = static_cast<int>(d);
    for (const int offset : offsets_[d])
      line("const unsigned {} = wrap(i{} + {}, {});", site_at(index, offset), d, offset, size(index));
  }

  void open_totals() {
    for (const Accumulation& a : loop_.accumulations) line("Real total{} = 0;", a.temporary);
  }

  void total_sums() {
    open_totals();
    add_up("0", "1");
    for (const Accumulation& a : loop_.accumulations) line("{} = total{};", value(a.target), a.temporary);
  }

  /// Accumulates along the innermost index.
  void add_up(const std::string& first, const std::string& step) {
    const std::size_t d = depth_ - 1;
    line("for (unsigned i{0} = {1}; i{0} < {2}; i{0} += {3}) {{", d, first, loop_.indices[d].size, step);
    neighbours(d);
    body(depth_);
    for (const Accumulation& a : loop_.accumulations) line("total{0} = total{0} + {1};", a.temporary, value(a.value));
    line("}}");
  }

  void body(std::size_t d) {
    for (const Instruction& i : loop_.bodies[d]) {
      const std::string result = fmt::format(fmt::runtime(operation_pattern(i.op)), value(i.a), value(i.b), value(i.c));
      if (i.target.kind == Operand::Kind::temporary)
        line("const Real t{} = {};", i.target.index, result);
      else
        line("{} = {};", value(i.target), result);
    }
  }

  std::string value(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::none:
        return "";
      case Operand::Kind::temporary:
        return fmt::format("t{}", operand.index);
      case Operand::Kind::uniform:
        return fmt::format("u.value[{}]", names_.first_uniform + static_cast<std::size_t>(operand.index));
      case Operand::Kind::element:
        break;
    }
    const Element& element = loop_.elements[static_cast<std::size_t>(operand.index)];
    const Buffer& buffer = program_.buffers[static_cast<std::size_t>(element.buffer)];
    std::string row = fmt::format("{}", buffer.first_row);
    for (const Element::Step& step : element.steps)
      row += fmt::format(" + {}*{}", site_at(step.loop, forward(step.offset, size(step.loop))), step.stride);
    return names_.number(buffer.region, row);
  }

  const Program& program_;
  const Loop& loop_;
  const DeviceNames& names_;
  std::size_t depth_;
  std::vector<std::set<int>> offsets_;
  std::string out_;
};

}  // namespace

int dealt_sites(const Loop& loop) {
  int sites = 1;
  for (const Index& index : loop.indices) sites *= index.size;
  return loop.accumulations.empty() ? sites : sites / loop.indices.back().size;
}

std::string whole_loop(const Program& program, const Loop& loop, const DeviceNames& names) {
  return DeviceLoop(program, loop, names).whole();
}
std::string dealt_loop(const Program& program, const Loop& loop, const DeviceNames& names) {
  return DeviceLoop(program, loop, names).dealt();
}
std::string sums_of_parts(const Program& program, const Loop& loop, const DeviceNames& names, const SumParts& parts) {
  return DeviceLoop(program, loop, names).parts(parts);
}
std::string totals_of_parts(const Program& program, const Loop& loop, const DeviceNames& names, const SumParts& parts) {
  return DeviceLoop(program, loop, names).totals(parts);
}

}  // namespace gfdt::codegen
