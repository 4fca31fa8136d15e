#include "gfdt/data/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gfdt::data {
namespace {

TEST(Json, NumbersReadBackExactly) {
  for (double value : {0.1, 1.0 / 3, 6.02214076e23, 5e-324, -2.2250738585072014e-308, 1.7976931348623157e308})
    EXPECT_EQ(nlohmann::json::parse(json_text(json_number(value))).get<double>(), value);
}

TEST(Json, NanAndInfinityAreNull) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(json_numbers(std::vector<double>{1, std::nan(""), infinity, -infinity}).dump(), "[1.0,null,null,null]");
}

TEST(Json, MatrixIsAnArrayOfRows) {
  EXPECT_EQ(json_matrix(std::vector<double>{1, 2, 3, 4, 5, 6}, 3).dump(), "[[1.0,2.0,3.0],[4.0,5.0,6.0]]");
  EXPECT_EQ(json_matrix({}, 3).dump(), "[]");
}

TEST(Json, KeepsOrderAndReplacesInvalidUtf8) {
  const nlohmann::ordered_json value{{"z", 1}, {"a", "caf\xE9"}};
  const std::string text = json_text(value);
  EXPECT_LT(text.find("\"z\""), text.find("\"a\""));
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace
}  // namespace gfdt::data
