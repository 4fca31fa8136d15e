#include "gfdt/score/fields/divergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gfdt/base/error.hpp"
#include "gfdt/parallel/spread.hpp"
#include "gfdt/score/estimators/moments.hpp"
#include "gfdt/score/fields/probes.hpp"

namespace gfdt::score {
namespace {

/// ∇·s at each sample, and its variance due to the probes.
struct Values {
  std::vector<double> divergence;
  std::vector<double> probe_variance;
};

void exact_block(const Field& field, const std::vector<double>& x, std::size_t lanes, double* divergence) {
  const std::size_t d = static_cast<std::size_t>(field.dimension());
  std::vector<JacobianEntry> diagonal;
  for (int i = 0; i < field.dimension(); ++i) diagonal.push_back({i, i});
  std::vector<double> s(d * lanes), entries(d * lanes);
  field.jacobian(x.data(), static_cast<int>(lanes), diagonal, s.data(), entries.data());
  for (std::size_t lane = 0; lane < lanes; ++lane)
    for (std::size_t i = 0; i < d; ++i) divergence[lane] += entries[i * lanes + lane];
}

void probed_block(const Field& field, int probes, const std::vector<double>& x, std::size_t lanes, double* divergence,
                  double* variance) {
  const std::size_t d = static_cast<std::size_t>(field.dimension()), count = static_cast<std::size_t>(probes);
  std::vector<double> s(d * lanes), v(count * d * lanes), sv(v.size()), estimate(count);
  fill_probes(x.data(), static_cast<int>(lanes), field.dimension(), probes, v.data());
  field.differentiate(x.data(), static_cast<int>(lanes), probes, v.data(), s.data(), sv.data());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t probe = 0; probe < count; ++probe) {
      estimate[probe] = 0;
      for (std::size_t i = 0; i < d; ++i) {
        const std::size_t at = (probe * d + i) * lanes + lane;
        estimate[probe] += v[at] * sv[at];
      }
      divergence[lane] += estimate[probe] / probes;
    }
    for (const double value : estimate)
      variance[lane] += (value - divergence[lane]) * (value - divergence[lane]) / (probes * (probes - 1.0));
  }
}

Values values_of(const Field& field, const Samples& samples, int probes, int threads) {
  Values values{std::vector<double>(samples.size()), std::vector<double>(samples.size())};
  const auto most_lanes = static_cast<std::size_t>(field.best_lanes());
  const std::size_t blocks = (samples.size() + most_lanes - 1) / most_lanes;
  const auto lanes_of = [&](std::size_t block) { return std::min(most_lanes, samples.size() - block * most_lanes); };
  const auto evaluate = [&](std::size_t block) {
    const std::size_t first = block * most_lanes, lanes = lanes_of(block);
    std::vector<double> x(static_cast<std::size_t>(field.dimension()) * lanes);
    copy_rows(samples, first, static_cast<int>(lanes), x.data());
    if (probes == 0)
      exact_block(field, x, lanes, &values.divergence[first]);
    else
      probed_block(field, probes, x, lanes, &values.divergence[first], &values.probe_variance[first]);
  };
  const auto of_block = [&](std::vector<double>& all, std::size_t block) {
    return std::span(all).subspan(block * most_lanes, lanes_of(block));
  };
  for_each_block_on_ranks("a divergence", blocks, threads, evaluate,
                          {[&](std::size_t block, Packer& packer) {
                             for (auto* all : {&values.divergence, &values.probe_variance})
                               packer.put(std::span<const double>(of_block(*all, block)));
                           },
                           [&](std::size_t block, Unpacker& unpacker) {
                             for (auto* all : {&values.divergence, &values.probe_variance})
                               unpacker.get(of_block(*all, block));
                           }});
  return values;
}

/// Standard error of the mean over samples: G/(G − 1) Σ_g (Σ_{i in g} (y_i − ȳ)/n)² over the G groups.
double group_error(const Samples& samples, const std::vector<double>& y, double mean) {
  double total = 0, deviation = 0, groups = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    deviation += (y[i] - mean) / static_cast<double>(y.size());
    if (i + 1 < y.size() && samples.group[i + 1] == samples.group[i]) continue;
    total += deviation * deviation;
    deviation = 0;
    ++groups;
  }
  return groups < 2 ? std::numeric_limits<double>::infinity() : std::sqrt(total * groups / (groups - 1));
}

}  // namespace

Divergence divergence_of(const Field& field, const Samples& samples, int threads) {
  if (samples.size() == 0) throw Error("There are no samples to average the divergence over; make the run longer.");
  const int probes = field.probes() == 0 ? 0 : std::max(2, field.probes());
  const Values values = values_of(field, samples, probes, threads);
  const double n = static_cast<double>(samples.size());
  Divergence result;
  result.probes = probes;
  for (const double value : values.divergence) result.mean += value / n;
  result.standard_error = group_error(samples, values.divergence, result.mean);
  double variance = 0;
  for (const double value : values.probe_variance) variance += value;
  result.probe_error = std::sqrt(variance) / n;
  return result;
}

}  // namespace gfdt::score
