#include "gfdt/score/certificate/test_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gfdt::score {
namespace {

constexpr int most_components_in_all_pairs = 12;
constexpr int farthest_pair = 2;

std::string spelled(Factor factor, const std::string& x) {
  switch (factor) {
    case Factor::one:
      return "";
    case Factor::linear:
      return x;
    case Factor::square:
      return x + "^2";
    case Factor::cube:
      return x + "^3";
    case Factor::tanh:
      return fmt::format("tanh(2{})", x);
    case Factor::sine:
      return fmt::format("sin(2{})", x);
    case Factor::cosine:
      return fmt::format("cos(2{})", x);
  }
  return "";
}

/// Offsets on a ring from −reach to reach, without repeated sites.
std::vector<int> offsets(int sites, int reach) {
  std::vector<int> result;
  for (int offset = -std::min(reach, (sites - 1) / 2); offset <= std::min(reach, sites / 2); ++offset)
    result.push_back(offset);
  return result;
}

}  // namespace

std::string label(const Samples& samples, int field, int offset) {
  const int first = field * samples.arrangement.sites;
  const auto position = static_cast<std::size_t>(first);
  const std::string name = position < samples.names.size() ? samples.names[position] : fmt::format("x{}", field + 1);
  if (!samples.arrangement.lattice()) return name;
  const std::string family = name.substr(0, name.find('['));
  return offset == 0 ? family + "[k]" : fmt::format("{}[k{:+d}]", family, offset);
}

std::string TestFunction::label(const Samples& samples) const {
  const std::string first = spelled(own, score::label(samples, field, 0));
  const std::string second = spelled(other, score::label(samples, other_field, offset));
  if (first.empty() && second.empty()) return "1";
  return first + (first.empty() || second.empty() ? "" : "*") + second;
}

std::vector<TestFunction> mean_functions(const Arrangement& arrangement) {
  std::vector<TestFunction> result;
  for (int field = 0; field < arrangement.fields; ++field) result.push_back({.field = field, .other_field = field});
  return result;
}

std::vector<TestFunction> covariance_functions(const Arrangement& arrangement) {
  std::vector<TestFunction> result;
  for (int field = 0; field < arrangement.fields; ++field)
    for (int other = 0; other < arrangement.fields; ++other)
      for (int offset : offsets(arrangement.sites, farthest_covariance)) {
        if (other == field && offset == 0)
          result.push_back({.field = field, .own = Factor::linear, .other_field = field});
        else
          result.push_back({.field = field, .other_field = other, .offset = offset, .other = Factor::linear});
      }
  return result;
}

std::vector<TestFunction> stein_functions(const Arrangement& arrangement) {
  std::vector<TestFunction> result;
  const bool all_pairs = arrangement.lattice() || arrangement.fields <= most_components_in_all_pairs;
  for (int field = 0; field < arrangement.fields; ++field) {
    for (Factor own : {Factor::square, Factor::cube, Factor::tanh, Factor::sine, Factor::cosine})
      result.push_back({.field = field, .own = own, .other_field = field});
    for (int other = 0; other < arrangement.fields; ++other)
      for (int offset : offsets(arrangement.sites, farthest_pair)) {
        if ((other == field && offset == 0) || (!all_pairs && std::abs(other - field) > 1)) continue;
        for (auto [own, factor] : {std::pair{Factor::one, Factor::square},
                                   {Factor::one, Factor::tanh},
                                   {Factor::linear, Factor::linear},
                                   {Factor::linear, Factor::square}})
          result.push_back({.field = field, .own = own, .other_field = other, .offset = offset, .other = factor});
      }
  }
  return result;
}

void evaluate_factors(const double* x, int count, double* values, double* derivatives) {
  auto row = [count](double* rows, Factor factor) { return rows + static_cast<int>(factor) * count; };
  for (int i = 0; i < count; ++i) {
    const double t = std::tanh(2 * x[i]), s = std::sin(2 * x[i]), c = std::cos(2 * x[i]);
    auto set = [&](Factor factor, double value, double derivative) {
      row(values, factor)[i] = value;
      row(derivatives, factor)[i] = derivative;
    };
    set(Factor::one, 1, 0);
    set(Factor::linear, x[i], 1);
    set(Factor::square, x[i] * x[i], 2 * x[i]);
    set(Factor::cube, x[i] * x[i] * x[i], 3 * x[i] * x[i]);
    set(Factor::tanh, t, 2 * (1 - t * t));
    set(Factor::sine, s, 2 * c);
    set(Factor::cosine, c, -2 * s);
  }
}

}  // namespace gfdt::score
