#pragma once

#include <array>
#include <functional>
#include <vector>

#include "gfdt/score/exact/gauss_legendre.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// A segment of the line that is short enough for quadrature.
struct DensityPanel {
  double begin = 0, end = 0;
  double log_begin = 0;          ///< log ρ at its beginning
  GaussLegendre::Row score{};    ///< at the nodes
  GaussLegendre::Row density{};  ///< ρ at the nodes
  double mass_before = 0;        ///< probability to the left of it

  double half_width() const { return (end - begin) / 2; }
  double node(std::size_t i) const { return (begin + end) / 2 + half_width() * gauss_legendre().nodes[i]; }
  /// log ρ at ξ in [−1, 1], by the weights that integrate from −1 to it.
  double log_density(const GaussLegendre::Row& weights) const;
};

/// The invariant density of a model with one scalar state, by quadrature: log ρ = ∫ s dx with s = (2F − D′)/D, from
/// where the model starts outwards until nothing is left of ρ.
class StationaryDensity {
 public:
  /// Throws Error where ρ cannot be normalised (the process does not return), or where the noise vanishes inside the
  /// range that matters.
  explicit StationaryDensity(const symbolic::Model& model);

  /// Outside of [lower, upper] the density is negligible.
  double lower() const { return panels_.front().begin; }
  double upper() const { return panels_.back().end; }
  const std::vector<DensityPanel>& panels() const { return panels_; }

  double density(double x) const;
  double cumulative(double x) const;  ///< P(X ≤ x)
  /// <f>, to about 12 digits where f is smooth; for a jump use `cumulative`.
  double mean(const std::function<double(double)>& f) const;

 private:
  const DensityPanel& panel_at(double x) const;
  std::vector<DensityPanel> panels_;  ///< from left to right
};

}  // namespace gfdt::score
