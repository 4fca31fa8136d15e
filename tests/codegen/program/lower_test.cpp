#include <gmock/gmock.h>

#include <regex>

#include "formulas.hpp"
#include "gfdt/codegen/native/native_source.hpp"
#include "gfdt/codegen/program/nested_form.hpp"
#include "lorenz96.hpp"

namespace gfdt::codegen {
namespace {

using symbolic::to_string;

class NestedForm : public testing::Test {
 protected:
  NestedForm() {
    f.state("x").state("y");
    for (const char* name : {"a", "b", "c0", "c1", "c2", "c3"}) f.parameter(name, 1);
  }
  static bool uniform(const Expression& e) {
    if (e.kind() == symbolic::Kind::site) return false;
    if (e.kind() == symbolic::Kind::symbol) return e.name() != "x" && e.name() != "y";
    return std::ranges::all_of(e.operands(), uniform);
  }
  std::string of(const std::string& text) { return to_string(nested_form(f.parsed(text), uniform)); }
  int instructions(const std::string& text) {
    Formulas one = f;
    return lower(one.output(text).plan()).stages[0].instructions();
  }
  Formulas f;
};

TEST_F(NestedForm, PolynomialsUseHornersRule) {
  EXPECT_EQ(of("c0 + c1*x + c2*x^2 + c3*x^3"), "c0 + x*(c1 + x*(c2 + c3*x))");
  EXPECT_EQ(instructions("c0 + c1*x + c2*x^2 + c3*x^3"), 3);
  EXPECT_EQ(of("1 - x^2/2 + x^4/24"), "1 - x^2*(12 - x^2)/24");
}

TEST_F(NestedForm, CollectsCoefficients) {
  EXPECT_EQ(of("-x - a*x"), "-x*(1 + a)");
  EXPECT_EQ(instructions("-x - a*x + b*x - a*b*x"), 1);
  EXPECT_EQ(instructions("c0*y + a*x + c1 - b*x - 3*a"), 2);
}

TEST_F(NestedForm, OtherFormulasAreUnchanged) {
  for (const char* text : {"x", "a", "x + y", "x/y + y/x", "y*exp(x)", "x^2.5 + sqrt(x)"}) EXPECT_EQ(of(text), text);
}

TEST(Lower, Lorenz96DriftTakesSevenInstructionsPerSite) {
  // F − α₀ − X₋₁(X₋₂ − X₊₁) − X((1 + α₁) + X(α₂ + α₃X)): two multiply-adds, two products, three differences.
  EXPECT_EQ(lower(drift_plan(36)).stages[0].instructions(), 7);
}

TEST(Lower, SizeDoesNotDependOnTheNumberOfSites) {
  EXPECT_EQ(lower(drift_plan(36)).stages[0].instructions(), lower(drift_plan(4096)).stages[0].instructions());
  Routine small = lower(euler_plan(36)), large = lower(euler_plan(4096));
  EXPECT_EQ(small.stages[0].instructions(), large.stages[0].instructions());
  const std::regex digits("[0-9]+");
  for (const char* real : {"float", "double"}) {
    std::string a = step_source(small, real, 16), b = step_source(large, real, 16);
    EXPECT_LT(b.size() - a.size(), 50u);
    EXPECT_EQ(std::regex_replace(a, digits, "#"), std::regex_replace(b, digits, "#"));
  }
}

TEST(Lower, HoistsOperationsOutOfInnerLoops) {
  Formulas f;
  f.index("k", 4).index("j", 3).state("x").state("X[k]").state("Y[j,k]").output("o[j,k]", "exp(x) + sin(X[k])*Y[j,k]");
  const Routine routine = lower(f.plan());
  const Loop& loop = routine.stages[0].loops.at(0);
  ASSERT_EQ(loop.bodies.size(), 3u);
  EXPECT_THAT(loop.bodies[0], testing::ElementsAre(testing::Field(&Instruction::op, Op::exp)));
  EXPECT_THAT(loop.bodies[1], testing::ElementsAre(testing::Field(&Instruction::op, Op::sin)));
  EXPECT_THAT(loop.bodies[2], testing::ElementsAre(testing::Field(&Instruction::op, Op::multiply_add)));
}

TEST(Lower, ComputesCommonSubexpressionsOnce) {
  Formulas f;
  f.state("x").state("y").output("exp(x*y) + x").output("exp(x*y)*y").output("exp(x*y)");
  const Routine routine = lower(f.plan());
  int calls = 0;
  for (const Instruction& i : routine.stages[0].loops.at(0).bodies[0]) calls += i.op == Op::exp;
  EXPECT_EQ(calls, 1);
}

TEST(Lower, SumsOverTheSameSitesShareALoop) {
  Formulas f;
  f.index("k", 4).state("X[k]").output("mean(k, X[k])").output("mean(k, X[k]^2)").output("sum(k, exp(X[k]))");
  EXPECT_EQ(lower(f.plan()).stages[0].loops.size(), 2u);
}

TEST(Lower, UserDefinedNamesDoNotAppearInTheSource) {
  Formulas f;
  f.index("my_index", 4).state("my_state[my_index]").parameter("my_parameter", 1);
  f.output("my_output", "my_parameter*sum(my_index, my_state[my_index])");
  EXPECT_THAT(evaluation_source(lower(f.plan()), "float", 16), testing::Not(testing::HasSubstr("my_")));
}

TEST(Lower, TooManyNestedSumsAreAnError) {
  Formulas f;
  f.index("i", 2).index("j", 2).index("k", 2).index("l", 2).state("A[i,j]").state("B[k,l]");
  f.output("sum(i, sum(j, sum(k, sum(l, exp(A[i,j]*B[k,l])))))");
  EXPECT_THAT([&] { lower(f.plan()); }, testing::ThrowsMessage<Error>(testing::HasSubstr("runs inside 3 other")));
}

TEST(DrawSize, HoldsWholeBlocksForEveryPositionOfTheFirstStep) {
  for (int rows = 1; rows < 200; ++rows) {
    const DrawSize size = draw_size(rows);
    EXPECT_EQ(size.rows % 4, 0);
    for (int lead = 0; lead < 4; ++lead) EXPECT_LE((lead + size.steps * rows + 3) / 4 * 4, size.rows);
  }
  EXPECT_EQ(draw_size(0).rows, 0);
}

}  // namespace
}  // namespace gfdt::codegen
