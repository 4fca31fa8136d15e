#pragma once

#include <cstdint>
#include <span>

#include "gfdt/base/philox.hpp"
#include "gfdt/codegen/lanes/isa.hpp"

namespace gfdt::codegen {

/// Rows of standard normals, one column a stream: rows[(4 b + i) · ids.size() + l] is normal number
/// 4 (first_block + b) + i of stream ids[l]. The number of streams is a multiple of 16, the rows start on a multiple of
/// 64 bytes and their number is a multiple of 4. Values agree between instruction sets to single-precision rounding,
/// and bit for bit between calls on one.
void fill_normals(std::span<float> rows, std::span<const std::uint32_t> ids, std::uint64_t seed, Purpose purpose,
                  std::uint64_t first_block, lanes::Isa isa = lanes::best_isa());

/// The same shape of ±1 with equal odds: row 4 b + i holds sign number 4 (first_block + b) + i.
void fill_signs(std::span<float> rows, std::span<const std::uint32_t> ids, std::uint64_t seed, Purpose purpose,
                std::uint64_t first_block, lanes::Isa isa = lanes::best_isa());

}  // namespace gfdt::codegen
