#pragma once

#include <span>
#include <string_view>

namespace gfdt::lanes {

/// The instruction sets that vector code is compiled for. `baseline` is what every machine of the architecture runs.
enum class Isa { baseline, avx2, avx512 };

/// Those that this machine can run, from slowest to fastest.
std::span<const Isa> available_isas();

/// The fastest, or the one named by the environment variable GFDT_ISA; throws where the machine lacks that one.
Isa best_isa();

std::string_view name(Isa isa);

/// Floats of one vector of the instruction set: twice as many as doubles.
int float_lanes(Isa isa);

// A file compiled by gfdt_isa_sources defines its functions in a namespace called GFDT_LANES_NAMESPACE of its module:
//
//   namespace gfdt::codegen::GFDT_LANES_NAMESPACE { void work(float* rows) { … } }
//
// and the code that calls them declares them for all instruction sets and picks one:
//
//   GFDT_DECLARE_FOR_EACH_ISA(void work(float* rows);)
//   GFDT_CHOOSE_ISA(lanes::best_isa(), work)(rows);
#if defined(__x86_64__)
#define GFDT_DECLARE_FOR_EACH_ISA(...) \
  namespace baseline {                 \
  __VA_ARGS__                          \
  }                                    \
  namespace avx2 {                     \
  __VA_ARGS__                          \
  }                                    \
  namespace avx512 {                   \
  __VA_ARGS__                          \
  }
#define GFDT_CHOOSE_ISA(isa, function) ::gfdt::lanes::choose(isa, baseline::function, avx2::function, avx512::function)
#else
#define GFDT_DECLARE_FOR_EACH_ISA(...) \
  namespace baseline {                 \
  __VA_ARGS__                          \
  }
#define GFDT_CHOOSE_ISA(isa, function) \
  ::gfdt::lanes::choose(isa, baseline::function, baseline::function, baseline::function)
#endif

template <class Function>
Function* choose(Isa isa, Function* baseline, Function* avx2, Function* avx512) {
  return isa == Isa::avx512 ? avx512 : isa == Isa::avx2 ? avx2 : baseline;
}

}  // namespace gfdt::lanes
