#include "gfdt/score/exact/stationary_density.hpp"

#include <algorithm>
#include <cmath>

#include "gfdt/score/exact/density_panels.hpp"

namespace gfdt::score {
namespace {

double dot(const GaussLegendre::Row& a, const GaussLegendre::Row& b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

}  // namespace

double DensityPanel::log_density(const GaussLegendre::Row& weights) const {
  return log_begin + half_width() * dot(weights, score);
}

StationaryDensity::StationaryDensity(const symbolic::Model& model) : panels_(density_panels(model)) {
  const GaussLegendre& rule = gauss_legendre();
  double highest = panels_[0].log_begin;
  for (const DensityPanel& panel : panels_) highest = std::max(highest, panel.log_begin);
  double mass = 0;
  for (DensityPanel& panel : panels_) {
    panel.log_begin -= highest;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) panel.density[i] = std::exp(panel.log_density(rule.to_node[i]));
    panel.mass_before = mass;
    mass += panel.half_width() * dot(rule.weights, panel.density);
  }
  for (DensityPanel& panel : panels_) {
    panel.mass_before /= mass;
    panel.log_begin -= std::log(mass);
    for (double& density : panel.density) density /= mass;
  }
}

const DensityPanel& StationaryDensity::panel_at(double x) const {
  const auto after = std::ranges::upper_bound(panels_, x, {}, &DensityPanel::begin);
  return after == panels_.begin() ? panels_.front() : *(after - 1);
}

double StationaryDensity::density(double x) const {
  if (x < lower() || x > upper()) return 0;
  const DensityPanel& panel = panel_at(x);
  return std::exp(panel.log_density(gauss_legendre().weights_to((x - panel.begin) / panel.half_width() - 1)));
}

double StationaryDensity::cumulative(double x) const {
  if (x <= lower()) return 0;
  if (x >= upper()) return 1;
  const DensityPanel& panel = panel_at(x);
  const GaussLegendre::Row weights = gauss_legendre().weights_to((x - panel.begin) / panel.half_width() - 1);
  return std::clamp(panel.mass_before + panel.half_width() * dot(weights, panel.density), 0.0, 1.0);
}

double StationaryDensity::mean(const std::function<double(double)>& f) const {
  const GaussLegendre& rule = gauss_legendre();
  double total = 0;
  for (const DensityPanel& panel : panels_)
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      if (panel.density[i] > 0) total += panel.half_width() * rule.weights[i] * panel.density[i] * f(panel.node(i));
  return total;
}

}  // namespace gfdt::score
