#pragma once

#include <cmath>
#include <random>
#include <vector>

namespace gfdt::symbolic {

using Vector = std::vector<double>;

/// A mixture of two correlated Gaussians in n dimensions, whose score is a nonlinear function of the state. Not
/// normalized.
class ArbitraryDensity {
 public:
  explicit ArbitraryDensity(std::size_t dimension) : n_(dimension) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (Component& c : components_) {
      Vector root(n_ * n_);
      for (double& entry : root) entry = 0.4 * normal(random);
      c.mean.resize(n_);
      for (double& entry : c.mean) entry = 0.5 * normal(random);
      c.precision.assign(n_ * n_, 0);
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_; ++j) {
          for (std::size_t l = 0; l < n_; ++l) c.precision[i * n_ + j] += root[i * n_ + l] * root[j * n_ + l];
          if (i == j) c.precision[i * n_ + j] += 0.8;
        }
    }
  }

  double log_density(const Vector& x) const {
    double total = 0;
    for (const Component& c : components_) total += weight(c, x);
    return std::log(total);
  }

  Vector score(const Vector& x) const {
    Vector result(n_, 0);
    for (const Component& c : components_) {
      const double share = weight(c, x) / std::exp(log_density(x));
      const Vector g = gradient(c, x);
      for (std::size_t i = 0; i < n_; ++i) result[i] += share * g[i];
    }
    return result;
  }

  /// ∂_j s_i at [i * n + j].
  Vector score_jacobian(const Vector& x) const {
    Vector result(n_ * n_, 0);
    for (const Component& c : components_) {
      const double share = weight(c, x) / std::exp(log_density(x));
      const Vector g = gradient(c, x);
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_; ++j) result[i * n_ + j] += share * (g[i] * g[j] - c.precision[i * n_ + j]);
    }
    const Vector s = score(x);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) result[i * n_ + j] -= s[i] * s[j];
    return result;
  }

 private:
  struct Component {
    Vector mean, precision;
  };

  /// Gradient of the logarithm of a component: −P (x − m).
  Vector gradient(const Component& c, const Vector& x) const {
    Vector result(n_, 0);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) result[i] -= c.precision[i * n_ + j] * (x[j] - c.mean[j]);
    return result;
  }

  double weight(const Component& c, const Vector& x) const {
    const Vector g = gradient(c, x);
    double exponent = 0;
    for (std::size_t i = 0; i < n_; ++i) exponent += 0.5 * g[i] * (x[i] - c.mean[i]);
    return std::exp(exponent);
  }

  std::size_t n_;
  Component components_[2];
};

}  // namespace gfdt::symbolic
