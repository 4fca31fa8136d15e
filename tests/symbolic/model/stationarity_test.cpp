#include <gtest/gtest.h>

#include <cmath>

#include "gfdt/symbolic/derived/conjugate.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/evaluate.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"
#include "paper_models.hpp"

namespace gfdt::symbolic {
namespace {

using symbolic::derivative;

Expression x() { return Expression::symbol("x"); }

/// Substitutes the exact score of a one-dimensional model, s = (2F − D′)/D, into a formula.
Expression with_exact_score(const Model& model, const Expression& formula) {
  Expression d = symbolic::power(model.diffusion[0].amplitude, 2.0);
  Expression s = (2.0 * model.drift[0] - derivative(d, x())) / d;
  return symbolic::substitute(formula, {{"s.x", s}, {"ds.x.x", derivative(s, x())}});
}

double at(const Model& model, const Expression& formula, double value) {
  return symbolic::evaluate(
      formula, {[&](const std::string& name) { return name == "x" ? value : model.parameter(name).value; }, {}});
}

TEST(StationarityResidual, VanishesForTheExactScoreOfOrnsteinUhlenbeck) {
  Model m = build(ou());
  EXPECT_TRUE(symbolic::expand(with_exact_score(m, stationarity_residual(m))).is_number(0));
}

TEST(StationarityResidual, VanishesForTheExactScoreOfTheQuarticModel) {
  Description d = quartic();
  for (double beta2 : {0.0, 0.3}) {
    d.parameters[5].value = beta2;
    Model m = build(d);
    Expression residual = with_exact_score(m, stationarity_residual(m));
    for (double value : {-2.0, -0.3, 0.0, 0.9, 2.5}) EXPECT_NEAR(at(m, residual, value), 0, 1e-12);
  }
}

TEST(StationarityResidual, VanishesForTheExactGaussianOfALattice) {
  // dX = (−a X + b (X[k+1] − X[k−1])) dt + σ dW has a skew-symmetric plus an isotropic drift, so that the stationary
  // distribution is Gaussian with variance σ²/2a.
  Description d;
  d.index("k", 5).parameter("a", 0.7).parameter("b", 0.4).parameter("sigma", 1.3);
  Model m = build(d.state("X[k]", "-a*X[k] + b*(X[k+1] - X[k-1])", "sigma"));
  Expression precision = 2.0 * Expression::symbol("a") / symbolic::power(Expression::symbol("sigma"), 2.0);
  Expression residual = symbolic::substitute(stationarity_residual(m),
                                             {{"s.X", -precision * m.states[0].self()}, {"ds.X.X", -precision}});
  Values values{[&](const std::string& name) { return m.parameter(name).value; },
                [](const std::string&, std::span<const int> k) { return std::sin(3.0 * k[0] + 1); }};
  EXPECT_NEAR(symbolic::evaluate(residual, values), 0, 1e-12);
}

TEST(StationarityResidual, DoesNotVanishForAWrongScore) {
  Model m = build(ou());
  Expression wrong = symbolic::substitute(stationarity_residual(m), {{"s.x", -1.5 * x()}, {"ds.x.x", -1.5}});
  EXPECT_GT(std::abs(at(m, wrong, 1.0)), 0.1);
}

/// ∂⟨A⟩/∂θ of a one-dimensional model is the time integral of the correlation of A and g, which requires ⟨g⟩ = 0.
TEST(Conjugate, HasMeanZeroUnderTheExactDensity) {
  Description d = quartic();
  d.parameters[5].value = 0.3;
  Model m = build(d);
  constexpr double step = 0.01, reach = 4;
  for (const Parameter& p : m.parameters) {
    Expression g = with_exact_score(m, conjugate(m, p.name).total());
    Expression s = with_exact_score(m, Expression::symbol("s.x"));
    double log_density = 0, total = 0, size = 0, previous = at(m, s, -reach);
    for (double value = -reach; value < reach; value += step) {
      // Simpson's rule for the exponent between two points.
      double next = at(m, s, value + step);
      double weight = std::exp(log_density);
      total += weight * at(m, g, value);
      size += weight * std::abs(at(m, g, value));
      log_density += step / 6 * (previous + 4 * at(m, s, value + step / 2) + next);
      previous = next;
    }
    EXPECT_LT(std::abs(total), 1e-6 * size) << p.name;
  }
}

}  // namespace
}  // namespace gfdt::symbolic
