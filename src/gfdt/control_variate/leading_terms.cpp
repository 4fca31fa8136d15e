#include "gfdt/control_variate/leading_terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "gfdt/control_variate/density_change.hpp"
#include "gfdt/control_variate/excursions.hpp"
#include "gfdt/parallel/spread.hpp"

namespace gfdt::control_variate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Number of samples for the averages of P φ, from which the sizes of errors are estimated.
constexpr std::size_t samples_for_errors = 16384, blocks = 8;
/// Bounds of the estimated remainder, as multiples of the change by the last functions; the lower bound decreases if
/// they reduced the residual of A by a large factor.
constexpr double least_remainder = 0.5, most_remainder = 10, much_less = 10;
/// The part of ‖w‖ that may be unresolved even if the last functions changed nothing.
constexpr double part_of_norm = 0.2;
/// The typical ratio of a remainder to its bound. This value and `part_of_norm` were calibrated on random problems with
/// exact answers (studies/dependability). If the longest and the shortest autocorrelation time differ by a factor of
/// more than `separated`, the ratio grows in proportion, up to 1: functions that do not resolve a slow switch miss its
/// effect on A and on the density.
constexpr double typical_remainder = 0.25, separated = 12.5;
/// Standard errors are never below this share of the size of a term, because states that the run has not visited may
/// change it by that much, for example wells with a probability of 1e-7. Exact solutions, and terms without u (averages
/// of ∂A/∂θ), have only errors due to rounding and ridges.
constexpr double resolution = 1e-4, resolution_of_exact = 1e-5, resolution_without_solution = 1e-6;
/// The solutions of the two halves are considered different if their averages differ by more than this many standard
/// errors.
constexpr double visible_difference = 2;
/// If the share of A is below this value, a vanishing term is truly zero rather than unresolved by the functions.
constexpr double resolved_share = 1e-3;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t width = static_cast<std::size_t>(lanes);

/// Every `stride`-th sample of each group, at least one per group.
score::Samples thinned(const score::Samples& samples, std::size_t stride) {
  score::Samples few{samples.arrangement, samples.names, {}, {}};
  const std::size_t dimension = static_cast<std::size_t>(samples.dimension());
  const std::vector<std::size_t> bounds = group_bounds(samples);
  for (std::size_t g = 0; g + 1 < bounds.size(); ++g)
    for (std::size_t i = bounds[g]; i < bounds[g + 1]; i += stride) {
      few.values.insert(few.values.end(), samples[i], samples[i] + dimension);
      few.group.push_back(samples.group[i]);
    }
  return few;
}

bool idle(const Operator& change) {
  return change.diffusion.empty() &&
         std::ranges::all_of(change.drift, [](const Expression& v) { return v.is_number(0); });
}

/// <P φ> of every function and parameter, [function][parameter], over a subset of the samples: for its first and its
/// second half.
struct MeanChanges {
  MatrixXd of_halves[2];
  MatrixXd all() const { return 0.5 * (of_halves[0] + of_halves[1]); }
};

MeanChanges mean_changes(const Solutions& solutions) {
  const DictionaryValues& values = solutions.values;
  const std::size_t k = values.functions(), p = values.parameters();
  const score::Samples few =
      thinned(solutions.samples, std::max<std::size_t>(1, solutions.samples.size() / samples_for_errors));
  const std::size_t dimension = static_cast<std::size_t>(few.dimension()), batches = few.size() / width;
  const auto begin_of = [&](std::size_t block) { return block * batches / blocks; };
  std::vector<MatrixXd> sums(blocks, MatrixXd::Zero(static_cast<Index>(k), static_cast<Index>(p)));
  const auto sum = [&](std::size_t block) {
    const auto memory = values.memory();
    codegen::AlignedArray<double> states(dimension * width), rows(k * width);
    for (std::size_t batch = begin_of(block); batch < begin_of(block + 1); ++batch) {
      for (std::size_t lane = 0; lane < width; ++lane)
        for (std::size_t c = 0; c < dimension; ++c) states[c * width + lane] = few[batch * width + lane][c];
      values.load(states.data(), *memory);
      for (std::size_t j = 0; j < p; ++j) {
        values.changed_functions(j, rows.data(), *memory);
        for (std::size_t i = 0; i < k; ++i)
          sums[block](static_cast<Index>(i), static_cast<Index>(j)) +=
              std::accumulate(&rows[i * width], &rows[i * width] + width, 0.0);
      }
    }
  };
  const auto numbers = [&](std::size_t block) { return std::span<double>(sums[block].data(), k * p); };
  for_each_block_on_ranks(
      "changes of functions", blocks, solutions.request.threads, sum,
      {[&](std::size_t block, Packer& packer) { packer.put(std::span<const double>(numbers(block))); },
       [&](std::size_t block, Unpacker& unpacker) { unpacker.get(numbers(block)); }});
  MeanChanges result;
  for (std::size_t half = 0; half < 2; ++half) {
    const std::size_t first = half * blocks / 2, last = first + blocks / 2;
    const std::size_t count = width * std::max<std::size_t>(1, begin_of(last) - begin_of(first));
    result.of_halves[half] = MatrixXd::Zero(static_cast<Index>(k), static_cast<Index>(p));
    for (std::size_t block = first; block < last; ++block)
      result.of_halves[half] += sums[block] / static_cast<double>(count);
  }
  return result;
}

class LeadingTerms {
 public:
  LeadingTerms(const Solutions& solutions, const std::vector<std::optional<Operator>>& changes)
      : solutions_(solutions), changes_(changes), m_(solutions.request.observables), p_(changes.size()) {}

  std::vector<Averaged> run(const std::vector<bool>& solved) {
    look_at_fits();
    std::vector<Averaged> result = averages();
    const std::vector<double> bias = biases();
    for (std::size_t m = 0; m < m_; ++m)
      for (std::size_t j = 0; j < p_; ++j) {
        Averaged& term = result[m * p_ + j];
        term.bias = solutions_.inflation_of(m) * bias[m * p_ + j];
        if (!changes_[j])
          term = {missing, missing, missing, missing, {}};
        else if (!idle(*changes_[j]) && (!solved[m] || beyond_functions(m, j)))
          term.bias = std::numeric_limits<double>::infinity();
      }
    return result;
  }

 private:
  /// Whether no function depends on the parameter although A is not resolved without such functions. Example: a noise
  /// amplitude changes no linear function.
  bool beyond_functions(std::size_t observable, std::size_t parameter) const {
    const auto unresolved = [&](const RidgeFit& fit) { return fit.share[observable] > resolved_share; };
    return !(size_[observable * p_ + parameter] > 0) && std::ranges::any_of(solutions_.fits, unresolved);
  }

  /// Half the difference between the averages with the two solutions, if it is larger than noise.
  double difference_of_halves(const std::vector<double>& of_group) const {
    std::vector<double> halves[2];
    for (std::size_t g = 0; g < of_group.size(); ++g) halves[solutions_.half(g)].push_back(of_group[g]);
    const Averaged first = averaged(halves[0]), second = averaged(halves[1]);
    const double difference = std::abs(first.value - second.value);
    return difference > visible_difference * std::hypot(first.standard_error, second.standard_error) ? difference / 2
                                                                                                     : 0;
  }

  /// The ratio of the remainder to the change by the last functions, extrapolated as a geometric series: each further
  /// set of functions is assumed to reduce the residual of A by the same factor as the last one.
  double remainder_of(std::size_t observable) const {
    double ratio = 0;
    for (const RidgeFit& fit : solutions_.fits)
      if (fit.share[observable] > 0) ratio += 0.5 * fit.share[observable] / fit.alternative_share[observable];
    const double least = std::min(least_remainder, much_less * ratio);
    return std::clamp(ratio / std::max(1e-3, 1 - ratio), least, most_remainder);
  }

  /// Computes the change by the last functions and the variance of the terms due to the noise of the coefficients.
  void look_at_fits() {
    const MeanChanges changes = mean_changes(solutions_);
    const MatrixXd changed = changes.all();
    FunctionMoments functions = solutions_.observed.functions_of(0);
    for (std::size_t quarter = 1; quarter < quarters; ++quarter)
      functions.add(solutions_.observed.functions_of(quarter));
    density_ = density_changes(functions, solutions_.sizes, changes.of_halves);
    by_last_ = noise_ = MatrixXd::Zero(static_cast<Index>(m_), static_cast<Index>(p_));
    for (std::size_t half = 0; half < 2; ++half) {
      const RidgeFit& fit = solutions_.fits[half];
      by_last_ += 0.5 * (fit.coefficients - fit.alternative).transpose() * changed;
      const SampleSums& sums = solutions_.observed;
      const std::size_t count = sums.parts() / 2, first = (1 - half) * count;
      const std::vector<MatrixXd> moved = solutions_.regressions[half].influences(
          fit, std::span(sums.functions).subspan(first, count), std::span(sums.targets).subspan(first, count));
      // The mean of both halves has a quarter of the variance of each.
      for (const MatrixXd& part : moved)
        noise_ += 0.25 * static_cast<double>(count) / static_cast<double>(count - 1) *
                  (part.transpose() * changed).cwiseAbs2();
    }
  }

  std::vector<double> biases() const {
    const Request& request = solutions_.request;
    const double separation = request.shortest_memory > 0 ? request.memory / request.shortest_memory : 1;
    const double share_of_bound = std::clamp(typical_remainder * separation / separated, typical_remainder, 1.0);
    std::vector<double> result;
    for (std::size_t m = 0; m < m_; ++m) {
      double pooled = 0;
      for (std::size_t j = 0; j < p_; ++j)
        if (const double size = size_[m * p_ + j]; size > 0)
          pooled +=
              std::pow(by_last_(static_cast<Index>(m), static_cast<Index>(j)) / size, 2) / static_cast<double>(p_);
      for (std::size_t j = 0; j < p_; ++j) {
        const Index row = static_cast<Index>(m), column = static_cast<Index>(j);
        // The change by the last functions may be small by chance: at least half of the pooled value over all
        // parameters is used.
        const double last = std::max(std::abs(by_last_(row, column)), 0.5 * std::sqrt(pooled) * size_[m * p_ + j]);
        const DensityChange& density = density_[j];
        const double by_density = left_of(m) * std::hypot(density.changed, part_of_norm * density.norm);
        result.push_back(std::hypot(share_of_bound * std::hypot(remainder_of(m) * last, by_density),
                                    std::sqrt(noise_(row, column))));
      }
    }
    return result;
  }

  /// sd(A + L u) on samples not used in the fit.
  double left_of(std::size_t observable) const {
    return solutions_.deviation_of(observable) * solutions_.share_of(observable);
  }

  /// J·∇u + ½M:∇∇u + ∂A/∂θ of all entries, for the solutions of both halves.
  Targets terms() const {
    const Request& request = solutions_.request;
    const std::size_t entries = m_ * p_;
    Targets targets{.count = 2 * entries,
                    .quantities = request.direct,
                    .quantity_count = request.direct_entries.size(),
                    .quantity_of = std::vector<int>(2 * entries, -1),
                    .solutions = solutions_.coefficients()};
    for (std::size_t i = 0; i < request.direct_entries.size(); ++i)
      for (std::size_t half = 0; half < 2; ++half)
        targets.quantity_of[half * entries + request.direct_entries[i]] = static_cast<int>(i);
    return targets;
  }

  std::vector<Averaged> averages() {
    const std::size_t entries = m_ * p_;
    const Targets targets = terms();
    const DictionaryValues& values = solutions_.values;
    const auto sites = static_cast<std::size_t>(solutions_.samples.arrangement.sites);
    const double work = static_cast<double>(solutions_.samples.size() * values.functions() * sites * targets.count);
    const std::size_t stride =
        std::max<std::size_t>(1, static_cast<std::size_t>(work / solutions_.request.most_work_on_terms));
    const bool fewer = stride > 1;
    const std::optional<score::Samples> few = fewer ? std::optional(thinned(solutions_.samples, stride)) : std::nullopt;
    const SampleSums sums = sum_samples(few ? *few : solutions_.samples, values, targets, fewer,
                                        {solutions_.request.threads, solutions_.request.device});
    const SampleSums& functions = fewer ? sums : solutions_.observed;
    const std::vector<MatrixXd> second = second_fits(sums, fewer);
    std::vector<Averaged> result;
    for (std::size_t entry = 0; entry < entries; ++entry) {
      std::vector<double> of_group;
      for (std::size_t g = 0; g < solutions_.groups; ++g) {
        const std::size_t half = solutions_.half(g);
        of_group.push_back(sums.target_means[g][half * entries + entry] +
                           correction(functions.function_means[g], second[half], entry));
      }
      Averaged& term = result.emplace_back(averaged(of_group));
      double squares = 0, number = 0;
      for (std::size_t part = 0; part < sums.parts(); ++part) {
        const std::size_t half = 2 * part / sums.parts();
        squares += sums.targets[part].squares[static_cast<Index>(half * entries + entry)];
        number += functions.functions[part].count;
      }
      size_.push_back(std::sqrt(squares / number));
      const auto& change = changes_[entry % p_];
      const double least = change && idle(*change)           ? resolution_without_solution
                           : solutions_.is_exact(entry / p_) ? resolution_of_exact
                                                             : resolution;
      solutions_.inflate(entry / p_, term);
      term.standard_error =
          std::hypot(std::max(term.standard_error, least * size_.back()), difference_of_halves(of_group));
    }
    add_missed(solutions_.request,
               deviations_at_excursions(solutions_.samples, values, targets, entries, second, result), result);
    return result;
  }

  /// Coefficients that make the terms of each half nearly constant, fitted on the other half.
  std::vector<MatrixXd> second_fits(const SampleSums& sums, bool fewer) const {
    const Index entries = static_cast<Index>(m_ * p_);
    std::vector<MatrixXd> result;
    for (std::size_t half = 0; half < 2; ++half) {
      const std::size_t first = 2 * (1 - half);
      const RidgeRegression of_fewer = fewer ? RidgeRegression(sums.functions_of(first), sums.functions_of(first + 1),
                                                               solutions_.sizes, solutions_.inflation[half])
                                             : RidgeRegression();
      const RidgeRegression& regression = fewer ? of_fewer : solutions_.regressions[half];
      const auto own = [&](std::size_t quarter) {
        const TargetMoments all = sums.targets_of(quarter);
        const Index from = static_cast<Index>(half) * entries;
        return TargetMoments{all.sum.segment(from, entries), all.squares.segment(from, entries),
                             all.cross.middleCols(from, entries)};
      };
      result.push_back(regression.fit(own(first), own(first + 1)).coefficients);
    }
    return result;
  }

  const Solutions& solutions_;
  const std::vector<std::optional<Operator>>& changes_;
  std::size_t m_, p_;
  MatrixXd by_last_, noise_;            ///< [observable][parameter]
  std::vector<DensityChange> density_;  ///< per parameter
  std::vector<double> size_;            ///< per entry: root mean square of the averaged function
};

}  // namespace

std::vector<Averaged> leading_terms(const Solutions& solutions, const std::vector<std::optional<Operator>>& changes,
                                    const std::vector<bool>& solved) {
  return LeadingTerms(solutions, changes).run(solved);
}

}  // namespace gfdt::control_variate
