#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "gfdt/codegen/program/loop_builder.hpp"

namespace gfdt::codegen {

using symbolic::Kind;

Environment::Environment(Program& program, const LoweringOptions& options) : program_(program), options_(options) {
  for (std::size_t i = 0; i < program.buffers.size(); ++i)
    names_.emplace(program.buffers[i].field.name, static_cast<int>(i));
  program.scratch_rows = options.scratch_in_use;
}

int Environment::buffer_of(const std::string& name) const {
  auto found = names_.find(name);
  return found == names_.end() ? -1 : found->second;
}

void Environment::add_sum(const Expression& sum) {
  Field field{fmt::format("sum.{}", sums_.size()), in_order(sum.free_indices())};
  sums_.emplace(sum, static_cast<int>(program_.buffers.size()));
  program_.buffers.push_back({field, Region::scratch, program_.scratch_rows});
  program_.scratch_rows += field.sites();
}

int Environment::buffer_of_sum(const Expression& sum) const { return sums_.at(sum); }

bool Environment::uniform(const Expression& e) const {
  switch (e.kind()) {
    case Kind::number:
      return true;
    case Kind::symbol:
      return buffer_of(e.name()) < 0;
    case Kind::site:
      return false;
    default:
      break;
  }
  if (auto known = is_uniform_.find(e); known != is_uniform_.end()) return known->second;
  bool result = std::ranges::all_of(e.operands(), [this](const Expression& part) { return uniform(part); });
  is_uniform_.emplace(e, result);
  return result;
}

Operand Environment::uniform_operand(const Expression& e) {
  auto [place, fresh] = uniforms_.try_emplace(e, static_cast<int>(program_.uniforms.size()));
  if (fresh) program_.uniforms.push_back(e);
  return {Operand::Kind::uniform, place->second};
}

std::vector<Index> Environment::in_order(std::span<const std::string> index_names) const {
  std::vector<Index> ordered;
  for (const Index& index : options_.index_order)
    if (std::ranges::find(index_names, index.name) != index_names.end()) ordered.push_back(index);
  assert(ordered.size() == index_names.size());
  return ordered;
}

}  // namespace gfdt::codegen
