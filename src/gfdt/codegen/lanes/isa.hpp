#pragma once

#include <span>
#include <string_view>

namespace gfdt::lanes {

/// Instruction sets for which vector code is compiled. Every machine of the architecture supports `baseline`.
enum class Isa { baseline, avx2, avx512 };

/// Instruction sets of this machine, from slowest to fastest.
std::span<const Isa> available_isas();

/// The fastest instruction set, or the one named by the environment variable GFDT_ISA. Throws Error if this machine
/// does not support the latter.
Isa best_isa();

std::string_view name(Isa isa);

/// Number of floats per vector, twice the number of doubles.
int float_lanes(Isa isa);

// A file compiled by gfdt_isa_sources defines its functions in the namespace GFDT_LANES_NAMESPACE of its module:
//
//   namespace gfdt::codegen::GFDT_LANES_NAMESPACE { void work(float* rows) { … } }
//
// The calling code declares them for all instruction sets and selects one:
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
