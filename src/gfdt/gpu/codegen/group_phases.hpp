#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

struct RowRange {
  Region region;
  int first = 0, end = 0;
};

/// Work of a group of threads, and the rows that it touches.
struct Piece {
  std::string text;
  std::vector<RowRange> reads, writes;
};

/// The rows that a loop touches, without its text.
Piece piece_of(const Program& program, const Loop& loop);

/// The text of pieces, barriers between them where threads would meet in a row: as few as the longest chain of pieces
/// that wait for one another has links.
std::string in_phases(std::span<const Piece> pieces);

}  // namespace gfdt::codegen
