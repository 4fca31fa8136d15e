#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace gfdt::data {

/// A number, or null for what JSON has no number for (NaN, ±∞).
nlohmann::ordered_json json_number(double value);
nlohmann::ordered_json json_numbers(std::span<const double> values);
/// Back again, null as NaN. Throws nlohmann's exception for anything else.
double json_number_from(const nlohmann::ordered_json& value);
std::vector<double> json_numbers_from(const nlohmann::ordered_json& value);
/// Rows of a matrix stored row after row.
nlohmann::ordered_json json_matrix(std::span<const double> values, std::size_t columns);

/// Text that reads back to the same numbers, indented, with a line end. Bytes that are not UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& value);
/// The same on one line, without its end.
std::string json_line(const nlohmann::ordered_json& value);

}  // namespace gfdt::data
