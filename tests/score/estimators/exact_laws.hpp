#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "gfdt/base/philox.hpp"
#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/fields/field.hpp"

/// Distributions with a known score and Jacobian, independent samples of them, and the error of an estimated score.
namespace gfdt::score::laws {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct Law {
  int dimension = 1;
  std::function<Vector(const codegen::Stream& stream, std::uint64_t number)> draw;
  std::function<Vector(const Vector& x)> score;
  std::function<Matrix(const Vector& x)> jacobian;
};

/// A one-dimensional distribution, from the score and its derivative; drawn by inverting a table of the distribution
/// function.
inline Law on_line(double lower, double upper, std::function<double(double)> score,
                   std::function<double(double)> slope) {
  constexpr int cells = 20000;
  const double width = (upper - lower) / cells;
  std::vector<double> log_density(cells + 1), cumulative(cells + 1);
  for (int i = 1; i <= cells; ++i) log_density[i] = log_density[i - 1] + width * score(lower + (i - 0.5) * width);
  const double height = *std::max_element(log_density.begin(), log_density.end());
  for (int i = 1; i <= cells; ++i)
    cumulative[i] = cumulative[i - 1] + std::exp(log_density[i - 1] - height) + std::exp(log_density[i] - height);
  return {1,
          [=](const codegen::Stream& stream, std::uint64_t number) {
            const double mass = stream.uniform(number) * cumulative.back();
            const auto above = std::upper_bound(cumulative.begin() + 1, cumulative.end() - 1, mass);
            const double share = (mass - above[-1]) / (above[0] - above[-1]);
            return Vector::Constant(1, lower + width * (static_cast<double>(above - cumulative.begin() - 1) + share));
          },
          [=](const Vector& x) { return Vector::Constant(1, score(x[0])); },
          [=](const Vector& x) { return Matrix::Constant(1, 1, slope(x[0])); }};
}

/// models/scalar.toml: s = 2F/σ².
inline Law scalar_model() {
  constexpr double a = -0.0222, b = -0.2, c = 0.0494, forcing = 0.6, diffusion = 0.7071 * 0.7071;
  return on_line(
      -8, 8, [](double x) { return 2 * (forcing + x * (a + x * (b - x * c))) / diffusion; },
      [](double x) { return 2 * (a + x * (2 * b - 3 * x * c)) / diffusion; });
}

/// models/quartic.toml: D = 2, s = x − x³.
inline Law double_well() {
  return on_line(
      -5, 5, [](double x) { return x - x * x * x; }, [](double x) { return 1 - 3 * x * x; });
}

inline Law gaussian(const Matrix& covariance) {
  const int d = static_cast<int>(covariance.rows());
  const Matrix root = covariance.llt().matrixL(), precision = covariance.inverse();
  return {d,
          [=](const codegen::Stream& stream, std::uint64_t number) {
            Vector z(d);
            for (int c = 0; c < d; ++c) z[c] = stream.normal(number * static_cast<std::uint64_t>(d) + c);
            return Vector(root * z);
          },
          [=](const Vector& x) { return Vector(-precision * x); }, [=](const Vector&) { return Matrix(-precision); }};
}

/// A mixture of isotropic Gaussians with equal weights. With the probability p_k that x belongs to component k and m =
/// Σ p_k c_k,
///   s = (m − x)/v,  ∇s = (Σ p_k c_k c_kᵀ − m mᵀ)/v² − 1/v.
inline Law mixture(const std::vector<Vector>& centres, double variance) {
  const auto shares = [=](const Vector& x) {
    Vector p(static_cast<Eigen::Index>(centres.size()));
    for (std::size_t k = 0; k < centres.size(); ++k)
      p[static_cast<Eigen::Index>(k)] = std::exp(-(x - centres[k]).squaredNorm() / (2 * variance));
    return Vector(p / p.sum());
  };
  const int d = static_cast<int>(centres.front().size());
  const auto mean = [=](const Vector& p) {
    Vector m = Vector::Zero(d);
    for (std::size_t k = 0; k < centres.size(); ++k) m += p[static_cast<Eigen::Index>(k)] * centres[k];
    return m;
  };
  return {d,
          [=](const codegen::Stream& stream, std::uint64_t number) {
            Vector x = centres[number % centres.size()];
            for (int c = 0; c < d; ++c)
              x[c] += std::sqrt(variance) * stream.normal(number * static_cast<std::uint64_t>(d) + c);
            return x;
          },
          [=](const Vector& x) { return Vector((mean(shares(x)) - x) / variance); },
          [=](const Vector& x) {
            const Vector p = shares(x), m = mean(p);
            Matrix second = -m * m.transpose();
            for (std::size_t k = 0; k < centres.size(); ++k)
              second += p[static_cast<Eigen::Index>(k)] * centres[k] * centres[k].transpose();
            return Matrix(second / (variance * variance) - Matrix::Identity(d, d) / variance);
          }};
}

inline Law three_hills() { return mixture({Vector{{-1.0, -0.5}}, Vector{{1.0, 0.8}}, Vector{{0.6, -1.4}}}, 0.4); }

inline Law correlated_gaussian() { return gaussian(Matrix{{1.0, 0.6, 0.2}, {0.6, 0.7, -0.1}, {0.2, -0.1, 0.5}}); }

/// Springs between neighbours on a ring: s_k = −x_k + c (x_k₊₁ + x_k₋₁ − 2x_k).
inline Law springs(int sites, double coupling) {
  Matrix precision = (1 + 2 * coupling) * Matrix::Identity(sites, sites);
  for (int k = 0; k < sites; ++k)
    for (const int neighbour : {(k + 1) % sites, (k + sites - 1) % sites}) precision(k, neighbour) -= coupling;
  return gaussian(precision.inverse());
}

inline Samples samples_of(const Law& law, std::size_t count, std::uint64_t seed) {
  Samples samples;
  samples.arrangement = {law.dimension, 1};
  for (int c = 0; c < law.dimension; ++c) samples.names.push_back("x" + std::to_string(c));
  const codegen::Stream stream(seed, codegen::Purpose::test, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const Vector x = law.draw(stream, i);
    samples.values.insert(samples.values.end(), x.begin(), x.end());
    samples.group.push_back(static_cast<std::uint32_t>(i / 100));
  }
  return samples;
}

/// Root-mean-square errors over samples of the distribution, relative to the exact values. A Jacobian from probes is
/// not compared, because it has an additional error.
struct RelativeErrors {
  double score = 0;
  double jacobian = 0;
};

inline RelativeErrors relative_errors(const Law& law, const Field& field) {
  constexpr int lanes = 10000;
  const int d = law.dimension;
  const Samples states = samples_of(law, lanes, 4711);
  Matrix x(lanes, d), s(lanes, d), values(lanes, d * d);  // columns are rows of a block
  for (int i = 0; i < lanes; ++i)
    for (int c = 0; c < d; ++c) x(i, c) = states[static_cast<std::size_t>(i)][c];
  std::vector<JacobianEntry> entries;
  for (int column = 0; column < d; ++column)
    for (int row = 0; row < d; ++row) entries.push_back({row, column});
  if (field.probes() == 0)
    field.jacobian(x.data(), lanes, entries, s.data(), values.data());
  else
    field.evaluate(x.data(), lanes, s.data());
  double score = 0, score_off = 0, jacobian = 0, jacobian_off = 0;
  for (int i = 0; i < lanes; ++i) {
    const Vector at = x.row(i), exact = law.score(at);
    const Matrix slope = law.jacobian(at);
    score += exact.squaredNorm();
    score_off += (s.row(i).transpose() - exact).squaredNorm();
    jacobian += slope.squaredNorm();
    if (field.probes() == 0) jacobian_off += (values.row(i).transpose() - slope.reshaped()).squaredNorm();
  }
  return {std::sqrt(score_off / score), std::sqrt(jacobian_off / jacobian)};
}

}  // namespace gfdt::score::laws
