#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

/// The rows [first, end) of a region.
struct RowRange {
  Region region;
  int first = 0, end = 0;
};

/// Code for a group of threads, and the rows that it reads and writes.
struct Piece {
  std::string text;
  std::vector<RowRange> reads, writes;
};

/// The rows that a loop reads and writes, without its text.
Piece piece_of(const Program& program, const Loop& loop);

/// Concatenates pieces, with barriers where a piece depends on rows of an earlier one. The number of phases equals the
/// length of the longest dependency chain.
std::string in_phases(std::span<const Piece> pieces);

}  // namespace gfdt::codegen
