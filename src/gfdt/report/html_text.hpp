#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gfdt::report {

/// Text between tags or inside quotes of an attribute.
std::string html_escaped(std::string_view text);

/// JSON inside a script element, which no text in it can end.
std::string json_in_html(const nlohmann::ordered_json& value);

}  // namespace gfdt::report
