#include <gmock/gmock.h>

#include "gfdt/symbolic/derived/conjugate.hpp"
#include "gfdt/symbolic/derived/perturbation.hpp"
#include "gfdt/symbolic/text/print.hpp"
#include "paper_models.hpp"

namespace gfdt::symbolic {
namespace {

using symbolic::to_string;
using testing::HasSubstr;

Description two_states(std::vector<NamedText> noise_of_x, std::vector<NamedText> noise_of_y) {
  Description d;
  d.parameter("a", 1).parameter("b", 2).state("x", "-x").state("y", "-y");
  d.diffusion = {{"x", std::move(noise_of_x)}, {"y", std::move(noise_of_y)}};
  return d;
}

Description lattice(std::vector<NamedText> noise) {
  Description d;
  d.index("k", 6).index("j", 2).parameter("a", 1).parameter("b", 2).state("X[k]", "-X[k]");
  d.diffusion = {{"X", std::move(noise)}};
  return d;
}

/// One line `row column value` per entry.
std::string spelled(const Model& model, const std::vector<MatrixEntry>& matrix) {
  std::string text;
  for (const MatrixEntry& e : matrix)
    text += model.states[e.row].name + " " + to_string(e.column_site) + " " + to_string(e.value) + "\n";
  return text;
}

TEST(Noise, NamedNoisesAreSharedByStates) {
  Model m = build(two_states({{"w1", "a"}, {"w2", "b"}}, {{"w1", "x"}}));
  EXPECT_EQ(m.noises.size(), 2u);
  EXPECT_EQ(spelled(m, diffusion_matrix(m)), "x x a^2 + b^2\nx y a*x\ny x a*x\ny y x^2\n");
}

TEST(Noise, OwnNoisesAreIndependent) {
  Model m = build(two_states({{"", "a"}}, {{"", "b"}}));
  EXPECT_EQ(spelled(m, diffusion_matrix(m)), "x x a^2\ny y b^2\n");
}

TEST(Noise, NoisesMayHaveNamesOfStatesWithoutOwnNoise) {
  Model m = build(two_states({{"x", "a"}, {"y", "b"}}, {{"y", "1"}}));
  EXPECT_EQ(spelled(m, diffusion_matrix(m)), "x x a^2 + b^2\nx y b\ny x b\ny y 1\n");
}

TEST(Noise, ZeroAmplitudeIsDropped) {
  Model m = build(two_states({{"", "0*a"}}, {{"w", "b"}}));
  EXPECT_EQ(m.noises.size(), 1u);
  EXPECT_EQ(m.diffusion.size(), 1u);
}

TEST(Noise, OffsetNoiseCorrelatesNeighbours) {
  Model m = build(lattice({{"w[k]", "a"}, {"w[k+1]", "b*X[k]"}}));
  EXPECT_EQ(m.noises.size(), 1u);
  EXPECT_EQ(spelled(m, diffusion_matrix(m)), "X X[k] a^2 + b^2*X[k]^2\nX X[k-1] a*b*X[k-1]\nX X[k+1] a*b*X[k]\n");
}

TEST(Noise, OffsetsWrapAroundTheLattice) {
  Model a = build(lattice({{"w[k-1]", "a"}, {"w[k]", "b"}})), b = build(lattice({{"w[k+5]", "a"}, {"w[k-6]", "b"}}));
  EXPECT_EQ(spelled(a, diffusion_matrix(a)), spelled(b, diffusion_matrix(b)));
}

TEST(Noise, NoiseSharedByAllSitesHasNoConjugate) {
  Description d = lattice({{"w", "a"}, {"", "b"}});
  d.drift[0].formula = "-b*X[k]";
  Model m = build(d);
  EXPECT_EQ(conjugate(m, "a").unavailable,
            "The noise 'w' drives all sites of 'X[k]' at once; the response to its amplitude is not derived.");
  EXPECT_EQ(conjugate(m, "b").unavailable, "");
  EXPECT_THROW(diffusion_matrix(m), Error);
}

TEST(Noise, AJumpInTheStateHasNoConjugate) {
  Model m = build(two_states({{"", "a*(x > 0)"}}, {{"", "b*(x > 0)"}}));
  EXPECT_NE(conjugate(m, "a").unavailable, "");
  EXPECT_EQ(conjugate(m, "b").unavailable, "");
}

TEST(Noise, ConjugateOfAnUnknownParameterIsRejected) { EXPECT_THROW(conjugate(build(ou()), "gamma"), Error); }

TEST(NoiseError, GivenTwice) {
  EXPECT_THAT(complaint(two_states({{"w", "a"}, {"w", "b"}}, {})), HasSubstr("The noise 'w' of 'x' is given twice."));
  EXPECT_THAT(complaint(two_states({{"", "a"}, {"", "b"}}, {})), HasSubstr("The noise of 'x' is given twice."));
  EXPECT_THAT(complaint(lattice({{"w[k]", "a"}, {"w[k+6]", "b"}})),
              HasSubstr("The noise 'w[k+6]' of 'X' is given twice."));
  Description d = two_states({{"", "a"}}, {});
  d.diffusion.push_back({"x", {{"", "b"}}});
  EXPECT_THAT(complaint(d), HasSubstr("The diffusion of 'x' is given twice."));
}

TEST(NoiseError, NameOfAnOwnNoiseIsTaken) {
  const char* message = "The state 'x' has a noise of its own: no other noise can be called 'x'.";
  EXPECT_THAT(complaint(two_states({{"", "a"}}, {{"x", "b"}})), HasSubstr(message));
  EXPECT_THAT(complaint(two_states({{"x", "b"}, {"", "a"}}, {})), HasSubstr(message));
}

TEST(NoiseError, UnknownState) {
  Description d = two_states({}, {});
  d.diffusion.push_back({"z", {{"", "1"}}});
  EXPECT_THAT(complaint(d), HasSubstr("'z' is not a state of the model."));
}

TEST(NoiseError, BadLabel) {
  EXPECT_THAT(complaint(two_states({{"2w", "a"}}, {})), HasSubstr("'2w' is not a name for a noise."));
  EXPECT_THAT(complaint(two_states({{"exp", "a"}}, {})), HasSubstr("'exp' is not a name for a noise."));
  EXPECT_THAT(complaint(two_states({{"w[k]", "a"}}, {})), HasSubstr("w has no sites"));
  EXPECT_THAT(complaint(lattice({{"w[j]", "a"}})), HasSubstr("w is written w[k]"));
  EXPECT_THAT(complaint(lattice({{"w[k", "a"}})), HasSubstr("never closed"));
  EXPECT_THAT(complaint(lattice({{"w[2]", "a"}})), HasSubstr("not by its number"));
  EXPECT_THAT(complaint(lattice({{"w[k] + 1", "a"}})), HasSubstr("'w[k] + 1' is not one site of a noise, as in w[k]."));
  EXPECT_THAT(complaint(lattice({{"w[k]*w[k+1]", "a"}})), HasSubstr("is not one site of a noise"));
}

TEST(NoiseError, DifferentIndices) {
  EXPECT_THAT(complaint(lattice({{"w", "a"}, {"w[k]", "b"}})),
              HasSubstr("The noise 'w' is used with different indices: here as 'w[k]', before as 'w'."));
}

TEST(NoiseError, AmplitudeWithAMistake) {
  EXPECT_THAT(complaint(two_states({{"w", "a*q"}}, {})), HasSubstr("The name q is not known."));
  EXPECT_THAT(complaint(lattice({{"w[k]", "X[k"}})), HasSubstr("never closed"));
}

}  // namespace
}  // namespace gfdt::symbolic
