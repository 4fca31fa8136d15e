#include "gfdt/report/document.hpp"

namespace gfdt::report {
namespace {

double number(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  return no_number;
}

std::vector<double> numbers(const Json& list) {
  std::vector<double> result;
  if (list.is_array())
    for (const Json& value : list) result.push_back(number(value));
  return result;
}

}  // namespace

const Json& entry(const Json& object, const std::string& key) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

std::string text_of(const Json& object, const std::string& key) {
  const Json& value = entry(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::vector<std::string> texts_of(const Json& object, const std::string& key) {
  std::vector<std::string> result;
  const Json& list = entry(object, key);
  if (list.is_array())
    for (const Json& value : list) result.push_back(value.is_string() ? value.get<std::string>() : std::string());
  return result;
}

double number_of(const Json& object, const std::string& key) { return number(entry(object, key)); }

std::vector<double> numbers_of(const Json& object, const std::string& key) { return numbers(entry(object, key)); }

std::vector<std::vector<double>> matrix_of(const Json& object, const std::string& key) {
  std::vector<std::vector<double>> result;
  const Json& rows = entry(object, key);
  if (rows.is_array())
    for (const Json& row : rows) result.push_back(numbers(row));
  return result;
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> result;
  if (object.is_object())
    for (const auto& item : object.items()) result.push_back(item.key());
  return result;
}

double at(const std::vector<double>& values, std::size_t n) { return n < values.size() ? values[n] : no_number; }

double at(const std::vector<std::vector<double>>& matrix, std::size_t row, std::size_t column) {
  return row < matrix.size() ? at(matrix[row], column) : no_number;
}

}  // namespace gfdt::report
