#pragma once

#include <array>
#include <functional>
#include <vector>

#include "gfdt/score/exact/gauss_legendre.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// An interval that is short enough for quadrature.
struct DensityPanel {
  double begin = 0, end = 0;
  double log_begin = 0;          ///< log ρ at its beginning
  GaussLegendre::Row score{};    ///< at the nodes
  GaussLegendre::Row density{};  ///< ρ at the nodes
  double mass_before = 0;        ///< probability to the left of the panel

  double half_width() const { return (end - begin) / 2; }
  double node(std::size_t i) const { return (begin + end) / 2 + half_width() * gauss_legendre().nodes[i]; }
  /// log ρ at ξ in [−1, 1], from the weights that integrate from −1 to ξ.
  double log_density(const GaussLegendre::Row& weights) const;
};

/// The stationary density of a model with one scalar state, by quadrature: log ρ = ∫ s dx with s = (2F − D′)/D, from
/// the initial state outwards until ρ is negligible.
class StationaryDensity {
 public:
  /// Throws Error if ρ cannot be normalised (the process does not return), or if the noise vanishes where ρ is not
  /// negligible.
  explicit StationaryDensity(const symbolic::Model& model);

  /// The density is negligible outside [lower, upper].
  double lower() const { return panels_.front().begin; }
  double upper() const { return panels_.back().end; }
  const std::vector<DensityPanel>& panels() const { return panels_; }

  double density(double x) const;
  double cumulative(double x) const;  ///< P(X ≤ x)
  /// <f>, accurate to about 12 digits for smooth f; for a step function use `cumulative`.
  double mean(const std::function<double(double)>& f) const;

 private:
  const DensityPanel& panel_at(double x) const;
  std::vector<DensityPanel> panels_;  ///< from left to right
};

}  // namespace gfdt::score
