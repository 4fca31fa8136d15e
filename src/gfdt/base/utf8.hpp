#pragma once

#include <cstddef>
#include <string_view>

namespace gfdt::utf8 {

/// Whether a byte is not the first one of a character.
constexpr bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Bytes of the character that a text, which is not empty, starts with; 0 if it does not start with one.
std::size_t character_bytes(std::string_view text);

/// Whether the text, which is not empty, starts with a control character: C0, delete or C1.
bool starts_with_control(std::string_view text);

}  // namespace gfdt::utf8
