#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "gfdt/base/philox.hpp"
#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/fields/field.hpp"
#include "gfdt/symbolic/model/description.hpp"

/// Distributions with an exactly known score, independent samples of them, and scores with one error each.
namespace gfdt::score::cases {

/// A score defined state by state: s(x), and the derivative of s along v.
class PointwiseField : public Field {
 public:
  using Score = std::function<void(const double* x, double* s)>;
  using Derivative = std::function<void(const double* x, const double* v, double* sv)>;

  PointwiseField(int dimension, Score score, Derivative derivative)
      : Field(dimension), score_(std::move(score)), derivative_(std::move(derivative)) {}

  void evaluate(const double* x, int lanes, double* s) const override {
    each_state(x, lanes, s, [&](const double* state, double* value, int) { score_(state, value); });
  }

  void differentiate(const double* x, int lanes, int directions, const double* v, double* s,
                     double* sv) const override {
    evaluate(x, lanes, s);
    std::vector<double> direction(static_cast<std::size_t>(dimension()));
    for (int d = 0; d < directions; ++d, v += lanes * dimension(), sv += lanes * dimension())
      each_state(x, lanes, sv, [&](const double* state, double* value, int lane) {
        for (int i = 0; i < dimension(); ++i) direction[static_cast<std::size_t>(i)] = v[i * lanes + lane];
        derivative_(state, direction.data(), value);
      });
  }

  std::string description() const override { return "given"; }

 private:
  template <class F>
  void each_state(const double* x, int lanes, double* out, F f) const {
    std::vector<double> state(static_cast<std::size_t>(dimension())), value(state.size());
    for (int lane = 0; lane < lanes; ++lane) {
      for (int i = 0; i < dimension(); ++i) state[static_cast<std::size_t>(i)] = x[i * lanes + lane];
      f(state.data(), value.data(), lane);
      for (int i = 0; i < dimension(); ++i) out[i * lanes + lane] = value[static_cast<std::size_t>(i)];
    }
  }

  Score score_;
  Derivative derivative_;
};

/// s → factor·s + shift, component by component.
inline PointwiseField altered(const PointwiseField& field, std::vector<double> factor, std::vector<double> shift) {
  auto copy = [field, factor, shift](const double* x, double* s) {
    field.evaluate(x, 1, s);
    for (std::size_t i = 0; i < factor.size(); ++i) s[i] = factor[i] * s[i] + shift[i];
  };
  auto derivative = [field, factor](const double* x, const double* v, double* sv) {
    std::vector<double> s(factor.size());
    field.differentiate(x, 1, 1, v, s.data(), sv);
    for (std::size_t i = 0; i < factor.size(); ++i) sv[i] *= factor[i];
  };
  return {field.dimension(), copy, derivative};
}

inline PointwiseField scaled(const PointwiseField& field, double factor) {
  const auto size = static_cast<std::size_t>(field.dimension());
  return altered(field, std::vector<double>(size, factor), std::vector<double>(size, 0.0));
}

inline Samples empty_samples(Arrangement arrangement, std::vector<std::string> names) {
  Samples samples;
  samples.arrangement = arrangement;
  samples.names = std::move(names);
  return samples;
}

constexpr std::uint32_t samples_a_group = 50;

// ---- dx = (x − x³) dt + √2 dW, the quartic model at α = (0,1,0,−1), β = (1,0,1): ρ ∝ exp(x²/2 − x⁴/4).

inline symbolic::Model double_well() {
  symbolic::Description d;
  for (auto [name, value] : {std::pair{"alpha1", 0.0}, {"alpha2", 1.0}, {"alpha3", 0.0}, {"alpha4", -1.0}})
    d.parameter(name, value);
  d.parameter("beta1", 1.0).parameter("beta2", 0.0).parameter("beta3", 1.0);
  return symbolic::build(
      d.state("x", "alpha1 + alpha2*x + alpha3*x^2 + alpha4*x^3", "sqrt((beta1 + beta2*x)^2 + beta3^2)"));
}

/// s = (2F − D′)/D
inline PointwiseField double_well_score() {
  return {1, [](const double* x, double* s) { s[0] = x[0] - x[0] * x[0] * x[0]; },
          [](const double* x, const double* v, double* sv) { sv[0] = (1 - 3 * x[0] * x[0]) * v[0]; }};
}

/// The score of the Gaussian with the mean and variance of the double well.
inline PointwiseField double_well_gaussian() {
  constexpr double variance = 1.041794;
  return {1, [](const double* x, double* s) { s[0] = -x[0] / variance; },
          [](const double*, const double* v, double* sv) { sv[0] = -v[0] / variance; }};
}

/// Rejection sampling from the uniform distribution on ±reach; the density beyond is below 1e-15 of its maximum.
inline Samples double_well_samples(std::uint32_t count, std::uint64_t seed) {
  constexpr double reach = 3.8;
  Samples samples = empty_samples({1, 1}, {"x"});
  const codegen::Stream stream(seed, codegen::Purpose::test, 1);
  for (std::uint64_t position = 0; samples.group.size() < count; position += 2) {
    const double x = reach * (2 * stream.uniform(position) - 1);
    if (stream.uniform(position + 1) > std::exp(x * x / 2 - x * x * x * x / 4 - 0.25)) continue;
    samples.values.push_back(x);
    samples.group.push_back(static_cast<std::uint32_t>(samples.group.size()) / samples_a_group);
  }
  return samples;
}

// ---- A two-dimensional Gaussian with standard deviations 2 and 0.5 around (1, −3) and correlation 0.8.

struct Plane {
  static constexpr double mean[2] = {1, -3}, std[2] = {2, 0.5}, correlation = 0.8;
};

/// dx = −½ D P (x − m) dt + √D dW with the precision P and D = diag(std²): a reversible process with this stationary
/// distribution.
inline symbolic::Model plane_gaussian() {
  symbolic::Description d;
  const double r = Plane::correlation, q = 1 - r * r;
  d.parameter("p", 1 / q).parameter("c", r / q);
  d.state("x", "-0.5*(p*(x - 1) - c*(y + 3)*2/0.5)", "2");
  return symbolic::build(d.state("y", "-0.5*(p*(y + 3) - c*(x - 1)*0.5/2)", "0.5"));
}

inline PointwiseField plane_score() {
  auto apply = [](double x, double y, double* s) {
    const double r = Plane::correlation, q = 1 - r * r;
    s[0] = -(x / Plane::std[0] - r * y / Plane::std[1]) / (q * Plane::std[0]);
    s[1] = -(y / Plane::std[1] - r * x / Plane::std[0]) / (q * Plane::std[1]);
  };
  return {2, [=](const double* x, double* s) { apply(x[0] - Plane::mean[0], x[1] - Plane::mean[1], s); },
          [=](const double*, const double* v, double* sv) { apply(v[0], v[1], sv); }};
}

inline Samples plane_samples(std::uint32_t count, std::uint64_t seed) {
  Samples samples = empty_samples({2, 1}, {"x", "y"});
  const codegen::Stream stream(seed, codegen::Purpose::test, 2);
  for (std::uint32_t i = 0; i < count; ++i) {
    const double u = stream.normal(2 * i), w = stream.normal(2 * i + 1), r = Plane::correlation;
    samples.values.push_back(Plane::mean[0] + Plane::std[0] * u);
    samples.values.push_back(Plane::mean[1] + Plane::std[1] * (r * u + std::sqrt(1 - r * r) * w));
    samples.group.push_back(i / samples_a_group);
  }
  return samples;
}

// ---- A ring of damped oscillators, dq = p dt, dp = (−q + c(q₊ + q₋ − 2q) − γp) dt + √(2γT) dW, with the stationary
// density e^{−H/T}.

struct Ring {
  static constexpr int sites = 12;
  static constexpr double coupling = 1.5, temperature = 0.7, damping = 0.9;
};

inline symbolic::Model oscillators() {
  symbolic::Description d;
  d.index("k", Ring::sites).parameter("c", Ring::coupling).parameter("gamma", Ring::damping);
  d.parameter("T", Ring::temperature).state("q[k]", "p[k]");
  return symbolic::build(d.state("p[k]", "-q[k] + c*(q[k+1] + q[k-1] - 2*q[k]) - gamma*p[k]", "sqrt(2*gamma*T)"));
}

inline PointwiseField oscillator_score() {
  auto apply = [](const double* x, double* s) {
    constexpr int n = Ring::sites;
    for (int k = 0; k < n; ++k) {
      const double neighbours = x[(k + 1) % n] + x[(k + n - 1) % n] - 2 * x[k];
      s[k] = (-x[k] + Ring::coupling * neighbours) / Ring::temperature;
      s[n + k] = -x[n + k] / Ring::temperature;
    }
  };
  return {2 * Ring::sites, apply, [=](const double*, const double* v, double* sv) { apply(v, sv); }};
}

/// In the orthogonal modes cos + sin (Hartley), q has the variances T/(1 + 4c sin²(πm/n)).
inline Samples oscillator_samples(std::uint32_t count, std::uint64_t seed) {
  constexpr int n = Ring::sites;
  Samples samples = empty_samples({2, n}, {});
  for (const char* field : {"q", "p"})
    for (int k = 0; k < n; ++k) samples.names.push_back(std::string(field) + "[" + std::to_string(k) + "]");
  const codegen::Stream stream(seed, codegen::Purpose::test, 3);
  for (std::uint32_t i = 0; i < count; ++i) {
    double mode[n];
    for (int m = 0; m < n; ++m) {
      const double wave = std::sin(std::numbers::pi * m / n);
      mode[m] = stream.normal(std::uint64_t{i} * 2 * n + static_cast<std::uint64_t>(m)) *
                std::sqrt(Ring::temperature / (1 + 4 * Ring::coupling * wave * wave) / n);
    }
    for (int k = 0; k < n; ++k) {
      double q = 0;
      for (int m = 0; m < n; ++m) {
        const double phase = 2 * std::numbers::pi * m * k / n;
        q += mode[m] * (std::cos(phase) + std::sin(phase));
      }
      samples.values.push_back(q);
    }
    for (int k = 0; k < n; ++k)
      samples.values.push_back(std::sqrt(Ring::temperature) *
                               stream.normal(std::uint64_t{i} * 2 * n + static_cast<std::uint64_t>(n + k)));
    samples.group.push_back(i / samples_a_group);
  }
  return samples;
}

}  // namespace gfdt::score::cases
