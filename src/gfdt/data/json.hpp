#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace gfdt::data {

/// A number, or null for values that JSON cannot represent (NaN, ±∞).
nlohmann::ordered_json json_number(double value);
nlohmann::ordered_json json_numbers(std::span<const double> values);
/// The inverse; null becomes NaN. Throws nlohmann's exception for any other type.
double json_number_from(const nlohmann::ordered_json& value);
std::vector<double> json_numbers_from(const nlohmann::ordered_json& value);
/// Rows of a matrix in row-major order.
nlohmann::ordered_json json_matrix(std::span<const double> values, std::size_t columns);

/// Indented text with a final line end, from which the same numbers are read back. Invalid UTF-8 is replaced.
std::string json_text(const nlohmann::ordered_json& value);
/// The same on one line, without a line end.
std::string json_line(const nlohmann::ordered_json& value);

}  // namespace gfdt::data
