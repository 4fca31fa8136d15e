#include "gfdt/codegen/lanes/isa.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "gfdt/base/error.hpp"

namespace gfdt::lanes {
namespace {

constexpr std::array all{Isa::baseline, Isa::avx2, Isa::avx512};

// Must match cmake/isa.cmake. The instruction sets are nested, so the available ones are the first few of `all`.
std::size_t count_available() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return avx512 ? 3 : avx2 ? 2 : 1;
#else
  return 1;
#endif
}

Isa chosen_isa() {
  const auto available = available_isas();
  const char* requested = std::getenv("GFDT_ISA");
  if (requested == nullptr || *requested == '\0') return available.back();
  const auto found = std::find_if(available.begin(), available.end(), [&](Isa isa) { return name(isa) == requested; });
  if (found != available.end()) return *found;
  throw Error(fmt::format("GFDT_ISA is '{}', which is none of the instruction sets of this machine (the best is {}).",
                          requested, name(available.back())));
}

}  // namespace

std::span<const Isa> available_isas() {
  static const std::size_t count = count_available();
  return std::span(all).first(count);
}

Isa best_isa() {
  static const Isa best = chosen_isa();
  return best;
}

std::string_view name(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return "avx512";
    case Isa::avx2:
      return "avx2";
    case Isa::baseline:
      break;
  }
  return "baseline";
}

int float_lanes(Isa isa) { return isa == Isa::avx512 ? 16 : isa == Isa::avx2 ? 8 : 4; }

}  // namespace gfdt::lanes
