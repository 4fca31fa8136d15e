#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "gfdt/codegen/program/assignment.hpp"
#include "gfdt/codegen/program/operation.hpp"

namespace gfdt::codegen {

/// What an instruction reads or writes: a temporary, a number that is the same for all members, or one row of a buffer.
struct Operand {
  enum class Kind { none, temporary, uniform, element };
  Kind kind = Kind::none;
  int index = 0;
  friend bool operator==(const Operand&, const Operand&) = default;
};

/// A row of a buffer relative to the position of a loop: one offset for each index of the loop that the buffer has.
struct Element {
  struct Step {
    int loop;    ///< which index of the loop nest, outermost first
    int offset;  ///< sites along it, taken modulo its size
    int stride;  ///< rows of the buffer a site
    friend bool operator==(const Step&, const Step&) = default;
  };
  int buffer;
  std::vector<Step> steps;
  friend bool operator==(const Element&, const Element&) = default;
};

struct Instruction {
  Op op;
  Operand target;
  Operand a, b, c;
};

/// A total kept in a temporary while the innermost index runs, then stored.
struct Accumulation {
  int temporary;  ///< the running total
  Operand value;  ///< added at every position
  Operand target;
};

/// A nest of up to three indices. bodies[d] runs at depth d, before the loop over index d: what does not depend on the
/// inner indices stands outside of them.
struct Loop {
  std::vector<Index> indices;
  std::vector<std::vector<Instruction>> bodies;  ///< indices.size() + 1 of them
  std::vector<Accumulation> accumulations;
  std::vector<Element> elements;
  int temporaries = 0;
};

/// Assignments made flat: loops over sites of arithmetic on rows of members. Its size does not depend on the number of
/// sites.
struct Program {
  std::vector<Buffer> buffers;
  std::vector<Expression> uniforms;  ///< formulas of parameters alone, evaluated once a run
  std::vector<Loop> loops;
  int scratch_rows = 0;  ///< rows of Region::scratch used, those of the caller's buffers included
  int instructions() const;
};

struct LoweringOptions {
  std::vector<Index> index_order;  ///< outermost first
  int scratch_in_use = 0;          ///< rows of Region::scratch that the caller's buffers occupy
};

/// Turns assignments into a program. `buffers` are the fields that formulas read and assignments write; any other
/// symbol is uniform. No buffer that is written may be read.
Program lower(std::span<const Assignment> assignments, std::span<const Buffer> buffers, const LoweringOptions& options);

/// The values of the program's uniforms, from the values of the symbols they are made of.
std::vector<double> uniform_values(const Program& program, const std::map<std::string, double>& symbols);

/// Rows of a buffer between neighbouring sites along each of the field's indices.
std::vector<int> strides(const Field& field, const std::vector<Index>& index_order);

}  // namespace gfdt::codegen
