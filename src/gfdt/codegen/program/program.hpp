#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "gfdt/codegen/program/assignment.hpp"
#include "gfdt/codegen/program/operation.hpp"

namespace gfdt::codegen {

/// Operand of an instruction: a temporary, a number that is the same for all members, or a row of a buffer.
struct Operand {
  enum class Kind { none, temporary, uniform, element };
  Kind kind = Kind::none;
  int index = 0;
  friend bool operator==(const Operand&, const Operand&) = default;
};

/// A row of a buffer relative to the position of a loop, with one offset per loop index of the buffer.
struct Element {
  struct Step {
    int loop;    ///< index of the loop nest, counted from the outermost
    int offset;  ///< offset in sites, periodic
    int stride;  ///< rows of the buffer per site
    friend bool operator==(const Step&, const Step&) = default;
  };
  int buffer;
  std::vector<Step> steps;
  friend bool operator==(const Element&, const Element&) = default;
};

/// An operation on rows: target ← op(a, b, c).
struct Instruction {
  Op op;
  Operand target;
  Operand a, b, c;
};

/// A sum accumulated in a temporary over the innermost index, then stored.
struct Accumulation {
  int temporary;  ///< running sum
  Operand value;  ///< added at every position
  Operand target;
};

/// A nest of up to three loops. bodies[d] runs at depth d, before the loop over index d: operations that do not depend
/// on the inner indices are hoisted out of the inner loops.
struct Loop {
  std::vector<Index> indices;
  std::vector<std::vector<Instruction>> bodies;  ///< indices.size() + 1 bodies
  std::vector<Accumulation> accumulations;
  std::vector<Element> elements;
  int temporaries = 0;
};

/// Assignments translated into loops over sites with arithmetic on rows of members. The size of a program does not
/// depend on the number of sites.
struct Program {
  std::vector<Buffer> buffers;
  std::vector<Expression> uniforms;  ///< formulas of parameters only, evaluated once per run
  std::vector<Loop> loops;
  int scratch_rows = 0;  ///< rows of Region::scratch in use, including the caller's buffers
  int instructions() const;
};

struct LoweringOptions {
  std::vector<Index> index_order;  ///< outermost first
  int scratch_in_use = 0;          ///< rows of Region::scratch occupied by the caller's buffers
};

/// Translates assignments into a program. `buffers` are the fields that formulas read and assignments write; all other
/// symbols are uniform. A buffer must not be both written and read. Throws Error if sums are nested too deeply.
Program lower(std::span<const Assignment> assignments, std::span<const Buffer> buffers, const LoweringOptions& options);

/// Values of the program's uniforms, given the values of the symbols. Throws Error if a symbol has no value.
std::vector<double> uniform_values(const Program& program, const std::map<std::string, double>& symbols);

/// Distance in rows between neighbouring sites of a buffer, for each index of the field.
std::vector<int> strides(const Field& field, const std::vector<Index>& index_order);

}  // namespace gfdt::codegen
