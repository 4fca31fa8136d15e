#include "gfdt/codegen/random/normals_lanes.hpp"

namespace gfdt::codegen::test::GFDT_LANES_NAMESPACE {

void box_muller(const unsigned* a, const unsigned* b, float* first, float* second) {
  namespace vectors = ::GFDT_LANES_NAMESPACE;
  for (int i = 0; i < 16; i += vectors::width<float>) {
    vectors::Words u, v;
    __builtin_memcpy(&u, a + i, sizeof u);
    __builtin_memcpy(&v, b + i, sizeof v);
    vectors::Vector<float> x, y;
    vectors::box_muller(u, v, x, y);
    vectors::store(first + i, x);
    vectors::store(second + i, y);
  }
}

}  // namespace gfdt::codegen::test::GFDT_LANES_NAMESPACE
