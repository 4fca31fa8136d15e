#pragma once

#include <cstdint>
#include <span>

#include "gfdt/base/philox.hpp"
#include "gfdt/codegen/lanes/isa.hpp"

namespace gfdt::codegen {

/// Fills rows with standard normals, one column per stream: rows[(4 b + i) · ids.size() + l] is normal number 4
/// (first_block + b) + i of stream ids[l]. The number of streams must be a multiple of 16, the number of rows a
/// multiple of 4, and the data aligned to 64 bytes. Values are bit-identical between calls on one instruction set and
/// agree between instruction sets up to single-precision rounding.
void fill_normals(std::span<float> rows, std::span<const std::uint32_t> ids, std::uint64_t seed, Purpose purpose,
                  std::uint64_t first_block, lanes::Isa isa = lanes::best_isa());

/// The same for ±1 with equal probability: row 4 b + i holds sign number 4 (first_block + b) + i.
void fill_signs(std::span<float> rows, std::span<const std::uint32_t> ids, std::uint64_t seed, Purpose purpose,
                std::uint64_t first_block, lanes::Isa isa = lanes::best_isa());

}  // namespace gfdt::codegen
