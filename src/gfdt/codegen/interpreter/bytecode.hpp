#pragma once

// What the interpreter executes. Plain data and no standard headers: it is shared with code compiled for other
// instruction sets, where an inline function of the standard library would be emitted for a machine that may not be
// this one.
namespace gfdt::codegen {

/// Members a block of the interpreter: enough to hide the cost of decoding an instruction, few enough to stay in the
/// cache.
inline constexpr int interpreter_lanes = 64;

/// Sites of the innermost loop that one instruction handles at once, so that decoding it costs little on a lattice.
inline constexpr int sites_at_once = 16;

/// Operands are places in a table of row addresses: temporaries and uniforms first, then the elements of the loop.
struct CodeInstruction {
  int op;  ///< an Op
  int target, a, b, c;
};

/// A row of a region that moves with the loop.
struct CodeElement {
  int region;  ///< a Region
  int first_row;
  int steps;
  int loop[3], offset[3], stride[3];
};

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
  const bool*
      moving;  ///< of each temporary: computed anew at every site of the innermost loop, so it has a row for each
  /// Elements are sorted by the innermost index they move with: those from first[d] to first[d + 1] move at depth d.
  int first[5];
};

struct Code {
  const CodeLoop* loops;
  int loop_count;
  int temporaries;  ///< places of temporaries, `sites_at_once` rows each
  int fixed;        ///< places of temporaries and uniforms: addresses that stay
};

/// An operand while code runs: its row, and the distance to its row at the next site of the innermost loop.
template <class T>
struct CodeRow {
  T* address;
  long stride;
};

}  // namespace gfdt::codegen
