#include "gfdt/jacobian/correlation/segments.hpp"

#include <algorithm>

namespace gfdt::jacobian {

Segments segments_of(std::size_t members, std::uint64_t samples, std::uint64_t shortest) {
  const std::size_t wanted = members >= wanted_units ? 1 : (wanted_units + members - 1) / members;
  const std::uint64_t most = std::max<std::uint64_t>(1, samples / std::max<std::uint64_t>(1, shortest));
  return {members, static_cast<std::size_t>(std::min<std::uint64_t>(wanted, most)), samples};
}

}  // namespace gfdt::jacobian
