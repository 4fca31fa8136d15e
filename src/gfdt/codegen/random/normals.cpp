#include "gfdt/codegen/random/normals.hpp"

#include <cassert>

namespace gfdt::codegen {

GFDT_DECLARE_FOR_EACH_ISA(void normals(float* rows, int lanes, const unsigned* ids, unsigned long long seed,
                                       unsigned tag, unsigned long long first_block, int blocks);
                          void signs(float* rows, int lanes, const unsigned* ids, unsigned long long seed, unsigned tag,
                                     unsigned long long first_block, int blocks);)

namespace {

int count_blocks(std::span<float> rows, std::span<const std::uint32_t> ids) {
  assert(ids.size() % 16 == 0 && reinterpret_cast<std::uintptr_t>(rows.data()) % 64 == 0);
  assert(ids.empty() ? rows.empty() : rows.size() % (4 * ids.size()) == 0);
  return ids.empty() ? 0 : static_cast<int>(rows.size() / (4 * ids.size()));
}

}  // namespace

void fill_normals(std::span<float> rows, std::span<const std::uint32_t> ids, std::uint64_t seed, Purpose purpose,
                  std::uint64_t first_block, lanes::Isa isa) {
  GFDT_CHOOSE_ISA(isa, normals)
  (rows.data(), static_cast<int>(ids.size()), ids.data(), seed, static_cast<std::uint32_t>(purpose), first_block,
   count_blocks(rows, ids));
}

void fill_signs(std::span<float> rows, std::span<const std::uint32_t> ids, std::uint64_t seed, Purpose purpose,
                std::uint64_t first_block, lanes::Isa isa) {
  GFDT_CHOOSE_ISA(isa, signs)
  (rows.data(), static_cast<int>(ids.size()), ids.data(), seed, static_cast<std::uint32_t>(purpose), first_block,
   count_blocks(rows, ids));
}

}  // namespace gfdt::codegen
