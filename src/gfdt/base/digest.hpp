#pragma once

#include <cstdint>
#include <string_view>

namespace gfdt {

/// 64-bit FNV-1a hash of a text. Detects accidental damage; not a cryptographic hash.
constexpr std::uint64_t digest(std::string_view text, std::uint64_t start = 0xcbf29ce484222325u) {
  for (const char c : text) start = (start ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return start;
}

}  // namespace gfdt
