#include "gfdt/score/certificate/parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gfdt::score {
namespace {

constexpr std::size_t fewest_groups = 8;
constexpr std::size_t segments = 16;

std::vector<Part> groups_of(const Samples& samples) {
  std::vector<Part> groups;
  for (std::size_t begin = 0, i = 1; i <= samples.size(); ++i)
    if (i == samples.size() || samples.group[i] != samples.group[begin]) {
      groups.push_back({begin, i});
      begin = i;
    }
  return groups;
}

}  // namespace

double Parts::samples() const {
  std::size_t total = 0;
  for (const Part& part : list) total += part.size();
  return static_cast<double>(total);
}

std::vector<Part> Parts::joined(std::size_t samples) const {
  std::vector<Part> result;
  for (std::size_t begin = 0, p = 0, held = 0; p < list.size(); ++p) {
    held += list[p].size();
    if (held < samples && p + 1 < list.size()) continue;
    result.push_back({begin, p + 1});
    begin = p + 1;
    held = 0;
  }
  return result;
}

Parts parts_of(const Samples& samples, std::size_t most) {
  const std::vector<Part> groups = groups_of(samples);
  Parts parts;
  if (groups.size() < fewest_groups) {
    parts.independent = false;
    const std::size_t pieces = groups.empty() ? 0 : (segments + groups.size() - 1) / groups.size();
    for (const Part& group : groups) {
      const std::size_t count = std::min(pieces, group.size());
      for (std::size_t p = 0; p < count; ++p)
        parts.list.push_back({group.begin + group.size() * p / count, group.begin + group.size() * (p + 1) / count});
    }
    return parts;
  }
  if (groups.size() <= most) {
    parts.list = groups;
    return parts;
  }
  // A part ends with the group that completes its share of the samples.
  for (const Part& group : groups) {
    const std::size_t share = samples.size() * parts.size() / most;
    if (parts.list.empty() || (group.begin >= share && parts.size() < most))
      parts.list.push_back(group);
    else
      parts.list.back().end = group.end;
  }
  return parts;
}

Samples thinned(const Samples& samples, std::size_t most) {
  if (samples.size() <= most) return samples;
  Samples result{samples.arrangement, samples.names, {}, {}};
  const auto dimension = static_cast<std::size_t>(samples.dimension());
  result.values.reserve(most * dimension);
  result.group.reserve(most);
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t sample = samples.size() * i / most;
    result.values.insert(result.values.end(), samples[sample], samples[sample] + dimension);
    result.group.push_back(samples.group[sample]);
  }
  return result;
}

Ratio ratio_over_parts(std::span<const double> numerators, std::span<const double> denominators) {
  double above = 0, below = 0;
  for (double a : numerators) above += a;
  for (double b : denominators) below += b;
  Ratio ratio{above / below, std::numeric_limits<double>::quiet_NaN()};
  const auto count = static_cast<double>(numerators.size());
  if (numerators.size() < 2) return ratio;
  double squares = 0;
  for (std::size_t p = 0; p < numerators.size(); ++p) {
    const double rest = numerators[p] - ratio.value * denominators[p];
    squares += rest * rest;
  }
  ratio.standard_error = std::sqrt(count / (count - 1) * squares) / std::abs(below);
  return ratio;
}

}  // namespace gfdt::score
