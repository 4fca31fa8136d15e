#include "gfdt/codegen/native/compiled_code.hpp"

#include <algorithm>
#include <numeric>

#include "gfdt/codegen/lanes/isa.hpp"
#include "gfdt/codegen/program/temporaries.hpp"

namespace gfdt::codegen {

GFDT_DECLARE_FOR_EACH_ISA(void run_float(const Code& code, float* const* regions, CodeRow<float>* rows);
                          void run_double(const Code& code, double* const* regions, CodeRow<double>* rows);)

namespace {

void execute(const Code& code, float* const* regions, CodeRow<float>* rows) {
  GFDT_CHOOSE_ISA(lanes::best_isa(), run_float)(code, regions, rows);
}
void execute(const Code& code, double* const* regions, CodeRow<double>* rows) {
  GFDT_CHOOSE_ISA(lanes::best_isa(), run_double)(code, regions, rows);
}

int deepest(const Element& element) {
  int depth = 0;
  for (const Element::Step& step : element.steps) depth = std::max(depth, step.loop + 1);
  return depth;
}

}  // namespace

template <class T>
CompiledCode<T>::CompiledCode(Program program, const std::map<std::string, double>& symbols) {
  std::vector<double> values = uniform_values(program, symbols);
  uniforms_count_ = static_cast<int>(values.size());
  uniforms_ = AlignedArray<T>(values.size() * interpreter_lanes);
  for (std::size_t u = 0; u < values.size(); ++u)
    std::fill_n(uniforms_.data() + u * interpreter_lanes, interpreter_lanes, static_cast<T>(values[u]));
  for (Loop& loop : program.loops) {
    share_temporaries(loop);
    temporaries_ = std::max(temporaries_, loop.temporaries);
  }
  storage_.reserve(program.loops.size());
  for (const Loop& loop : program.loops) add_loop(loop, program);
}

template <class T>
int CompiledCode<T>::place(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::temporary:
      return operand.index;
    case Operand::Kind::uniform:
      return temporaries_ + operand.index;
    case Operand::Kind::element:
      return temporaries_ + uniforms_count_ + element_place_[static_cast<std::size_t>(operand.index)];
    case Operand::Kind::none:
      break;
  }
  return 0;
}

template <class T>
void CompiledCode<T>::add_loop(const Loop& loop, const Program& program) {
  LoopStorage& store = storage_.emplace_back();
  CodeLoop code{};
  code.depth = static_cast<int>(loop.indices.size());
  for (std::size_t i = 0; i < loop.indices.size(); ++i) code.sizes[i] = loop.indices[i].size;

  std::vector<int> order(loop.elements.size());
  std::iota(order.begin(), order.end(), 0);
  auto depth_of = [&](int i) { return deepest(loop.elements[static_cast<std::size_t>(i)]); };
  std::ranges::stable_sort(order, {}, depth_of);
  element_place_.assign(order.size(), 0);
  for (std::size_t place_of = 0; place_of < order.size(); ++place_of) {
    element_place_[static_cast<std::size_t>(order[place_of])] = static_cast<int>(place_of);
    const Element& element = loop.elements[static_cast<std::size_t>(order[place_of])];
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(element.buffer)];
    CodeElement e{};
    e.region = static_cast<int>(buffer.region);
    e.first_row = buffer.first_row;
    for (const Element::Step& step : element.steps) {
      e.loop[e.steps] = step.loop;
      e.offset[e.steps] = step.offset;
      e.stride[e.steps] = step.stride;
      ++e.steps;
    }
    store.elements.push_back(e);
  }
  for (int d = 0; d <= 4; ++d)
    code.first[d] = static_cast<int>(std::ranges::count_if(order, [&](int i) { return depth_of(i) < d; }));

  for (std::size_t d = 0; d < loop.bodies.size(); ++d)
    for (const Instruction& i : loop.bodies[d])
      store.bodies[d].push_back({static_cast<int>(i.op), place(i.target), place(i.a), place(i.b), place(i.c)});
  for (const Accumulation& a : loop.accumulations)
    store.accumulations.push_back({a.temporary, place(a.value), place(a.target)});
  store.moving = std::make_unique<bool[]>(static_cast<std::size_t>(temporaries_));
  for (const Instruction& i : loop.bodies.back())
    if (i.target.kind == Operand::Kind::temporary) store.moving[static_cast<std::size_t>(i.target.index)] = true;
  code.moving = store.moving.get();
  for (int d = 0; d < 4; ++d) {
    code.bodies[d] = store.bodies[d].data();
    code.lengths[d] = static_cast<int>(store.bodies[d].size());
  }
  code.accumulations = store.accumulations.data();
  code.accumulation_count = static_cast<int>(store.accumulations.size());
  code.elements = store.elements.data();
  loops_.push_back(code);
  table_size_ = std::max(table_size_, static_cast<std::size_t>(temporaries_ + uniforms_count_) + store.elements.size());
}

template <class T>
void CompiledCode<T>::run(T* const* regions, T* temporaries, std::vector<CodeRow<T>>& table) const {
  table.resize(std::max(table.size(), table_size_));
  CodeRow<T>* row = table.data();
  for (int i = 0; i < temporaries_; ++i) *row++ = {temporaries + i * sites_at_once * interpreter_lanes, 0};
  for (int i = 0; i < uniforms_count_; ++i) *row++ = {const_cast<T*>(uniforms_.data()) + i * interpreter_lanes, 0};
  execute({loops_.data(), static_cast<int>(loops_.size()), temporaries_, temporaries_ + uniforms_count_}, regions,
          table.data());
}

template class CompiledCode<float>;
template class CompiledCode<double>;

}  // namespace gfdt::codegen
