#pragma once

#include <functional>
#include <map>
#include <unordered_map>

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

using ExpressionMap = std::unordered_map<Expression, int, symbolic::ExpressionHash>;

/// Context for the translation of formulas: buffers by name, storage of sums over sites, and uniform formulas with the
/// location of their values.
class Environment {
 public:
  Environment(Program& program, const LoweringOptions& options);

  int buffer_of(const std::string& name) const;  ///< -1 if no buffer has this name
  void add_sum(const Expression& sum);           ///< allocates scratch rows for a sum
  int buffer_of_sum(const Expression& sum) const;
  bool uniform(const Expression& e) const;
  Operand uniform_operand(const Expression& e);
  std::vector<Index> in_order(std::span<const std::string> index_names) const;
  const LoweringOptions& options() const { return options_; }
  const Program& program() const { return program_; }

 private:
  Program& program_;
  const LoweringOptions& options_;
  std::map<std::string, int> names_;
  ExpressionMap sums_;
  ExpressionMap uniforms_;
  mutable std::unordered_map<Expression, bool, symbolic::ExpressionHash> is_uniform_;
};

/// Builds a loop nest: translates each formula into instructions once, at the outermost depth at which its operands are
/// known.
class LoopBuilder {
 public:
  LoopBuilder(Environment& environment, std::vector<Index> indices);

  void assign(const Expression& value, int target_buffer);
  void accumulate(const Expression& value, int target_buffer);
  Loop finish();

 private:
  Operand value(const Expression& e);
  Operand compute(const Expression& e);
  Operand sum_of_terms(const Expression& e);
  Operand product(const Expression& e);
  Operand power(const Expression& base, const Expression& exponent);
  Operand whole_power(const Operand& base, int exponent);
  Operand call(const Expression& e);
  Operand element(int buffer, std::span<const symbolic::SiteIndex> indices);
  Operand home(int buffer);
  Operand emit(Op op, Operand a, Operand b = {}, Operand c = {});
  Operand number(double value) { return environment_.uniform_operand(value); }
  int depth(const Operand& operand) const;
  void write_in_place();

  Environment& environment_;
  Loop loop_;
  std::unordered_map<Expression, Operand, symbolic::ExpressionHash> known_;
  std::vector<int> depth_of_temporary_;
};

}  // namespace gfdt::codegen
