#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "gfdt/base/error.hpp"
#include "gfdt/codegen/program/loop_builder.hpp"
#include "gfdt/codegen/program/nested_form.hpp"
#include "gfdt/symbolic/expression/evaluate.hpp"

namespace gfdt::codegen {
namespace {

using symbolic::Kind;

constexpr std::size_t deepest_nest = 3;

/// Collects all sums over sites in some formulas in waves: a sum of a later wave depends on sums of earlier waves.
class SumCollector {
 public:
  int visit(const Expression& e) {
    if (auto known = level_.find(e); known != level_.end()) return known->second;
    int level = 0;
    for (const Expression& part : e.operands()) level = std::max(level, visit(part));
    if (e.kind() == Kind::sum) {
      if (waves_.size() <= static_cast<std::size_t>(level)) waves_.resize(static_cast<std::size_t>(level) + 1);
      waves_[static_cast<std::size_t>(level)].push_back(e);
      ++level;
    }
    level_.emplace(e, level);
    return level;
  }
  const std::vector<std::vector<Expression>>& waves() const { return waves_; }

 private:
  ExpressionMap level_;
  std::vector<std::vector<Expression>> waves_;
};

/// Groups items by their loop indices and calls `build` for each group, in order of first appearance.
template <class Item, class Key, class Build>
void for_each_group(const std::vector<Item>& items, Key key, Build build) {
  std::vector<std::pair<std::vector<Index>, std::vector<Item>>> groups;
  for (const Item& item : items) {
    std::vector<Index> indices = key(item);
    auto known = std::ranges::find(groups, indices, [](const auto& group) { return group.first; });
    if (known == groups.end()) known = groups.insert(known, {indices, {}});
    known->second.push_back(item);
  }
  for (auto& [indices, members] : groups) build(indices, members);
}

std::vector<std::string> names(const std::vector<Index>& indices) {
  std::vector<std::string> result;
  for (const Index& index : indices) result.push_back(index.name);
  return result;
}

}  // namespace

std::vector<int> strides(const Field& field, const std::vector<Index>& index_order) {
  std::vector<int> result(field.indices.size(), 0);
  int stride = 1;
  for (auto index = index_order.rbegin(); index != index_order.rend(); ++index)
    for (std::size_t i = 0; i < field.indices.size(); ++i)
      if (field.indices[i] == *index) {
        result[i] = stride;
        stride *= index->size;
      }
  return result;
}

int Program::instructions() const {
  int count = 0;
  for (const Loop& loop : loops)
    for (const auto& body : loop.bodies) count += static_cast<int>(body.size());
  return count;
}

std::vector<double> uniform_values(const Program& program, const std::map<std::string, double>& symbols) {
  auto value_of = [&](const std::string& name) {
    auto found = symbols.find(name);
    if (found == symbols.end()) throw Error(fmt::format("The symbol '{}' has no value.", name));
    return found->second;
  };
  symbolic::Values values{.symbol = value_of, .site = {}};
  std::vector<double> result;
  for (const Expression& e : program.uniforms) result.push_back(symbolic::evaluate(e, values));
  return result;
}

Program lower(std::span<const Assignment> assignments, std::span<const Buffer> buffers,
              const LoweringOptions& options) {
  Program program;
  program.buffers.assign(buffers.begin(), buffers.end());
  Environment environment(program, options);
  auto uniform = [&](const Expression& e) { return environment.uniform(e); };

  std::vector<Assignment> nested;
  SumCollector sums;
  for (const Assignment& assignment : assignments) {
    nested.push_back({assignment.target, nested_form(assignment.value, uniform)});
    sums.visit(nested.back().value);
  }
  for (const auto& wave : sums.waves()) {
    for (const Expression& sum : wave) environment.add_sum(sum);
    auto nest = [&](const Expression& sum) {
      std::vector<Index> indices = environment.in_order(sum.free_indices());
      indices.push_back(sum.bound());
      if (indices.size() > deepest_nest)
        throw Error(fmt::format("A sum over '{}' runs inside {} other indices; no more than {} are supported.",
                                sum.bound().name, indices.size() - 1, deepest_nest - 1));
      return indices;
    };
    for_each_group(wave, nest, [&](const std::vector<Index>& indices, const std::vector<Expression>& group) {
      LoopBuilder loop(environment, indices);
      for (const Expression& sum : group) loop.accumulate(sum.operands()[0], environment.buffer_of_sum(sum));
      program.loops.push_back(loop.finish());
    });
  }
  auto sites = [&](const Assignment& a) { return environment.in_order(names(a.target.indices)); };
  for_each_group(nested, sites, [&](const std::vector<Index>& indices, const std::vector<Assignment>& group) {
    LoopBuilder loop(environment, indices);
    for (const Assignment& a : group) loop.assign(a.value, environment.buffer_of(a.target.name));
    program.loops.push_back(loop.finish());
  });
  return program;
}

}  // namespace gfdt::codegen
