#pragma once

// Bytecode of the interpreter. Plain data without standard headers, because it is shared with files that are compiled
// for other instruction sets: the linker could otherwise keep a copy of an inline standard function that this machine
// cannot execute.
namespace gfdt::codegen {

/// Members per block of the interpreter: enough to amortize the decoding of an instruction, few enough to fit into the
/// cache.
inline constexpr int interpreter_lanes = 64;

/// Number of sites of the innermost loop that one instruction processes at once, to amortize decoding on lattices.
inline constexpr int sites_at_once = 16;

/// Operands are indices into a table of row addresses: first temporaries, then uniforms, then elements of the loop.
struct CodeInstruction {
  int op;  ///< an Op
  int target, a, b, c;
};

/// A row of a region, whose address depends on the position of the loop.
struct CodeElement {
  int region;  ///< a Region
  int first_row;
  int steps;
  int loop[3], offset[3], stride[3];
};

/// Table indices of a sum over the innermost loop: the running total, the value added, and the final target.
struct CodeAccumulation {
  int total, value, target;
};

struct CodeLoop {
  int depth;
  int sizes[3];
  const CodeInstruction* bodies[4];
  int lengths[4];
  const CodeAccumulation* accumulations;
  int accumulation_count;
  const CodeElement* elements;
  const bool* moving;  ///< whether each temporary needs one row per site of the innermost loop
  /// Elements are sorted by the innermost index on which they depend: those in [first[d], first[d + 1]) depend on depth
  /// d.
  int first[5];
};

struct Code {
  const CodeLoop* loops;
  int loop_count;
  int temporaries;  ///< table entries for temporaries, with `sites_at_once` rows each
  int fixed;        ///< table entries for temporaries and uniforms, whose addresses do not change
};

/// Address of an operand's row, and the distance to its row at the next site of the innermost loop.
template <class T>
struct CodeRow {
  T* address;
  long stride;
};

}  // namespace gfdt::codegen
