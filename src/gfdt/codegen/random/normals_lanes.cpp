#include "gfdt/codegen/random/normals_lanes.hpp"

namespace gfdt::codegen::GFDT_LANES_NAMESPACE {

void normals(float* rows, int lanes, const unsigned* ids, unsigned long long seed, unsigned tag,
             unsigned long long first_block, int blocks) {
  ::GFDT_LANES_NAMESPACE::normals(rows, lanes, ids, seed, tag, first_block, blocks);
}

void signs(float* rows, int lanes, const unsigned* ids, unsigned long long seed, unsigned tag,
           unsigned long long first_block, int blocks) {
  ::GFDT_LANES_NAMESPACE::signs(rows, lanes, ids, seed, tag, first_block, blocks);
}

}  // namespace gfdt::codegen::GFDT_LANES_NAMESPACE
