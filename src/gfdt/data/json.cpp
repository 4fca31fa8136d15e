#include "gfdt/data/json.hpp"

#include <cmath>
#include <limits>

namespace gfdt::data {

using nlohmann::ordered_json;

ordered_json json_number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

ordered_json json_numbers(std::span<const double> values) {
  ordered_json result = ordered_json::array();
  for (double value : values) result.push_back(json_number(value));
  return result;
}

double json_number_from(const ordered_json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

std::vector<double> json_numbers_from(const ordered_json& value) {
  std::vector<double> result;
  for (const ordered_json& item : value) result.push_back(json_number_from(item));
  return result;
}

ordered_json json_matrix(std::span<const double> values, std::size_t columns) {
  ordered_json result = ordered_json::array();
  for (std::size_t begin = 0; columns > 0 && begin < values.size(); begin += columns)
    result.push_back(json_numbers(values.subspan(begin, columns)));
  return result;
}

std::string json_text(const ordered_json& value) {
  return value.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string json_line(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace gfdt::data
