#include "gfdt/base/philox.hpp"

#include <cmath>
#include <numbers>

namespace gfdt::codegen {

std::array<double, 2> box_muller(std::uint32_t a, std::uint32_t b) {
  const float u = static_cast<float>(a) * 0x1p-32f + 0x1p-33f;
  const double radius = std::sqrt(-2.0 * std::log(static_cast<double>(u)));
  const auto centred = static_cast<float>(static_cast<std::int32_t>(b << 2));
  const double angle = (1.0 + static_cast<double>(centred) * 0x1p-31) * (std::numbers::pi / 4);
  return {std::copysign(1.0, static_cast<std::int32_t>(b)) * radius * std::cos(angle),
          std::copysign(1.0, static_cast<std::int32_t>(b << 1)) * radius * std::sin(angle)};
}

double Stream::normal(std::uint64_t position) const {
  const Counter words = block(position / 4);
  const std::size_t pair = position / 2 % 2;
  return box_muller(words[2 * pair], words[2 * pair + 1])[position % 2];
}

}  // namespace gfdt::codegen
