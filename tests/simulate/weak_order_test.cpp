// Weak orders without sampling error: the expectation over one step and the reference value are both exact (see
// step_expectation.hpp).
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/evaluate.hpp"
#include "gfdt/symbolic/text/parse.hpp"
#include "recorder.hpp"
#include "step_expectation.hpp"

namespace gfdt::simulate {
namespace {

using symbolic::build;
using symbolic::Description;
using State = StepExpectation::State;
using Pairs = StepExpectation::Pairs;

double order_between(double coarse, double fine) { return std::log2(std::abs(coarse) / std::abs(fine)); }

/// dx = a x dt + b x dW: E x(t)^m = exp((a m + ½ m (m − 1) b²) t) for x(0) = 1.
double geometric_error(Scheme scheme, int moment, int steps) {
  const double a = -0.5, b = 0.6, t = 1, dt = t / steps;
  Description description;
  description.parameter("a", a).parameter("b", b).state("x", "a*x", "b*x");
  const StepExpectation step(build(description), scheme, dt);
  const double factor = step.expectation({1}, [&](const State& x) { return std::pow(x[0], moment); });
  return std::pow(factor, steps) - std::exp((a * moment + 0.5 * moment * (moment - 1) * b * b) * t);
}

TEST(WeakOrder, OfGeometricNoise) {
  for (const int moment : {1, 2, 3, 4}) {
    const auto order = [&](Scheme scheme) {
      return order_between(geometric_error(scheme, moment, 32), geometric_error(scheme, moment, 64));
    };
    EXPECT_NEAR(order(Scheme::euler_maruyama), 1, 0.1) << moment;
    // For the drift alone, rk4 has order 4, and so has the mean.
    EXPECT_NEAR(order(Scheme::rk4), moment == 1 ? 4 : 1, 0.1) << moment;
    EXPECT_NEAR(order(Scheme::weak2), 2, 0.1) << moment;
  }
}

// dx = A x dt + B₁ x dW₁ + B₂ x dW₂ with B₁B₂ ≠ B₂B₁. The second moments P = <x xᵀ> satisfy dP/dt = A P + P Aᵀ + B₁ P
// B₁ᵀ + B₂ P B₂ᵀ.
using Matrix = std::array<std::array<double, 2>, 2>;
constexpr Matrix drift{{{-0.6, 0.4}, {-0.3, -0.8}}}, first{{{0.3, 0.5}, {-0.2, 0.1}}},
    second{{{0.1, -0.3}, {0.6, 0.4}}};

Model non_commuting() {
  Description description;
  description.state("x", "-0.6*x + 0.4*y").state("y", "-0.3*x - 0.8*y");
  drive(description, "x", {{"w1", "0.3*x + 0.5*y"}, {"w2", "0.1*x - 0.3*y"}});
  drive(description, "y", {{"w1", "-0.2*x + 0.1*y"}, {"w2", "0.6*x + 0.4*y"}});
  return build(description);
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t k = 0; k < 2; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

Matrix transposed(const Matrix& a) { return {{{a[0][0], a[1][0]}, {a[0][1], a[1][1]}}}; }

/// Computed with the Taylor series of the solution operator, up to rounding.
Matrix second_moments(Matrix p, double t) {
  Matrix term = p;
  for (int n = 1; n < 40; ++n) {
    Matrix next{};
    for (const Matrix& part :
         {product(drift, term), product(term, transposed(drift)), product(product(first, term), transposed(first)),
          product(product(second, term), transposed(second))})
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) next[i][j] += part[i][j] * t / n;
    term = next;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) p[i][j] += term[i][j];
  }
  return p;
}

/// Largest error of <x²>, <xy>, <y²> at t = 1. A step maps them linearly; the map is determined from three states.
double non_commuting_error(Scheme scheme, int steps, Pairs pairs) {
  const StepExpectation step(non_commuting(), scheme, 1.0 / steps);
  const auto image = [&](const State& from) {
    std::array<double, 3> moments{};
    for (std::size_t m = 0; m < 3; ++m)
      moments[m] = step.expectation(
          from, [&](const State& x) { return m == 0   ? x[0] * x[0]
                                             : m == 1 ? x[0] * x[1]
                                                      : x[1] * x[1]; }, 3, pairs);
    return moments;
  };
  const auto xx = image({1, 0}), yy = image({0, 1}), both = image({1, 1});
  std::array<double, 3> p{1, 0.5, 0.25};  // the moments of the state (1, ½)
  for (int s = 0; s < steps; ++s) {
    std::array<double, 3> next{};
    for (std::size_t m = 0; m < 3; ++m) next[m] = xx[m] * p[0] + (both[m] - xx[m] - yy[m]) * p[1] + yy[m] * p[2];
    p = next;
  }
  const Matrix exact = second_moments({{{1, 0.5}, {0.5, 0.25}}}, 1);
  return std::max({std::abs(p[0] - exact[0][0]), std::abs(p[1] - exact[0][1]), std::abs(p[2] - exact[1][1])});
}

TEST(WeakOrder, OfNonCommutingNoise) {
  const auto order = [](Scheme scheme, Pairs pairs) {
    return order_between(non_commuting_error(scheme, 32, pairs), non_commuting_error(scheme, 64, pairs));
  };
  EXPECT_NEAR(order(Scheme::euler_maruyama, Pairs::right), 1, 0.1);
  EXPECT_NEAR(order(Scheme::weak2, Pairs::right), 2, 0.1);
}

// <I_12²> = dt²/2 and <I_12 I_21> = 0. With V_12 = 0 both are dt²/4, and the second moments have an error of ¼dt² |L₁b₂
// − L₂b₁|² per step.
TEST(WeakOrder, OfNonCommutingNoiseNeedsTheRandomDoubleIntegrals) {
  const double order = order_between(non_commuting_error(Scheme::weak2, 32, Pairs::left_out),
                                     non_commuting_error(Scheme::weak2, 64, Pairs::left_out));
  EXPECT_NEAR(order, 1, 0.1);
}

/// A model of scalars and its generator L u = F·∇u + ½ D:∇∇u as formulas.
class Generator {
 public:
  explicit Generator(Model model) : model_(std::move(model)) {}

  Expression apply(const Expression& u) const {
    Expression total;
    for (std::size_t i = 0; i < model_.states.size(); ++i) {
      const Expression slope = symbolic::derivative(u, model_.states[i].self());
      total = total + model_.drift[i] * slope;
      for (std::size_t j = 0; j < model_.states.size(); ++j)
        total = total + 0.5 * diffusion(i, j) * symbolic::derivative(slope, model_.states[j].self());
    }
    return total;
  }

  double at(const Expression& u, const State& x) const {
    return symbolic::evaluate(u, {.symbol =
                                      [&](const std::string& name) {
                                        for (std::size_t i = 0; i < x.size(); ++i)
                                          if (model_.states[i].name == name) return x[i];
                                        return model_.parameter(name).value;
                                      },
                                  .site = {}});
  }

 private:
  Expression diffusion(std::size_t i, std::size_t j) const {
    Expression total;
    for (const auto& a : model_.diffusion)
      for (const auto& b : model_.diffusion)
        if (a.state == i && b.state == j && a.noise_site == b.noise_site) total = total + a.amplitude * b.amplitude;
    return total;
  }
  Model model_;
};

/// Two states that share two Wiener processes, with nonlinear drift and noise.
Model nonlinear() {
  Description description;
  description.parameter("c", 0.7).state("x", "y - c*x^3").state("y", "-x*y + 0.4");
  drive(description, "x", {{"w1", "0.3 + 0.2*x^2"}, {"w2", "0.4*sin(y)"}});
  drive(description, "y", {{"w1", "0.5*cos(x)"}, {"w2", "0.2*x*y"}});
  return build(description);
}

/// Order at which E u(x') − (u + dt Lu + ½dt² L²u) of one step vanishes with dt: p + 1 for weak order p < 2, at least 3
/// for weak order 2. All moments up to the fifth are tested.
double local_order(Scheme scheme, int x_power, int y_power, Pairs pairs = Pairs::right) {
  const Generator generator(nonlinear());
  const State start{0.7, 0.9};
  const Expression u =
      symbolic::power(Expression::symbol("x"), x_power) * symbolic::power(Expression::symbol("y"), y_power);
  const Expression lu = generator.apply(u), llu = generator.apply(lu);
  const auto error = [&](double dt) {
    const StepExpectation step(nonlinear(), scheme, dt);
    const double value = step.expectation(
        start, [&](const State& x) { return std::pow(x[0], x_power) * std::pow(x[1], y_power); }, 8, pairs);
    return value - generator.at(u + dt * lu + 0.5 * dt * dt * llu, start);
  };
  return order_between(error(0.002), error(0.001));
}

TEST(WeakOrder, OfNonlinearSharedNoise) {
  for (int degree = 1; degree <= 5; ++degree)
    for (int x_power = 0; x_power <= degree; ++x_power) {
      EXPECT_NEAR(local_order(Scheme::euler_maruyama, x_power, degree - x_power), 2, 0.15)
          << "x^" << x_power << " y^" << degree - x_power;
      EXPECT_GT(local_order(Scheme::weak2, x_power, degree - x_power), 2.8)
          << "x^" << x_power << " y^" << degree - x_power;
    }
  EXPECT_NEAR(local_order(Scheme::weak2, 0, 2, Pairs::left_out), 2, 0.15);
}

// y is driven by a noise whose amplitude is a function of x, as in a stochastic volatility model.
TEST(WeakOrder, OfANoiseWhoseAmplitudeIsAnotherState) {
  Description description;
  description.state("x", "-x", "0.5*x").state("y", "-0.5*y", "x");
  // <x²>' = (−2 + 0.25) <x²>, <y²>' = −<y²> + <x²>
  const double a = -1.75, t = 1, x2 = 4, exact = x2 * (std::exp(a * t) - std::exp(-t)) / (a + 1);
  const auto error = [&](Scheme scheme, int steps) {
    const StepExpectation step(build(description), scheme, t / steps);
    const auto moment = [&](const State& from, std::size_t i) {
      return step.expectation(
          from, [&](const State& x) { return x[i] * x[i]; }, 3);
    };
    const double xx = moment({1, 0}, 0), xy = moment({1, 0}, 1), yy = moment({0, 1}, 1);
    double px = x2, py = 0;
    for (int s = 0; s < steps; ++s) {
      py = xy * px + yy * py;
      px *= xx;
    }
    return py - exact;
  };
  EXPECT_NEAR(order_between(error(Scheme::euler_maruyama, 32), error(Scheme::euler_maruyama, 64)), 1, 0.1);
  EXPECT_NEAR(order_between(error(Scheme::weak2, 32), error(Scheme::weak2, 64)), 2, 0.1);
}

}  // namespace
}  // namespace gfdt::simulate
