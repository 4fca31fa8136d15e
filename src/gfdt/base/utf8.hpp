#pragma once

#include <cstddef>
#include <string_view>

namespace gfdt::utf8 {

/// Whether a byte continues a character, that is, is not its first byte.
constexpr bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Number of bytes of the first character of a non-empty text; 0 if the text does not start with valid UTF-8.
std::size_t character_bytes(std::string_view text);

/// Whether a non-empty text starts with a control character: C0, DEL or C1.
bool starts_with_control(std::string_view text);

}  // namespace gfdt::utf8
