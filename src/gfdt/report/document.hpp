#pragma once

#include <limits>
#include <string>
#include <vector>

#include "gfdt/report/page.hpp"

namespace gfdt::report {

inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Entries of a document. What is missing or of another kind is empty, or NaN.
const Json& entry(const Json& object, const std::string& key);
std::string text_of(const Json& object, const std::string& key);
std::vector<std::string> texts_of(const Json& object, const std::string& key);
double number_of(const Json& object, const std::string& key);
std::vector<double> numbers_of(const Json& object, const std::string& key);
/// [row][column]
std::vector<std::vector<double>> matrix_of(const Json& object, const std::string& key);

std::vector<std::string> keys_of(const Json& object);

/// The n-th of a list; NaN past its end.
double at(const std::vector<double>& values, std::size_t n);
double at(const std::vector<std::vector<double>>& matrix, std::size_t row, std::size_t column);

}  // namespace gfdt::report
