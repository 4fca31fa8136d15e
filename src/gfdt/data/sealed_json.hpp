#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace gfdt::data {

/// Checksum of a text, as hexadecimal digits.
std::string checksum(std::string_view text);

/// Indented text of a document with an additional last entry `checksum`, computed from all other entries.
std::string sealed_text(const nlohmann::ordered_json& document);
/// The same on one line, without a line end.
std::string sealed_line(const nlohmann::ordered_json& document);

/// Parses a document and removes its checksum. Throws Error, with the reason as a sentence, if the text is not JSON, is
/// truncated, or does not match its checksum. A text without a checksum is accepted unless `checksum_required`.
nlohmann::ordered_json unsealed(std::string_view text, bool checksum_required);

}  // namespace gfdt::data
