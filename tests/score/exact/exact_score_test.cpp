#include <gmock/gmock.h>

#include "../../symbolic/model/nested_formulas.hpp"
#include "../../symbolic/model/paper_models.hpp"
#include "../estimators/field_checks.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/score/exact/exact_score.hpp"
#include "gfdt/score/exact/linear.hpp"
#include "gfdt/score/exact/lyapunov.hpp"
#include "gfdt/score/exact/one_dimensional.hpp"

namespace gfdt::score {
namespace {

using score::complaint;
using score::normal_block;

using symbolic::build;
using symbolic::Description;
using testing::AllOf;
using testing::HasSubstr;
using Matrix = std::vector<double>;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

Matrix product(const Matrix& a, const Matrix& b, int d) {
  Matrix c(a.size(), 0.0);
  for (int i = 0; i < d; ++i)
    for (int k = 0; k < d; ++k)
      for (int j = 0; j < d; ++j) c[index(i * d + j)] += a[index(i * d + k)] * b[index(k * d + j)];
  return c;
}

/// Expects that the precision is the inverse of this covariance.
void expect_covariance(const GaussianField& field, const Matrix& covariance) {
  const int d = field.dimension();
  const Matrix identity = product(field.precision(), covariance, d);
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) EXPECT_NEAR(identity[index(i * d + j)], i == j ? 1 : 0, 1e-10) << i << " " << j;
}

void drive(Description& description, const std::string& state, std::initializer_list<symbolic::NamedText> terms) {
  description.diffusion.push_back({state, terms});
}

TEST(ExactLinear, OrnsteinUhlenbeckHasVarianceBetaSquaredOverTwoAlpha) {
  Description description;
  description.parameter("alpha", 1.3).parameter("beta", 0.8).state("x", "-alpha*(x - 2)", "beta");
  const GaussianField field = exact_linear(build(description));
  EXPECT_NEAR(field.mean()[0], 2, 1e-14);
  EXPECT_NEAR(field.precision()[0], 2 * 1.3 / 0.64, 1e-13);
}

TEST(ExactLinear, RotationKeepsTheVariance) {
  Description description;
  description.state("x", "-0.5*x + 3*y + 1", "0.7").state("y", "-3*x - 0.5*y", "0.7");
  const GaussianField field = exact_linear(build(description));
  expect_covariance(field, {0.49, 0, 0, 0.49});
  EXPECT_NEAR(field.mean()[0], 0.5 / 9.25, 1e-14);
  EXPECT_NEAR(field.mean()[1], -3 / 9.25, 1e-14);
  expect_consistent(field);
}

// dz = −c z + σ dW, dy = −y + z + σ₁ dW, dx = −2x + y, a cascade:
//   <zz> = σ²/2c, <yz> = <zz>/(1 + c), <yy> = <yz> + σ₁²/2, <xz> = <yz>/(2 + c), <xy> = (<yy> + <xz>)/3, <xx> = <xy>/2.
TEST(ExactLinear, CascadeHasTheCovarianceOfItsMomentEquations) {
  Description description;
  description.state("x", "y - 2*x").state("y", "z - y", "0.3").state("z", "-0.4*z", "0.9");
  const double zz = 0.81 / 0.8, yz = zz / 1.4, yy = yz + 0.045, xz = yz / 2.4, xy = (yy + xz) / 3, xx = xy / 2;
  expect_covariance(exact_linear(build(description)), {xx, xy, xz, xy, yy, yz, xz, yz, zz});
}

TEST(ExactLinear, NoiseMayBeShared) {
  Description description;
  description.state("x", "-x").state("y", "-2*y");
  drive(description, "x", {{"w1", "1"}, {"w2", "0.5"}});
  drive(description, "y", {{"w1", "0.6"}});
  expect_covariance(exact_linear(build(description)), {1.25 / 2, 0.6 / 3, 0.6 / 3, 0.36 / 4});
}

TEST(ExactLinear, SymmetricRingHasPrecisionMinusTwiceItsDrift) {
  Description description;
  description.index("k", 6).parameter("b", 0.3).parameter("sigma", 0.5);
  description.state("X[k]", "1 - X[k] + b*(X[k+1] + X[k-1]) - 0.1*sum(k, X[k])", "sigma");
  const GaussianField field = exact_linear(build(description));
  const Matrix precision = field.precision();
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(field.mean()[index(i)], 1 / (1 - 0.6 + 0.6), 1e-13);
    for (int j = 0; j < 6; ++j) {
      const int distance = (j - i + 6) % 6;
      const double a = -0.1 + (distance == 0 ? -1 : 0) + (distance == 1 || distance == 5 ? 0.3 : 0);
      EXPECT_NEAR(precision[index(i * 6 + j)], -2 * a / 0.25, 1e-12);
    }
  }
}

TEST(ExactLinear, NoiseOfNeighboursCorrelatesSites) {
  Description description;
  description.index("k", 5).state("X[k]", "-2*X[k]");
  drive(description, "X", {{"w[k]", "1"}, {"w[k+1]", "0.5"}, {"common", "0.2"}});
  const GaussianField field = exact_linear(build(description));
  Matrix covariance;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      const int distance = (j - i + 5) % 5;
      const double d = 0.04 + (distance == 0 ? 1.25 : 0) + (distance == 1 || distance == 4 ? 0.5 : 0);
      covariance.push_back(d / 4);
    }
  expect_covariance(field, covariance);
}

TEST(ExactLinear, NoiseOfOneFieldMayDriveANeighbourInAnother) {
  Description description;
  description.index("k", 4).state("X[k]", "-X[k]").state("Y[k]", "-Y[k]");
  drive(description, "X", {{"w[k]", "1"}});
  drive(description, "Y", {{"w[k+1]", "0.5"}, {"own[k]", "1"}});
  // Y[k] shares its noise with X[k+1].
  Matrix covariance(64, 0.0);
  for (int k = 0; k < 4; ++k) {
    const int x = k, y = 4 + k, shared = (k + 1) % 4;
    covariance[index(8 * x + x)] = 0.5;
    covariance[index(8 * y + y)] = 1.25 / 2;
    covariance[index(8 * y + shared)] = covariance[index(8 * shared + y)] = 0.25;
  }
  expect_covariance(exact_linear(build(description)), covariance);
}

TEST(ExactLinear, FieldsOverTwoIndicesFollowTheRowsOfARun) {
  Description description;
  description.index("k", 2).index("j", 3).state("Y[j,k]", "-Y[j,k]").state("X[k]", "-X[k]", "2");
  drive(description, "Y", {{"w[j,k]", "1"}, {"w[j+1,k+1]", "0.5"}});
  const GaussianField field = exact_linear(build(description));
  // Rows: Y of k = 0, Y of k = 1, X. The noise of the site (j + 1, k + 1) is shared with (j, k).
  const auto next = [](int row) { return (row / 3 + 1) % 2 * 3 + (row % 3 + 1) % 3; };
  Matrix covariance;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      double d = i == j ? (i < 6 ? 1.25 : 4) : 0;
      if (i < 6 && j < 6 && (next(i) == j || next(j) == i)) d += 0.5;
      covariance.push_back(d / 2);
    }
  expect_covariance(field, covariance);
}

TEST(ExactLinear, SolvesLyapunovInHundredsOfDimensions) {
  const int d = 200;
  Matrix a = normal_block(d, d);
  for (double& entry : a) entry /= std::sqrt(d);
  for (int i = 0; i < d; ++i) a[index(i * d + i)] -= 2;
  Matrix transposed(a.size()), diffusion(a.size());
  const Matrix noise = normal_block(d, d, 2);
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) transposed[index(j * d + i)] = noise[index(i * d + j)];
  diffusion = product(noise, transposed, d);
  const auto [abscissa, c] = solve_lyapunov(a, diffusion, d);
  for (int i = 0; i < d; ++i)
    for (int j = 0; j < d; ++j) transposed[index(j * d + i)] = a[index(i * d + j)];
  const Matrix left = product(a, c, d), right = product(c, transposed, d);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(left[i] + right[i] + diffusion[i], 0, 1e-9);
  EXPECT_NEAR(abscissa, -1, 0.2);  // the eigenvalues of the random part fill the unit disc
}

TEST(ExactLinear, HasNoCovarianceIfTheDriftIsUnstable) {
  const LyapunovSolution solution = solve_lyapunov({0.5, 2, -2, 0.5}, {1, 0, 0, 1}, 2);
  EXPECT_NEAR(solution.abscissa, 0.5, 1e-14);
  EXPECT_TRUE(solution.covariance.empty());
}

TEST(ExactLinear, RecognisesLinearFormulasInNonlinearForm) {
  Description description;
  description.state("x", "(x + 1)^2 - x^2 - 5*x", "sqrt(x - x + 4)");
  const GaussianField field = exact_linear(build(description));
  EXPECT_NEAR(field.mean()[0], 1.0 / 3, 1e-14);
  EXPECT_NEAR(field.precision()[0], 1.5, 1e-13);
}

std::string reason(const Description& description) {
  std::string why_not;
  EXPECT_EQ(exact_score(build(description), &why_not), nullptr);
  return why_not;
}

TEST(ExactScore, IsMissingIfNoneIsKnown) {
  EXPECT_THAT(reason(symbolic::triad()), HasSubstr("noise of 'tau' depends on the states"));
  EXPECT_THAT(reason(symbolic::lorenz96(8)), HasSubstr("drift of 'X[k]' is not linear"));
  Description kink;
  kink.state("x", "-abs(x) - y", "1").state("y", "-y", "1");
  EXPECT_THAT(reason(kink), HasSubstr("drift of 'x' is not linear"));
  EXPECT_THAT(reason(symbolic::nested_formulas(40)), HasSubstr("drift of 'x' is not linear"));
  Description jump;
  jump.state("x", "-sign(x)", "1").state("y", "-y", "1");
  EXPECT_NE(reason(jump), "");
}

TEST(ExactScore, IsMissingIfThereIsNoStationaryDistribution) {
  Description unstable;
  unstable.state("x", "0.1*x + y", "1").state("y", "-y", "1");
  EXPECT_THAT(reason(unstable), AllOf(HasSubstr("no stationary distribution"), HasSubstr("0.1")));
  Description neutral;
  neutral.state("x", "y", "1").state("y", "-x", "1");
  EXPECT_THAT(reason(neutral), HasSubstr("no stationary distribution"));
  Description growing;
  growing.state("x", "x - x^2", "1");
  EXPECT_THAT(reason(growing), HasSubstr("does not return"));
}

TEST(ExactScore, IsMissingIfNoiseDoesNotReachAllStates) {
  Description still;
  still.state("x", "-x", "1").state("y", "-y");
  EXPECT_THAT(reason(still), AllOf(HasSubstr("variance of y"), HasSubstr("noise does not reach")));
  Description twins;
  twins.state("x", "-x").state("y", "-y");
  drive(twins, "x", {{"w", "1"}});
  drive(twins, "y", {{"w", "2"}});
  EXPECT_THAT(reason(twins), HasSubstr("combination of x, y"));
}

TEST(ExactScore, IsAGaussianForLinearModelsAndAFormulaInOneDimension) {
  const auto linear = exact_score(build(symbolic::ou()));
  ASSERT_NE(linear, nullptr);
  EXPECT_EQ(linear->description(), "exact Gaussian of a linear model");
  const auto scalar = exact_score(build(symbolic::scalar()));
  ASSERT_NE(scalar, nullptr);
  EXPECT_EQ(scalar->description(), "exact score of a model with one variable");
}

TEST(ExactOneDimensional, IsTwiceTheDriftOverTheVarianceOfAdditiveNoise) {
  const ExactOneDimensional field(build(symbolic::scalar()));
  const std::vector<double> x{-1, 0, 0.5, 2};
  std::vector<double> s(4);
  field.evaluate(x.data(), 4, s.data());
  for (std::size_t i = 0; i < 4; ++i) {
    const double drift = 0.6 - 0.0222 * x[i] - 0.2 * x[i] * x[i] - 0.0494 * x[i] * x[i] * x[i];
    EXPECT_NEAR(s[i], 2 * drift / (0.7071 * 0.7071), 1e-12);
  }
}

TEST(ExactOneDimensional, FollowsNoiseThatDependsOnTheState) {
  Description description = symbolic::quartic();
  description.parameters[5].value = 0.3;
  const ExactOneDimensional field(build(description));
  expect_consistent(field, 1e-5, 1e-7);
  const double x = 0.7;
  double s = 0;
  field.evaluate(&x, 1, &s);
  const double d = 1.21 * 1.21 + 1;
  EXPECT_NEAR(s, (2 * (0.7 - 0.343) - 2 * 0.3 * 1.21) / d, 1e-14);
}

TEST(ExactOneDimensional, SumsTheNoisesOfAState) {
  Description description;
  description.state("x", "-x");
  drive(description, "x", {{"w1", "x"}, {"w2", "1"}});
  const ExactOneDimensional field(build(description));
  const double x = 2;
  double s = 0;
  field.evaluate(&x, 1, &s);
  EXPECT_NEAR(s, (-4.0 - 4.0) / 5, 1e-14);
}

TEST(ExactOneDimensional, WorksOnBlocksOfAnySize) {
  const ExactOneDimensional field(build(symbolic::quartic()));
  for (const int lanes : {0, 1, 63, 64, 65, 200}) {
    const std::vector<double> x = normal_block(1, lanes);
    std::vector<double> s(x.size());
    field.evaluate(x.data(), lanes, s.data());
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(s[i], x[i] - x[i] * x[i] * x[i], 1e-13);
  }
}

TEST(ExactOneDimensional, NeedsOneStateWithNoise) {
  EXPECT_THAT(complaint([] { ExactOneDimensional{build(symbolic::triad())}; }), HasSubstr("3 state variables"));
  Description silent;
  silent.state("x", "-x");
  EXPECT_THAT(complaint([&] { ExactOneDimensional{build(silent)}; }), HasSubstr("no noise"));
}

}  // namespace
}  // namespace gfdt::score
