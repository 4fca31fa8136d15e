#include <gmock/gmock.h>

#include <thread>

#include "formulas.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::symbolic {
namespace {

void expect_same(const std::string& a, const std::string& b) {
  EXPECT_EQ(formula(a), formula(b)) << a << " is " << to_string(formula(a)) << ", " << b << " is "
                                    << to_string(formula(b));
}

TEST(CanonicalForm, EqualFormulasShareOneNode) {
  expect_same("x*y + z", "z + y*x");
  EXPECT_EQ(formula("sin(x)*y").identity(), formula("y*sin(x)").identity());
  EXPECT_NE(formula("x - y"), formula("y - x"));
}

TEST(CanonicalForm, LikeTermsAreCollected) {
  expect_same("2*x + 3*x", "5*x");
  expect_same("x*y - y*x", "0");
  expect_same("x + 1 + 2 + x*0", "3 + x");
  expect_same("-(a + b)", "-a - b");
  expect_same("2*(a + b) - a", "a + 2*b");
  expect_same("(a + b)*0.5 + (a + b)/2", "a + b");
}

TEST(CanonicalForm, EqualBasesAreCollected) {
  expect_same("x*x^2", "x^3");
  expect_same("x*x^-1", "1");
  expect_same("x/x", "1");
  expect_same("sqrt(x)*sqrt(x)", "x");
  expect_same("x^a*x^b", "x^(a + b)");
  expect_same("x^a/x^a", "1");
  expect_same("sqrt(x*y)*sqrt(x*y)/x", "y");
  expect_same("sqrt(x^2)*sqrt(x^2)*x", "x^3");
  expect_same("2^x*2^y", "2^(x + y)");
}

TEST(CanonicalForm, ProportionalSumsAreCollected) {
  expect_same("x*(2*a + 2*b)", "2*x*(a + b)");
  expect_same("(2*a + 6*b)/(a + 3*b)", "2");
  expect_same("x*(-a - b)", "-x*(a + b)");
  expect_same("0.5*(2*a + 2*b)/sqrt(a + b)", "(a + b)^0.5");
  expect_same("1/(2*a + 4*b)^2", "0.25/(a + 2*b)^2");
}

TEST(CanonicalForm, PowersAreSimplified) {
  expect_same("x^0", "1");
  expect_same("x^1", "x");
  expect_same("1^x", "1");
  expect_same("(x^a)^2", "x^(2*a)");
  expect_same("(2*x*y)^3", "8*x^3*y^3");
  expect_same("sqrt(x)^2", "x");
  expect_same("1/(1/x)", "x");
  EXPECT_NE(formula("sqrt(x^2)"), formula("x"));
}

TEST(CanonicalForm, FunctionsAreSimplified) {
  expect_same("sin(0) + cos(0) + exp(0) + log(1)", "2");
  expect_same("sin(-x) + cos(-x)", "cos(x) - sin(x)");
  expect_same("log(exp(x))", "x");
  expect_same("min(2, 3) + max(2, 3)", "5");
  expect_same("min(x, x)", "x");
  expect_same("abs(-x)", "abs(x)");
}

TEST(CanonicalForm, ConditionsAreSimplified) {
  expect_same("1 < 2", "1");
  expect_same("x < x", "0");
  expect_same("x <= x", "1");
  expect_same("x == y", "y == x");
  expect_same("not (x < 1)", "x >= 1");
  expect_same("not not (x == 1)", "x == 1");
  EXPECT_NE(formula("not not x"), formula("x"));
  expect_same("x < 1 and 1", "x < 1");
  expect_same("x < 1 and 0", "0");
  expect_same("x < 1 or 2", "1");
  expect_same("x < 1 and x < 1", "x < 1");
  expect_same("x and 1", "not not x");
  expect_same("x and (y and z)", "x and y and z");
}

TEST(CanonicalForm, SumsOverSitesKeepOnlyVaryingTerms) {
  expect_same("sum(k, 1)", "4");
  expect_same("sum(k, a)", "4*a");
  expect_same("sum(k, a*X[k])", "a*sum(k, X[k])");
  expect_same("sum(k, a + X[k])", "4*a + sum(k, X[k])");
  expect_same("mean(k, a + b*X[k])", "a + b*sum(k, X[k])/4");
  expect_same("sum(j, Y[j,k]*X[k])", "X[k]*sum(j, Y[j,k])");
  expect_same("sum(k, X[k]*sum(k, X[k]))", "sum(k, X[k])^2");
  Expression one_loop = formula("sum(k, X[k] + X[k]^2)");
  EXPECT_EQ(one_loop.kind(), Kind::sum);
}

TEST(CanonicalForm, MeanOfAConstantIsExact) {
  LatticeScope scope(49);
  EXPECT_EQ(formula("mean(k, 1 + X[k]) - mean(k, X[k])", scope), Expression(1.0));
}

TEST(CanonicalForm, OffsetsWrapAround) {
  LatticeScope three(3), two(2);
  EXPECT_EQ(formula("X[k-1]", three), formula("X[k+2]", three));
  EXPECT_EQ(formula("X[k-1]", two), formula("X[k+1]", two));
  EXPECT_EQ(formula("X[k+2]", LatticeScope(4)).indices()[0].offset, 2);
  EXPECT_EQ(formula("X[k+3]", LatticeScope(4)).indices()[0].offset, -1);
}

TEST(CanonicalForm, FreeIndicesAreReported) {
  EXPECT_THAT(formula("X[k] - sum(j, Y[j,k])").free_indices(), testing::ElementsAre("k"));
  EXPECT_THAT(formula("Y[j,k]").free_indices(), testing::ElementsAre("j", "k"));
  EXPECT_TRUE(formula("mean(k, X[k])").free_indices().empty());
}

TEST(CanonicalForm, IndexSizesMustAgree) {
  Expression four = formula("X[k]", LatticeScope(4)), five = formula("X[k]", LatticeScope(5));
  EXPECT_THROW(four + five, Error);
  EXPECT_THROW(sum({"k", 5}, four), Error);
  EXPECT_THROW(Expression::site("X", {{{"k", 0}, 0}}), Error);
}

TEST(CanonicalForm, InfinityAndNanAreRejected) {
  EXPECT_THROW(Expression{INFINITY}, Error);
  EXPECT_THROW(power(0.0, -1.0), Error);
  EXPECT_THROW(power(-1.0, 0.5), Error);
  EXPECT_THROW(call(Function::log, {0.0}), Error);
  EXPECT_THROW(multiply({1e300, 1e300}), Error);
  EXPECT_THROW(add({1.7e308, 1.7e308}), Error);
  EXPECT_THROW(formula("x") / 0.0, Error);
}

TEST(CanonicalForm, NegativeZeroIsZero) { EXPECT_EQ(Expression(-0.0), Expression(0.0)); }

TEST(CanonicalForm, DepthIsLimited) {
  Expression deep = formula("x");
  EXPECT_THROW(for (int i = 0; i <= Expression::deepest; ++i) deep = call(Function::tanh, {1.0 + deep}), Error);
}

TEST(CanonicalForm, OrderIsStrictAndTotal) {
  std::vector<Expression> all;
  for (const char* text :
       {"1",      "-2",     "x",     "y",         "2*x",          "x*y", "x^2", "sqrt(x)", "X[k]",  "X[k+1]",
        "sin(x)", "sin(y)", "x + y", "x*(x + y)", "sum(k, X[k])", "x^y", "y^x", "2^x",     "x < y", "min(x, y)"})
    all.push_back(formula(text));
  for (const Expression& a : all)
    for (const Expression& b : all) EXPECT_EQ(precedes(a, b) + precedes(b, a), a == b ? 0 : 1);
}

TEST(CanonicalForm, ThreadsShareNodes) {
  std::vector<Expression> results(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < results.size(); ++i)
      threads.emplace_back([&results, i] {
        for (int round = 0; round < 200; ++round) results[i] = formula("sin(x*y + a)^2/(1 + exp(z)) - mean(k, X[k]^3)");
      });
  }
  for (const Expression& result : results) EXPECT_EQ(result, results.front());
}

}  // namespace
}  // namespace gfdt::symbolic
