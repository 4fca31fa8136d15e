#include "gfdt/score/certificate/identities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>

#include "gfdt/score/certificate/parts.hpp"
#include "gfdt/score/estimators/moments.hpp"
#include "gfdt/statistics/distribution.hpp"

namespace gfdt::score {
namespace {

constexpr std::size_t lanes = 128;
constexpr std::size_t most_parts = 256;
constexpr std::size_t fewest_parts = 16;
constexpr std::size_t most_sums = std::size_t{1} << 22;

/// Σ_l f(l), in an order that permits vectorisation.
template <class F>
double sum(std::size_t count, F f) {
  constexpr std::size_t width = 8;
  std::array<double, width> partial{};
  std::size_t l = 0;
  for (; l + width <= count; l += width)
    for (std::size_t i = 0; i < width; ++i) partial[i] += f(l + i);
  for (; l < count; ++l) partial[l % width] += f(l);
  double total = 0;
  for (double p : partial) total += p;
  return total;
}

/// States and their scores, [row][sample].
struct ScoredStates {
  ScoredStates(const Field& field, const Samples& samples, const Part& range)
      : first(range.begin),
        count(range.size()),
        x(static_cast<std::size_t>(field.dimension()) * count),
        s(static_cast<std::size_t>(field.dimension()) * count) {
    score::copy_rows(samples, first, static_cast<int>(count), x.data());
    field.evaluate(x.data(), static_cast<int>(count), s.data());
  }

  std::size_t first, count;
  std::vector<double> x, s;
};

/// Sums over the samples of a part for every test function: Σ(φ ŝ_i + ∂_iφ), and Σ|∇φ|² if it is not known
/// analytically.
class PartSums {
 public:
  PartSums(const Arrangement& arrangement, const Normalisation& normalisation)
      : arrangement_(arrangement),
        normalisation_(normalisation),
        rows_(static_cast<std::size_t>(arrangement.dimension())),
        x_(lanes),
        s_(rows_ * lanes),
        values_(rows_ * factors * lanes),
        derivatives_(rows_ * factors * lanes) {}

  void load(const ScoredStates& states, std::size_t first, std::size_t count) {
    count_ = count;
    for (std::size_t row = 0; row < rows_; ++row) {
      const double mean = normalisation_.mean[row], std = normalisation_.std[row];
      const std::size_t from = row * states.count + first - states.first;
      for (std::size_t l = 0; l < count; ++l) {
        x_[l] = (states.x[from + l] - mean) / std;
        s_[row * count + l] = states.s[from + l] * std;
      }
      const std::size_t at = row * factors * count;
      evaluate_factors(x_.data(), static_cast<int>(count), &values_[at], &derivatives_[at]);
    }
  }

  void add(const TestFunction& function, bool gradient, double& defect, double& squared_gradient) const {
    const int sites = arrangement_.sites;
    for (int k = 0; k < sites; ++k) {
      const auto i = static_cast<std::size_t>(function.field * sites + k);
      const auto j = static_cast<std::size_t>(function.other_field * sites + (k + function.offset + sites) % sites);
      const double *s = &s_[i * count_], *u = row(values_, i, function.own), *v = row(values_, j, function.other);
      const double *du = row(derivatives_, i, function.own), *dv = row(derivatives_, j, function.other);
      defect += sum(count_, [=](std::size_t l) { return (u[l] * s[l] + du[l]) * v[l]; }) / sites;
      if (!gradient) continue;
      squared_gradient +=
          sum(count_, [=](std::size_t l) { return du[l] * v[l] * du[l] * v[l] + u[l] * dv[l] * u[l] * dv[l]; }) / sites;
    }
  }

 private:
  const double* row(const std::vector<double>& table, std::size_t component, Factor factor) const {
    return &table[(component * factors + static_cast<std::size_t>(factor)) * count_];
  }

  Arrangement arrangement_;
  const Normalisation& normalisation_;
  std::size_t rows_, count_ = 0;
  std::vector<double> x_, s_, values_, derivatives_;
};

/// The identity that determines the verdict of a check: one that is not finite or clearly fails, otherwise the one that
/// is closest to failing.
const Identity& decisive(const std::vector<Identity>& list, double t, double tolerance) {
  auto doubt = [t](const Identity& i) { return std::abs(i.value) + t * i.standard_error; };
  auto certain = [t](const Identity& i) { return std::abs(i.value) - t * i.standard_error; };
  auto undefined = std::ranges::find_if(list, [](const Identity& i) { return !std::isfinite(i.value); });
  if (undefined != list.end()) return *undefined;
  auto surest = std::ranges::max_element(list, {}, certain);
  return certain(*surest) > tolerance ? *surest : *std::ranges::max_element(list, {}, doubt);
}

}  // namespace

Identities identities(const Field& field, const Samples& samples, const Normalisation& normalisation,
                      const IdentityOptions& options, const Watch& watch) {
  std::vector<TestFunction> functions = mean_functions(samples.arrangement);
  const std::size_t means = functions.size();
  std::ranges::copy(covariance_functions(samples.arrangement), std::back_inserter(functions));
  const std::size_t linear = functions.size();
  std::ranges::copy(stein_functions(samples.arrangement), std::back_inserter(functions));

  const std::size_t count = functions.size();
  const Parts parts = parts_of(samples, std::clamp(most_sums / count, fewest_parts, most_parts));
  std::vector<double> defects(count * parts.size()), squared_gradients(count * parts.size());  // [function][part]
  Identities result;
  result.independent = parts.independent;
  result.degrees_of_freedom = static_cast<double>(parts.size()) - 1;
  const std::vector<Part> units = parts.joined(static_cast<std::size_t>(field.best_lanes()));
  const auto sum = [&](std::size_t u) {
    const ScoredStates states(field, samples, {parts.list[units[u].begin].begin, parts.list[units[u].end - 1].end});
    PartSums sums(samples.arrangement, normalisation);
    for (std::size_t p = units[u].begin; p < units[u].end; ++p)
      for (std::size_t first = parts.list[p].begin; first < parts.list[p].end; first += lanes) {
        sums.load(states, first, std::min(lanes, parts.list[p].end - first));
        for (std::size_t f = 0; f < count; ++f)
          sums.add(functions[f], f >= linear, defects[f * parts.size() + p], squared_gradients[f * parts.size() + p]);
      }
  };
  const auto each = [&](std::size_t u, const auto& visit) {
    for (auto* table : {&defects, &squared_gradients})
      for (std::size_t f = 0; f < count; ++f)
        for (std::size_t p = units[u].begin; p < units[u].end; ++p) visit((*table)[f * parts.size() + p]);
  };
  result.complete = for_each_monitored_block(
      units.size(), options.threads, watch, sum,
      {[&](std::size_t u, Packer& packer) { each(u, [&](const double& value) { packer.put(value); }); },
       [&](std::size_t u, Unpacker& unpacker) { each(u, [&](double& value) { unpacker.get(value); }); }});

  std::vector<double> sizes;
  for (const Part& part : parts.list) sizes.push_back(static_cast<double>(part.size()));
  for (std::size_t f = 0; f < count; ++f) {
    double scale = 1;
    if (f >= linear) {
      double total = 0;
      for (std::size_t p = 0; p < parts.size(); ++p) total += squared_gradients[f * parts.size() + p];
      scale = std::sqrt(total / parts.samples());
    }
    const Ratio mean = ratio_over_parts(std::span(defects).subspan(f * parts.size(), parts.size()), sizes);
    auto& list = f < means ? result.mean : f < linear ? result.covariance : result.stein;
    list.push_back({functions[f], mean.value / scale, mean.standard_error / scale});
  }
  return result;
}

std::vector<CertificateTest> identity_checks(const Identities& identities, const Samples& samples,
                                             const IdentityOptions& options) {
  std::vector<CertificateTest> checks;
  auto add = [&](const char* name, const std::vector<Identity>& list, const char* advice, auto describe) {
    const double coverage = 1 - options.false_alarm / static_cast<double>(list.size());
    const double t = identities.degrees_of_freedom >= 1
                         ? statistics::student_t_interval(coverage, identities.degrees_of_freedom)
                         : std::numeric_limits<double>::infinity();
    const Identity& shown = decisive(list, t, options.tolerance);
    CertificateTest check{.name = name,
                          .value = shown.value,
                          .standard_error = shown.standard_error,
                          .half_width = t * shown.standard_error,
                          .tolerance = options.tolerance,
                          .verdict = judge(shown.value, t * shown.standard_error, options.tolerance),
                          .explanation = {},
                          .remedy = {}};
    const std::string s = label(samples, shown.function.field, 0), phi = shown.function.label(samples);
    const std::string others =
        list.size() > 1 ? fmt::format(", the most significant of {} identities", list.size()) : "";
    check.explanation = std::isfinite(check.value)
                            ? fmt::format("{} is off by {:.3g} ± {:.2g}{}.", describe(s, phi), check.value,
                                          check.standard_error, others)
                            : fmt::format("The score of {} is not finite on held-out states.", s);
    if (!identities.independent)
      check.explanation += " The samples have few independent groups: error bars are from segments of them.";
    if (check.verdict == Verdict::failed) check.remedy = advice;
    if (check.verdict == Verdict::unresolved) check.remedy = "Four times as long a run (simulation.length) would tell.";
    checks.push_back(std::move(check));
  };
  add("mean", identities.mean,
      "The score is shifted; fit it on four times as many score.samples, with score.correction = true.",
      [](const std::string& s, const std::string&) { return fmt::format("<s.{}> = 0", s); });
  add("covariance", identities.covariance,
      "Responses will be off by as much; fit on four times as many score.samples, with score.correction = true, or "
      "with half the score.noise.",
      [](const std::string& s, const std::string& phi) {
        return fmt::format("<{} s.{}> = {}", phi, s, phi == s ? "-1" : "0");
      });
  add("Stein", identities.stein,
      "The score misses the shape of the density; use wider layers (score.hidden), four times as many score.samples, "
      "or half the "
      "score.noise.",
      [](const std::string& s, const std::string& phi) {
        return fmt::format("<f s.{0} + df/d{0}> = 0 for f = {1}, in standard deviations,", s, phi);
      });
  return checks;
}

}  // namespace gfdt::score
