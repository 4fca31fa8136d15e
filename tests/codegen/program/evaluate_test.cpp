#include <gtest/gtest.h>

#include <set>

#include "formulas.hpp"
#include "gfdt/codegen/native/code_parts.hpp"

namespace gfdt::codegen {
namespace {

template <class S>
using Evaluate = OnEachBackend<S>;
TYPED_TEST_SUITE(Evaluate, Settings, SettingName);

Formulas every_operation() {
  Formulas f;
  f.state("x").state("y").state("z").parameter("a", 0.75).parameter("p", 1.625);
  for (const char* text : {"x",
                           "-x",
                           "x + y",
                           "x - y",
                           "x*y",
                           "x/y",
                           "x*y + z",
                           "a*x + y",
                           "a",
                           "a*p - 3",
                           "0",
                           "1/x",
                           "a/(x*y)",
                           "sqrt(x)",
                           "x^p",
                           "x^y",
                           "a^x",
                           "x^0.3",
                           "x^2",
                           "x^3",
                           "x^7",
                           "x^64",
                           "x^100",
                           "x^2.5",
                           "x^0.5",
                           "x^-0.5",
                           "x^-1",
                           "x^-3",
                           "x^-2.5",
                           "y*x^-1.5",
                           "exp(x)",
                           "log(x)",
                           "sin(x)",
                           "cos(x)",
                           "tan(x)",
                           "sinh(x)",
                           "cosh(x)",
                           "tanh(x)",
                           "atan(x)",
                           "erf(x)",
                           "abs(x - y)",
                           "sign(x - y)",
                           "sign(x - 0.75)",
                           "min(x, y)",
                           "max(x, y, z)",
                           "x < y",
                           "x <= y",
                           "x > 0.7",
                           "x >= y",
                           "x == y",
                           "x != y",
                           "(x < y) == (y < z)",
                           "x < y and y < z",
                           "x < y or y < z",
                           "not (x < y)",
                           "x < y and y < z and x < 1",
                           "(x < y)*x + (x >= y)*y",
                           "x*y*z/(x + y)/(y + z)",
                           "1 - x*y - z*x",
                           "(x - y)^2*(x + y)",
                           "x^2*y + x*y^2 + x*y + a*x + a^2*x",
                           "exp(-(x - y)^2/(2*a^2))",
                           "x + y + z - a"})
    f.output(text);
  return f;
}

TEST(EveryOperation, IsCoveredByTheFormulasBelow) {
  std::set<Op> ops;
  const Routine routine = lower(every_operation().plan());
  for (const Loop& loop : routine.stages[0].loops)
    for (const auto& body : loop.bodies)
      for (const Instruction& i : body) ops.insert(i.op);
  for (int op = 0; op <= static_cast<int>(Op::logical_not); ++op)
    EXPECT_TRUE(ops.contains(static_cast<Op>(op))) << "operation number " << op;
}

TYPED_TEST(Evaluate, EveryOperation) {
  // Most errors are at most 5 ulps; the 64th power consists of six squarings, each of which doubles the error.
  const double worst = every_operation().compare<typename TypeParam::Real>(TypeParam::backend, 64, 20);
  this->RecordProperty("worst_ulps", std::to_string(worst));
}

/// Lattices of all sizes at which the generated loops change: one site, coinciding neighbours, blocks of sixteen sites.
Formulas lattices_of_one_index() {
  Formulas f;
  f.parameter("a", 0.75).state("x");
  for (int size : {1, 2, 3, 4, 5, 15, 16, 17, 33, 36}) {
    const std::string k = "k" + std::to_string(size), field = "X" + std::to_string(size);
    auto spelled = [&](std::string text) {
      for (auto [from, to] : {std::pair{"X", field}, {"K", k}})
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
          text.replace(at, 1, to);
      return text;
    };
    f.index(k, size).state(spelled("X[K]"));
    f.output("advection" + k + "[" + k + "]", spelled("-X[K-1]*(X[K-2] - X[K+1]) - X[K] + a"));
    f.output("far" + k + "[" + k + "]", spelled("X[K+7]*x - X[K-9]"));
    f.output("anomaly" + k + "[" + k + "]", spelled("(X[K] - mean(K, X[K]))^3 + exp(x)"));
    f.output("kurtosis" + k, spelled("mean(K, (X[K] - mean(K, X[K]))^4)/mean(K, X[K]^2)^2"));
    f.output("C" + k, spelled("mean(K, X[K]*X[K+1]) - a*x*sum(K, X[K-3])"));
  }
  return f;
}

TYPED_TEST(Evaluate, LatticesOfOneIndex) {
  lattices_of_one_index().compare<typename TypeParam::Real>(TypeParam::backend, 64);
}

/// The label of Y lists its indices in a different order from the model.
Formulas lattices_of_two_indices() {
  Formulas f;
  f.index("k", 5).index("j", 18).parameter("a", 0.75).state("x").state("X[k]").state("W[j]").state("Y[j,k]");
  f.output("neighbours[k]", "X[k+1]*X[k-2] - X[k]");
  f.output("column[k]", "sum(j, Y[j,k])");
  f.output("weighted[k]", "sum(j, Y[j+1,k-1]*W[j])*X[k]");
  f.output("mean_field[k]", "mean(k, X[k]^3)*X[k] + mean(j, W[j]^2)");
  f.output("row[j]", "sum(k, Y[j,k]*X[k+2])");
  f.output("quotient[j]", "mean(k, Y[j-3,k]^2)/(1 + W[j-1]^2)");
  f.output("both[j,k]", "Y[j+1,k-2]*W[j] + X[k]^2 + sum(k, X[k])");
  f.output("other_order[k,j]", "Y[j,k]*exp(-X[k])*tanh(W[j+9])");
  f.output("invariant[j,k]", "exp(X[k])*Y[j,k] + sin(W[j])*cos(x) + a*exp(X[k])");
  f.output("deviation[j,k]", "Y[j,k] - mean(k, Y[j,k]) - mean(j, Y[j,k])");
  f.output("energy", "sum(j, W[j]*sum(k, X[k]*Y[j,k]))");
  f.output("nested", "mean(k, tanh(X[k])*mean(j, Y[j,k]))^2");
  f.output("all", "sum(k, sum(j, exp(-Y[j,k]^2)*x))");
  f.output("three_deep", "mean(k, (mean(j, Y[j,k]^2) - mean(k, mean(j, Y[j,k]^2)))^2)");
  f.output("neighbour_correlation", "mean(k, mean(j, Y[j,k]*Y[j+1,k-1]))");
  return f;
}

TYPED_TEST(Evaluate, LatticesOfTwoIndices) {
  lattices_of_two_indices().compare<typename TypeParam::Real>(TypeParam::backend, 64);
}

/// Loops whose code is divided into functions at each depth, with values shared by several of these functions.
Formulas long_formulas() {
  Formulas f;
  f.index("k", 5).index("j", 6).parameter("a", 0.75).state("x").state("y").state("X[k]").state("Y[k,j]");
  constexpr int terms = 200;
  std::string of_sites, of_pairs, of_outer_index;
  for (int i = 0; i < terms; ++i) {
    const std::string number = std::to_string(0.01 * (i + 1));
    f.output("sin(" + number + "*x)*tanh(" + number + " + a*y) + exp(-x)*x^y");
    of_sites += "+ " + number + "*sin(" + number + "*X[k])*exp(-X[k+1])*tanh(" + number + "*X[k-2])";
    of_pairs += "+ cos(" + number + "*Y[k,j+1])*atan(" + number + "*X[k-1])*exp(-x)";
    of_outer_index += "+ erf(" + number + "*X[k])*exp(-" + number + "*X[k+2])";
  }
  f.output("total", "mean(k, 0" + of_sites + ")/10");
  f.output("field[k]", "(0" + of_sites + ")/10");
  f.output("pairs", "mean(k, mean(j, (0" + of_pairs + ")*(0" + of_outer_index + ")))/1000");
  return f;
}

TEST(LongFormulas, AreDividedAtEachDepth) {
  std::set<std::size_t> depths;
  const Routine routine = lower(long_formulas().plan());
  for (const Loop& loop : routine.stages[0].loops)
    for (const CodePart& part : divide(loop).parts) depths.insert(part.depth);
  EXPECT_EQ(depths, (std::set<std::size_t>{0, 1, 2}));
}

TYPED_TEST(Evaluate, LongFormulas) { long_formulas().compare<typename TypeParam::Real>(TypeParam::backend, 256); }

TYPED_TEST(Evaluate, SitesAreStoredInTheOrderOfTheIndicesOfTheModel) {
  using T = typename TypeParam::Real;
  Formulas f;
  f.index("k", 2).index("j", 3).state("x").state("Y[j,k]").output("copy[j,k]", "Y[j,k]").output("at[k,j]", "Y[j+1,k]");
  auto evaluator = make_evaluator<T>(f.plan(), {}, TypeParam::backend);
  const auto lanes = static_cast<std::size_t>(evaluator->lanes());
  AlignedArray<T> record(7 * lanes), values(12 * lanes), scratch(evaluator->scratch_size());
  for (std::size_t row = 0; row < 7; ++row)
    for (std::size_t lane = 0; lane < lanes; ++lane) record[row * lanes + lane] = static_cast<T>(100 * row + lane);
  evaluator->evaluate(record.data(), 1, values.data(), scratch.data());
  for (std::size_t lane = 0; lane < lanes; ++lane)
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_EQ(values[(k * 3 + j) * lanes + lane], static_cast<T>(100 * (1 + k * 3 + j) + lane));
        EXPECT_EQ(values[(6 + k * 3 + j) * lanes + lane], static_cast<T>(100 * (1 + k * 3 + (j + 1) % 3) + lane));
      }
}

TYPED_TEST(Evaluate, NanStaysInItsLane) {
  using T = typename TypeParam::Real;
  Formulas f;
  f.index("k", 20).state("X[k]").output("m", "mean(k, X[k])").output("d[k]", "X[k+1] - X[k]");
  auto evaluator = make_evaluator<T>(f.plan(), {}, TypeParam::backend);
  const auto lanes = static_cast<std::size_t>(evaluator->lanes());
  AlignedArray<T> record(20 * lanes), values(21 * lanes), scratch(evaluator->scratch_size());
  record[5 * lanes + 3] = std::numeric_limits<T>::quiet_NaN();
  evaluator->evaluate(record.data(), 1, values.data(), scratch.data());
  for (std::size_t lane = 0; lane < lanes; ++lane)
    for (std::size_t row = 0; row < 21; ++row)
      EXPECT_EQ(std::isnan(values[row * lanes + lane]), lane == 3 && (row == 0 || row == 5 || row == 6));
}

TYPED_TEST(Evaluate, ASymbolWithoutAValueIsAnError) {
  Formulas f;
  f.state("x").parameter("a", 1).output("a*x");
  EXPECT_THROW(make_evaluator<typename TypeParam::Real>(f.plan(), {}, TypeParam::backend), Error);
}

}  // namespace
}  // namespace gfdt::codegen
