#include "gfdt/symbolic/expression/evaluate.hpp"

#include <gtest/gtest.h>

#include "formulas.hpp"
#include "gfdt/base/error.hpp"

namespace gfdt::symbolic {
namespace {

/// X[k] = 10 + k, W[j] = j, Y[j,k] = 10 j + k; all symbols have the value 2.
const Values counted{[](const std::string&) { return 2.0; },
                     [](const std::string& field, std::span<const int> at) {
                       return field == "X" ? 10.0 + at[0] : field == "W" ? at[0] : 10.0 * at[0] + at[1];
                     }};

double value(const std::string& text, int j = 0, int k = 0) {
  return evaluate(formula(text), counted, {{"j", j}, {"k", k}});
}

TEST(Evaluate, SitesWrapAround) {
  EXPECT_EQ(value("X[k]", 0, 3), 13);
  EXPECT_EQ(value("X[k+1]", 0, 3), 10);
  EXPECT_EQ(value("X[k-1]", 0, 0), 13);
  EXPECT_EQ(value("Y[j+1,k-1]", 2, 0), 3);
}

TEST(Evaluate, SumsAndMeans) {
  EXPECT_EQ(value("sum(k, X[k])"), 46);
  EXPECT_EQ(value("mean(k, X[k])"), 11.5);
  EXPECT_EQ(value("sum(j, Y[j,k])", 0, 2), 36);
  EXPECT_EQ(value("sum(j, sum(k, Y[j,k]))"), 138);
  EXPECT_EQ(value("X[k] - sum(k, X[k]) + X[k]", 0, 1), 22 - 46);
  EXPECT_EQ(value("sum(k, max(X[k], sum(k, X[k])))"), 4 * 46);
}

TEST(Evaluate, Conditions) {
  EXPECT_EQ(value("mean(k, X[k] > 11)"), 0.5);
  EXPECT_EQ(value("x == 2 and y != 2"), 0);
  EXPECT_EQ(value("x and y"), 1);
  EXPECT_EQ(value("sign(x) + sign(-x) + sign(x - y)"), 0);
}

TEST(Evaluate, RequiresAPositionForFreeIndices) {
  EXPECT_THROW(evaluate(formula("X[k]"), counted), Error);
  EXPECT_NO_THROW(evaluate(formula("mean(k, X[k])"), counted));
}

}  // namespace
}  // namespace gfdt::symbolic
