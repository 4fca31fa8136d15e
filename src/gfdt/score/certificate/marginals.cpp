#include "gfdt/score/certificate/marginals.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gfdt/score/certificate/parts.hpp"
#include "gfdt/score/certificate/test_functions.hpp"

namespace gfdt::score {
namespace {

constexpr std::size_t most_values = 200000;  // of the data, over all sites of a ring
constexpr std::size_t most_parts = 256;
constexpr std::size_t grid_points = 200;
constexpr int bins = 60;
constexpr double shown_tail = 5e-4;

/// Values of one marginal, stored consecutively for independent units.
struct Units {
  std::vector<double> values;
  std::vector<std::size_t> ends;
};

Units data_units(const Samples& samples, const Parts& parts, const Normalisation& normalisation, int field) {
  Units units;
  const int sites = samples.arrangement.sites;
  for (const Part& part : parts.list) {
    for (std::size_t sample = part.begin; sample < part.end; ++sample)
      for (int site = 0; site < sites; ++site) {
        const auto i = static_cast<std::size_t>(field * sites + site);
        units.values.push_back((samples[sample][i] - normalisation.mean[i]) / normalisation.std[i]);
      }
    units.ends.push_back(units.values.size());
  }
  return units;
}

Units chain_units(const LangevinChains& chains, int sites, int field) {
  Units units;
  for (std::size_t chain = 0; chain < chains.chains; ++chain) {
    if (chains.escaped[chain]) continue;
    for (int snapshot = 0; snapshot < LangevinChains::snapshots; ++snapshot) {
      const double* state = chains.state(chain, snapshot) + field * sites;
      units.values.insert(units.values.end(), state, state + sites);
    }
    units.ends.push_back(units.values.size());
  }
  return units;
}

/// Variance of the empirical distribution function at each point of an increasing grid, from the spread over units.
std::vector<double> distribution_variance(const Units& units, std::span<const double> grid) {
  const std::size_t points = grid.size(), count = units.ends.size();
  std::vector<double> below(points * count);  // [point][unit]
  std::vector<double> sizes(count);
  std::size_t at = 0;
  for (std::size_t u = 0; u < count; ++u) {
    sizes[u] = static_cast<double>(units.ends[u] - at);
    for (; at < units.ends[u]; ++at) {
      const auto first = static_cast<std::size_t>(std::ranges::lower_bound(grid, units.values[at]) - grid.begin());
      if (first < points) below[first * count + u] += 1;
    }
  }
  std::vector<double> variance(points);
  for (std::size_t p = 0; p < points; ++p) {
    if (p > 0)
      for (std::size_t u = 0; u < count; ++u) below[p * count + u] += below[(p - 1) * count + u];
    const double error = ratio_over_parts(std::span(below).subspan(p * count, count), sizes).standard_error;
    variance[p] = error * error;
  }
  return variance;
}

/// Quantiles of two sorted samples combined, including both ends, without repeated values.
std::vector<double> common_grid(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> grid;
  for (const std::vector<double>* sample : {&a, &b})
    for (std::size_t p = 0; p <= grid_points / 2; ++p)
      grid.push_back((*sample)[(sample->size() - 1) * p / (grid_points / 2)]);
  std::ranges::sort(grid);
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  return grid;
}

double noise_level(const Units& data, const Units& chains, const std::vector<double>& grid) {
  const std::vector<double> a = distribution_variance(data, grid), b = distribution_variance(chains, grid);
  double integral = 0;
  for (std::size_t p = 0; p + 1 < grid.size(); ++p)
    integral += 0.5 * (std::sqrt(a[p] + b[p]) + std::sqrt(a[p + 1] + b[p + 1])) * (grid[p + 1] - grid[p]);
  return std::sqrt(2 / std::numbers::pi) * integral;
}

std::vector<double> histogram(const std::vector<double>& sorted, const std::vector<double>& edges, double unit) {
  std::vector<double> density;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const auto from = std::ranges::lower_bound(sorted, edges[i]), to = std::ranges::lower_bound(sorted, edges[i + 1]);
    density.push_back(static_cast<double>(to - from) / static_cast<double>(sorted.size()) /
                      ((edges[i + 1] - edges[i]) * unit));
  }
  return density;
}

std::vector<double> histogram_edges(const std::vector<double>& sorted) {
  const auto tail = static_cast<std::size_t>(shown_tail * static_cast<double>(sorted.size()));
  const double low = sorted[tail], high = sorted[sorted.size() - 1 - tail], margin = 0.08 * (high - low);
  std::vector<double> edges;
  for (int i = 0; i <= bins; ++i) edges.push_back(low - margin + (high - low + 2 * margin) * i / bins);
  return edges;
}

}  // namespace

double wasserstein_distance(std::span<const double> a, std::span<const double> b) {
  const double step_a = 1 / static_cast<double>(a.size()), step_b = 1 / static_cast<double>(b.size());
  std::size_t i = 0, j = 0;
  double total = 0, previous = 0;
  while (i < a.size() || j < b.size()) {
    const bool from_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
    const double next = from_a ? a[i] : b[j];
    if (i + j > 0)
      total += std::abs(static_cast<double>(i) * step_a - static_cast<double>(j) * step_b) * (next - previous);
    previous = next;
    ++(from_a ? i : j);
  }
  return total;
}

Verdict judge_distance(double distance, double noise, double tolerance) {
  if (!std::isfinite(distance)) return Verdict::failed;
  if (distance > tolerance + 3 * noise) return Verdict::failed;
  return distance <= tolerance && 2 * noise <= tolerance ? Verdict::passed : Verdict::unresolved;
}

std::vector<Marginal> marginals(const Samples& held_out, const Normalisation& normalisation,
                                const LangevinChains& chains, double tolerance) {
  const int sites = held_out.arrangement.sites;
  const Samples samples = thinned(held_out, std::max<std::size_t>(most_values / static_cast<std::size_t>(sites), 1));
  const Parts parts = parts_of(samples, most_parts);
  std::vector<Marginal> result;
  for (int field = 0; field < held_out.arrangement.fields; ++field) {
    Marginal marginal{.name = label(held_out, field, 0), .edges = {}, .data = {}, .langevin = {}};
    const Units data = data_units(samples, parts, normalisation, field), langevin = chain_units(chains, sites, field);
    std::vector<double> a = data.values, b = langevin.values;
    std::ranges::sort(a);
    std::ranges::sort(b);
    marginal.edges = histogram_edges(a);
    const auto first = static_cast<std::size_t>(field * sites);
    marginal.data = histogram(a, marginal.edges, normalisation.std[first]);
    if (b.empty()) {
      marginal.verdict = Verdict::failed;
      marginal.langevin.assign(marginal.data.size(), 0);
    } else {
      marginal.distance = wasserstein_distance(a, b);
      marginal.noise = noise_level(data, langevin, common_grid(a, b));
      marginal.verdict = judge_distance(marginal.distance, marginal.noise, tolerance);
      marginal.langevin = histogram(b, marginal.edges, normalisation.std[first]);
    }
    for (double& edge : marginal.edges) edge = normalisation.mean[first] + normalisation.std[first] * edge;
    result.push_back(std::move(marginal));
  }
  return result;
}

}  // namespace gfdt::score
