#include "gfdt/poisson/control_variate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "gfdt/core/error.hpp"
#include "gfdt/poisson/excursions.hpp"
#include "gfdt/poisson/sample_sums.hpp"
#include "gfdt/poisson/spreads.hpp"

namespace gfdt::poisson {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// One sample in so many is looked at for the size of remainders.
constexpr std::size_t rarer = 8;
/// Samples that each function takes, at least.
constexpr std::size_t samples_a_function = 50;
/// Multiplications that a fit may take.
constexpr double most_work = 4e10, most_work_on_terms = 1e10;
/// Remainders are taken for no less and no more than this times what the last functions changed, but for less where
/// they left much less of A.
constexpr double least_remainder = 0.5, most_remainder = 10, much_less = 10;
/// Of an excursion that was missed, in memories of the model.
constexpr double excursion_length = 0.2;
/// Functions that leave more than this of an observable's standard deviation may help by chance.
constexpr double no_help = 0.99;
/// Smaller errors than this, of a plain average's or of a leading term's own size, are not claimed: ridges and rounding
/// are in them.
constexpr double largest_gain = 1e4, exactness = 1e-6;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t width = static_cast<std::size_t>(lanes);

std::vector<std::optional<Operator>> changes_of(const Question& question) {
  std::vector<std::optional<Operator>> result;
  for (const std::string& name : question.parameters) {
    try {
      const model::Perturbation change = model::perturbation(question.model, name);
      result.push_back(Operator{change.drift, change.diffusion});
    } catch (const Error&) {
      result.emplace_back();
    }
  }
  return result;
}

Averaged averaged(const std::vector<double>& of_group) {
  const double n = static_cast<double>(of_group.size());
  Averaged result;
  result.value = std::accumulate(of_group.begin(), of_group.end(), 0.0) / n;
  double squares = 0;
  for (const double value : of_group) {
    result.influence.push_back((value - result.value) / std::sqrt(n * (n - 1)));
    squares += result.influence.back() * result.influence.back();
  }
  result.standard_error = std::sqrt(squares);
  return result;
}

/// One sample in so many of every group, at least one of each.
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

class Fit {
 public:
  Fit(const Question& question, const score::Samples& samples)
      : question_(question),
        samples_(samples),
        m_(question.observables),
        p_(question.parameters.size()),
        changes_(changes_of(question)) {
    if (!has_dictionary(question.model))
      throw Error(
          "There is no control variate for this model: its states are neither all scalars nor all fields over one "
          "ring, or it depends on time.");
    groups_ = group_bounds(samples).size() - 1;
    if (groups_ < fewest_groups)
      throw Error(
          fmt::format("A control variate is fitted on parts of the run: it takes at least {} members.", fewest_groups));
    if (samples.size() < samples_a_function * question.model.states.size())
      throw Error(fmt::format("There are too few samples for a control variate: it takes at least {}.",
                              samples_a_function * question.model.states.size()));
    std::vector<Coordinate> coordinates = coordinates_of(question.model);
    std::vector<Spread> spreads = spreads_of(question.model, coordinates, samples);
    const double size = static_cast<double>(samples.size());
    const std::size_t most = std::min({question.most_functions, samples.size() / samples_a_function,
                                       static_cast<std::size_t>(std::sqrt(most_work / size))});
    dictionary_ =
        std::make_shared<Dictionary>(make_dictionary(question.model, std::move(coordinates), std::move(spreads), most));
    if (dictionary_->functions.empty())
      throw Error(
          fmt::format("The {} functions that a control variate may have are fewer than the model has states; the most "
                      "for so many samples is one in {}.",
                      most, samples_a_function));
    values_.emplace(question.model, *dictionary_, changes_);
  }

  ControlVariate run() {
    const auto begin = std::chrono::steady_clock::now();
    fit_observables();
    statistics();
    if (p_ > 0) leading_terms();
    result_.degrees_of_freedom = static_cast<double>(groups_) - 1;
    result_.dictionary = dictionary_;
    result_.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(result_);
  }

 private:
  std::size_t half_of(std::size_t group) const { return part_of(group, groups_) / 2; }

  void fit_observables() {
    observed_ = sum_samples(
        samples_, *values_, m_,
        [&](const double* states, DictionaryValues::Memory&, double* values) { question_.values(states, values); },
        true, question_.threads);
    for (std::size_t part = 0; part < parts; ++part)
      if (!observed_.functions[part].products.allFinite() || !observed_.targets[part].squares.allFinite())
        throw Error(
            "An observable, or a function of the model's formulas, is not finite at some states of the run: no control "
            "variate.");
    for (std::size_t half = 0; half < 2; ++half) {
      const std::size_t first = 2 * (1 - half), second = first + 1;
      regressions_.emplace_back(observed_.functions[first], observed_.functions[second], dictionary_->sizes);
      fits_.push_back(regressions_.back().fit(observed_.targets[first], observed_.targets[second]));
    }
    result_.coefficients.resize(m_ * values_->functions());
    for (std::size_t m = 0; m < m_; ++m) {
      result_.share.push_back(std::sqrt(fits_[0].share[m] * fits_[1].share[m]));
      result_.functions.push_back(std::max(fits_[0].size[m], fits_[1].size[m]));
      for (std::size_t k = 0; k < values_->functions(); ++k)
        result_.coefficients[m * values_->functions() + k] =
            0.5 * (coefficient(fits_[0].coefficients, k, m) + coefficient(fits_[1].coefficients, k, m));
    }
  }

  static double coefficient(const MatrixXd& matrix, std::size_t k, std::size_t target) {
    return matrix(static_cast<Index>(k), static_cast<Index>(target));
  }

  /// Σ c_k <L φ_k> over a group, with the coefficients for its half.
  static double correction(const std::vector<double>& means, const MatrixXd& coefficients, std::size_t target) {
    double total = 0;
    for (std::size_t k = 0; k < means.size(); ++k) total += coefficient(coefficients, k, target) * means[k];
    return total;
  }

  /// The largest deviation of y + Σ c f from its mean at states further out than the run has been, of every target, for
  /// the coefficients of either half.
  std::vector<double> at_excursions(std::size_t count, const TargetRows& targets, const std::vector<RidgeFit>& fits,
                                    std::size_t first_of_second_half, const std::vector<Averaged>& means) const {
    const std::vector<double> states = excursions(samples_);
    const std::size_t dimension = static_cast<std::size_t>(samples_.dimension()), number = states.size() / dimension;
    const auto memory = values_->memory();
    kernel::AlignedArray<double> rows(dimension * width), functions(values_->functions() * width),
        values(count * width);
    std::vector<double> largest(means.size(), 0.0);
    for (std::size_t at = 0; at < number; at += width) {
      for (std::size_t lane = 0; lane < width; ++lane)
        for (std::size_t c = 0; c < dimension; ++c)
          rows[c * width + lane] = states[std::min(at + lane, number - 1) * dimension + c];
      values_->load(rows.data(), *memory);
      values_->generated(functions.data(), *memory);
      targets(rows.data(), *memory, values.data());
      for (std::size_t half = 0; half < 2; ++half)
        for (std::size_t t = 0; t < means.size(); ++t)
          for (std::size_t lane = 0; lane < width; ++lane) {
            double value = values[(half * first_of_second_half + t) * width + lane];
            for (std::size_t k = 0; k < values_->functions(); ++k)
              value += coefficient(fits[half].coefficients, k, t) * functions[k * width + lane];
            if (const double off = std::abs(value - means[t].value); off > largest[t]) largest[t] = off;
          }
    }
    return largest;
  }

  /// Adds the error of one excursion that the run may have missed, as long as the model remembers.
  void add_missed(const std::vector<double>& deviations, std::vector<Averaged>& to) const {
    if (!(question_.time > 0)) return;
    for (std::size_t t = 0; t < to.size(); ++t)
      to[t].standard_error =
          std::hypot(to[t].standard_error, excursion_length * deviations[t] * question_.memory / question_.time);
  }

  void statistics() {
    for (std::size_t m = 0; m < m_; ++m) {
      std::vector<double> plain, reduced;
      for (std::size_t g = 0; g < groups_; ++g) {
        plain.push_back(observed_.target_means[g][m]);
        reduced.push_back(plain.back() + correction(observed_.function_means[g], fits_[half_of(g)].coefficients, m));
      }
      result_.statistics.push_back(averaged(reduced));
      // Averages with the solution of either half differ, over the same samples, by what rare states would even out.
      double apart = 0;
      for (std::size_t g = 0; g < groups_; ++g)
        apart += (correction(observed_.function_means[g], fits_[0].coefficients, m) -
                  correction(observed_.function_means[g], fits_[1].coefficients, m)) /
                 static_cast<double>(groups_);
      double& error = result_.statistics.back().standard_error;
      error = std::hypot(error, apart);
      result_.plain_error.push_back(averaged(plain).standard_error);
      error = std::max(error, result_.plain_error.back() / largest_gain);
    }
    const auto targets = [&](const double* states, DictionaryValues::Memory&, double* values) {
      question_.values(states, values);
    };
    add_missed(at_excursions(m_, targets, fits_, 0, result_.statistics), result_.statistics);
  }

  /// Coefficients of the solutions u for either half, [half][observable][function]; less those of the alternative.
  std::vector<double> solutions(bool less_alternative) const {
    std::vector<double> result;
    for (const RidgeFit& fit : fits_)
      for (std::size_t m = 0; m < m_; ++m)
        for (std::size_t k = 0; k < values_->functions(); ++k)
          result.push_back(coefficient(fit.coefficients, k, m) -
                           (less_alternative ? coefficient(fit.alternative, k, m) : 0));
    return result;
  }

  /// J·∇u + ½M:∇∇u + ∂A/∂θ of all entries, for the solutions of either half.
  TargetRows terms_of(const std::vector<double>& u, bool with_direct) const {
    return [&, with_direct](const double* states, DictionaryValues::Memory& memory, double* values) {
      values_->changed(u, values, memory);
      if (!with_direct || !question_.direct) return;
      kernel::AlignedArray<double> direct(question_.direct_entries.size() * width);
      question_.direct(states, direct.data());
      for (std::size_t half = 0; half < 2; ++half)
        for (std::size_t i = 0; i < question_.direct_entries.size(); ++i)
          for (std::size_t lane = 0; lane < width; ++lane)
            values[(half * m_ * p_ + question_.direct_entries[i]) * width + lane] += direct[i * width + lane];
    };
  }

  /// What the last functions that were taken changed, of every entry: an average over few of the samples will do.
  std::vector<double> changes_by_last() const {
    const score::Samples few = thinned(samples_, rarer);
    const std::vector<double> u = solutions(true);
    const SampleSums sums = sum_samples(few, *values_, 2 * m_ * p_, terms_of(u, false), false, question_.threads);
    std::vector<double> result(m_ * p_, 0.0);
    for (std::size_t g = 0; g < groups_; ++g)
      for (std::size_t entry = 0; entry < m_ * p_; ++entry)
        result[entry] += sums.target_means[g][half_of(g) * m_ * p_ + entry] / static_cast<double>(groups_);
    return result;
  }

  /// The remainder over what the last functions changed: were there more of them, each set would leave as much less of
  /// A as the last one did, and the remainder is the sum of what they would change.
  double remainder_of(std::size_t observable) const {
    double ratio = 0;
    for (const RidgeFit& fit : fits_)
      if (fit.share[observable] > 0) ratio += 0.5 * fit.share[observable] / fit.alternative_share[observable];
    const double least = std::min(least_remainder, much_less * ratio);
    return std::clamp(ratio / std::max(1e-3, 1 - ratio), least, most_remainder);
  }

  /// Whether there is a solution for an observable; without, a leading term of about zero tells nothing.
  bool solved(std::size_t m) const {
    const bool constant = !(result_.plain_error[m] > 1e-12 * std::abs(result_.statistics[m].value));
    return constant || result_.share[m] < no_help;
  }

  static bool idle(const Operator& change) {
    return change.diffusion.empty() &&
           std::ranges::all_of(change.drift, [](const Expression& v) { return v.is_number(0); });
  }

  void leading_terms() {
    const std::vector<double> u = solutions(false), changed = changes_by_last();
    const std::size_t entries = m_ * p_, count = 2 * entries;
    const TargetRows targets = terms_of(u, true);
    const double work = static_cast<double>(samples_.size() * values_->functions() * count);
    const std::size_t stride = std::max<std::size_t>(1, static_cast<std::size_t>(work / most_work_on_terms));
    const std::optional<score::Samples> few = stride > 1 ? std::optional(thinned(samples_, stride)) : std::nullopt;
    const SampleSums sums =
        sum_samples(few ? *few : samples_, *values_, count, targets, few.has_value(), question_.threads);
    const SampleSums& functions = stride > 1 ? sums : observed_;
    std::vector<RidgeFit> second;
    for (std::size_t half = 0; half < 2; ++half) {
      const std::size_t first = 2 * (1 - half);
      if (stride > 1)
        regressions_[half] = RidgeRegression(sums.functions[first], sums.functions[first + 1], dictionary_->sizes);
      const auto own = [&](std::size_t part) {
        const TargetMoments& all = sums.targets[part];
        const Index from = static_cast<Index>(half * entries), size = static_cast<Index>(entries);
        return TargetMoments{all.sum.segment(from, size), all.squares.segment(from, size),
                             all.cross.middleCols(from, size)};
      };
      second.push_back(regressions_[half].fit(own(first), own(first + 1)));
    }
    for (std::size_t m = 0; m < m_; ++m)
      for (std::size_t j = 0; j < p_; ++j) {
        const std::size_t entry = m * p_ + j;
        std::vector<double> of_group;
        for (std::size_t g = 0; g < groups_; ++g) {
          const std::size_t half = half_of(g);
          of_group.push_back(sums.target_means[g][half * entries + entry] +
                             correction(functions.function_means[g], second[half].coefficients, entry));
        }
        Averaged term = averaged(of_group);
        double squares = 0, number = 0;
        for (std::size_t part = 0; part < parts; ++part) {
          squares += sums.targets[part].squares[static_cast<Index>((1 - part / 2) * entries + entry)];
          number += functions.functions[part].count;
        }
        term.standard_error = std::max(term.standard_error, exactness * std::sqrt(squares / number));
        // Solutions of either half have errors that all groups of the other half share.
        double apart = 0;
        for (const std::vector<double>& means : sums.target_means)
          apart += (means[entry] - means[entries + entry]) / static_cast<double>(groups_);
        term.bias = std::hypot(remainder_of(m) * changed[entry], 0.5 * apart);
        if (!changes_[j])
          term = {missing, missing, missing, {}};
        else if (!solved(m) && !idle(*changes_[j]))
          term.bias = std::numeric_limits<double>::infinity();
        result_.leading.push_back(std::move(term));
      }
    add_missed(at_excursions(count, targets, second, entries, result_.leading), result_.leading);
  }

  const Question& question_;
  const score::Samples& samples_;
  std::size_t m_, p_, groups_ = 0;
  std::vector<std::optional<Operator>> changes_;
  std::shared_ptr<Dictionary> dictionary_;
  std::optional<DictionaryValues> values_;
  SampleSums observed_;
  std::vector<RidgeRegression> regressions_;  ///< that make the coefficients for each half
  std::vector<RidgeFit> fits_;
  ControlVariate result_;
};

}  // namespace

ControlVariate fit_control_variate(const Question& question, const score::Samples& samples) {
  return Fit(question, samples).run();
}

}  // namespace gfdt::poisson
