#include "gfdt/score/exact/density_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "gfdt/base/error.hpp"
#include "gfdt/score/exact/one_dimensional.hpp"

namespace gfdt::score {
namespace {

constexpr std::size_t points = GaussLegendre::points;
constexpr double largest_change = 3;  ///< largest change of log ρ over a panel
constexpr double tolerance = 1e-12;   ///< relative error of the integral of s over half a panel
constexpr double negligible = 80;     ///< decrease of log ρ that makes ρ negligible, even in moments of heavy tails
constexpr double farther = 10;        ///< range of the search for further wells, in distances at which ρ is negligible
constexpr double narrowest = 1e-12;   ///< smallest width of a panel, relative to its position
constexpr double farthest = 1e60;     ///< largest distance from the start, in widths of the first panel
constexpr std::size_t most_panels = 100000;
constexpr double vanishing = 1e-12;  ///< largest ratio of D to its values nearby at which D counts as zero

/// s and D at the nodes of a panel and of its two halves.
struct Look {
  std::array<double, 3 * points> x, s, diffusion;

  Look(const ExactOneDimensional& field, double begin, double end) {
    const double middle = (begin + end) / 2, quarter = (end - begin) / 4;
    for (std::size_t i = 0; i < points; ++i) {
      const double node = gauss_legendre().nodes[i];
      x[i] = middle + 2 * quarter * node;
      x[points + i] = middle + quarter * (node - 1);
      x[2 * points + i] = middle + quarter * (node + 1);
    }
    field.score_and_diffusion(x.data(), 3 * points, s.data(), diffusion.data());
  }

  bool defined() const {
    return std::ranges::all_of(s, [](double value) { return std::isfinite(value); }) &&
           std::ranges::all_of(diffusion, [](double value) { return value > 0 && std::isfinite(value); });
  }
};

class Walk {
 public:
  explicit Walk(const symbolic::Model& model)
      : field_(model),
        name_(model.states[0].name),
        start_(model.initial[0].mean),
        first_width_(model.initial[0].std > 0 ? model.initial[0].std : 1.0) {}

  std::vector<DensityPanel> panels() {
    start_ = uphill(start_);
    std::vector<DensityPanel> right = side(+1), left = side(-1);
    std::ranges::reverse(left);
    left.insert(left.end(), right.begin(), right.end());
    return left;
  }

 private:
  /// A point with s = 0 in the direction in which ρ increases, so that a start far out in a tail costs nothing; `x`
  /// itself if s is not defined on the way.
  double uphill(double x) const {
    double slope = score_at(x), step = std::copysign(first_width_, slope);
    if (!(std::abs(slope) > 0)) return x;
    double below = x, above = x + step;
    for (; std::signbit(score_at(above)) == std::signbit(slope); above += step *= 2) {
      if (!std::isfinite(score_at(above))) return x;
      if (std::abs(step) > farthest * first_width_) does_not_return(step > 0 ? 1 : -1);
      below = above;
    }
    if (!std::isfinite(score_at(above))) return x;
    for (int halving = 0; halving < 100; ++halving) {
      const double middle = below + (above - below) / 2;
      (std::signbit(score_at(middle)) == std::signbit(slope) ? below : above) = middle;
    }
    return below;
  }

  /// NaN if there is no noise.
  double score_at(double x) const {
    double s = 0, diffusion = 0;
    field_.score_and_diffusion(&x, 1, &s, &diffusion);
    return diffusion > 0 ? s : std::numeric_limits<double>::quiet_NaN();
  }

  std::vector<DensityPanel> side(int direction) {
    std::vector<DensityPanel> panels;
    double x = start_, log_density = 0, width = first_width_, enough = 0;
    while (true) {
      const double distance = std::abs(x - start_);
      const bool small = log_density + std::log(std::max(1.0, distance / first_width_)) < highest_ - negligible;
      if (!small) enough = 0;
      if (small && enough == 0) enough = farther * distance;
      if (small && distance >= enough) return panels;
      if (distance > farthest * first_width_ || panels.size() > most_panels) does_not_return(direction);
      const std::optional<DensityPanel> next = panel_from(x, log_density, direction, width, small);
      if (!next) {
        const bool falls = !panels.empty() && panels.back().score[direction > 0 ? points - 1 : 0] * direction < 0;
        if (small || falls) return panels;
        noise_vanishes(x);
      }
      panels.push_back(*next);
      x = direction > 0 ? next->end : next->begin;
      const double before = log_density;
      log_density = direction > 0 ? next->log_density(gauss_legendre().weights) : next->log_begin;
      highest_ = std::max(highest_, log_density);
      if (small || std::abs(log_density - before) < largest_change / 2) width *= 2;
    }
  }

  /// The widest panel, up to `width`, that starts at x; nothing if s is not defined close to x.
  std::optional<DensityPanel> panel_from(double x, double log_density, int direction, double& width, bool small) {
    for (;; width /= 2) {
      const double begin = direction > 0 ? x : x - width, end = direction > 0 ? x + width : x;
      if (!(width > narrowest * std::max(std::abs(x), first_width_))) return std::nullopt;
      const Look look(field_, begin, end);
      if (!look.defined()) continue;
      const std::optional<DensityPanel> panel = resolved(look, begin, end, log_density, direction);
      if (!panel) continue;
      if (!small) check_noise(look, begin, end);
      if (first_panel_) first_width_ = width;
      first_panel_ = false;
      return panel;
    }
  }

  std::optional<DensityPanel> resolved(const Look& look, double begin, double end, double log_density,
                                       int direction) const {
    const GaussLegendre& rule = gauss_legendre();
    DensityPanel panel{.begin = begin, .end = end};
    std::copy_n(look.s.begin(), points, panel.score.begin());
    double whole = 0, left = 0, left_again = 0, right_again = 0;
    for (std::size_t i = 0; i < points; ++i) {
      whole += panel.half_width() * rule.weights[i] * look.s[i];
      left += panel.half_width() * rule.to_middle[i] * look.s[i];
      left_again += panel.half_width() / 2 * rule.weights[i] * look.s[points + i];
      right_again += panel.half_width() / 2 * rule.weights[i] * look.s[2 * points + i];
    }
    panel.log_begin = direction > 0 ? log_density : log_density - whole;
    double lowest = std::min(panel.log_begin, panel.log_begin + whole), highest = lowest + std::abs(whole);
    for (std::size_t i = 0; i < points; ++i) {
      const double at_node = panel.log_density(rule.to_node[i]);
      lowest = std::min(lowest, at_node);
      highest = std::max(highest, at_node);
    }
    // In a panel in which ρ is negligible throughout, only the integral of s must be accurate.
    const bool negligible_here = highest < highest_ - negligible - largest_change;
    if (!negligible_here && highest - lowest > largest_change) return {};
    // The rounding error of x changes ∫s by |s′| ε|x| width, and |s′| width² is of the order of ∫s.
    const double relative = tolerance + 1e-15 * std::max(std::abs(begin), std::abs(end)) / (end - begin);
    const double error = std::max(std::abs(left - left_again), std::abs(whole - left - right_again));
    if (!(error <= relative * (1 + std::abs(whole)))) return {};
    return panel;
  }

  /// Searches for a zero of D between nodes: the process cannot cross it, although s may be finite there.
  void check_noise(const Look& look, double begin, double end) const {
    const double largest = *std::ranges::max_element(look.diffusion);
    double smallest = *std::ranges::min_element(look.diffusion);
    if (smallest > 0.1 * largest) return;
    for (int round = 0; round < 6; ++round) {
      std::array<double, 64> x, s, diffusion;
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = begin + (end - begin) * static_cast<double>(i) / 63;
      field_.score_and_diffusion(x.data(), 64, s.data(), diffusion.data());
      const std::size_t at = static_cast<std::size_t>(std::ranges::min_element(diffusion) - diffusion.begin());
      smallest = std::min(smallest, diffusion[at]);
      begin = x[at == 0 ? 0 : at - 1];
      end = x[std::min(at + 1, x.size() - 1)];
    }
    if (smallest < vanishing * largest) noise_vanishes((begin + end) / 2);
  }

  [[noreturn]] void noise_vanishes(double x) const {
    throw Error(
        fmt::format("The noise of '{0}' vanishes or is not defined near {0} = {1:.6g}, where its density does not; its "
                    "exact density is not known. Add some noise there, or start the model ([model.initial]) where it "
                    "has noise.",
                    name_, x));
  }

  [[noreturn]] void does_not_return(int direction) const {
    throw Error(
        fmt::format("The stationary density of '{}' cannot be normalised: it does not fall off towards {} infinity, so "
                    "the process does not return. Check the signs of the drift at these parameters.",
                    name_, direction > 0 ? "plus" : "minus"));
  }

  ExactOneDimensional field_;
  std::string name_;
  double start_;
  double first_width_;
  bool first_panel_ = true;
  double highest_ = 0;  ///< largest log ρ so far
};

}  // namespace

std::vector<DensityPanel> density_panels(const symbolic::Model& model) { return Walk(model).panels(); }

}  // namespace gfdt::score
