#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace gfdt::data {

/// Of a text, as a word.
std::string checksum(std::string_view text);

/// The text of a document, indented, with a last entry `checksum` that is made of all others.
std::string sealed_text(const nlohmann::ordered_json& document);
/// The same on one line, without its end.
std::string sealed_line(const nlohmann::ordered_json& document);

/// The document without its checksum. Throws Error, with the reason as a sentence, if the text is not JSON, is cut off,
/// or has a checksum that is not that of its contents; a text without a checksum is returned as it is unless
/// `checksum_required`.
nlohmann::ordered_json unsealed(std::string_view text, bool checksum_required);

}  // namespace gfdt::data
