#include "gfdt/control_variate/control_variate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/control_variate/dictionary/singular_coordinates.hpp"
#include "gfdt/control_variate/excursions.hpp"
#include "gfdt/control_variate/fit/spreads.hpp"
#include "gfdt/control_variate/leading_terms.hpp"

namespace gfdt::control_variate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Smallest number of samples per function.
constexpr std::size_t samples_a_function = 50;
/// Functions that leave more than this share of an observable's standard deviation may help by chance.
constexpr double no_help = 0.99;
/// Standard errors are not reduced by more than this factor, because of the errors due to ridges and rounding.
constexpr double largest_gain = 1e4;
/// Nor are they reduced below this share of the standard deviation of A: states with a probability of 1e-5 that the run
/// has not visited change the average by that much.
constexpr double resolution_of_average = 1e-5;

std::vector<std::optional<Operator>> changes_of(const Request& request) {
  std::vector<std::optional<Operator>> result;
  for (const std::string& name : request.parameters) {
    try {
      const symbolic::Perturbation change = symbolic::perturbation(request.model, name);
      result.push_back(Operator{change.drift, change.diffusion});
    } catch (const Error&) {
      result.emplace_back();
    }
  }
  return result;
}

std::shared_ptr<const Dictionary> dictionary_of(const Request& request, const score::Samples& samples) {
  if (!has_dictionary(request.model))
    throw Error(
        "There is no control variate for this model: its states are neither all scalars nor all fields over one "
        "ring, or it depends on time.");
  if (group_bounds(samples).size() - 1 < fewest_groups)
    throw Error(
        fmt::format("A control variate is fitted on parts of the run: it takes at least {} members.", fewest_groups));
  if (samples.size() < samples_a_function * request.model.states.size())
    throw Error(fmt::format("There are too few samples for a control variate: it takes at least {}.",
                            samples_a_function * request.model.states.size()));
  std::vector<Coordinate> coordinates = coordinates_of(request.model);
  remove_singular(coordinates, request.model, samples);
  std::vector<Spread> spreads = spreads_of(request.model, coordinates, samples);
  const double size = static_cast<double>(samples.size());
  const std::size_t most = std::min({request.most_functions, samples.size() / samples_a_function,
                                     static_cast<std::size_t>(std::sqrt(request.most_work / size))});
  auto dictionary = std::make_shared<const Dictionary>(
      make_dictionary(request.model, std::move(coordinates), std::move(spreads), most));
  if (dictionary->functions.empty())
    throw Error(
        fmt::format("The {} functions that a control variate may have are fewer than the model has states; the most "
                    "for so many samples is one in {}.",
                    most, samples_a_function));
  return dictionary;
}

/// Computes <A + L u> of every observable.
void fill_statistics(const Solutions& solutions, ControlVariate& result) {
  const SampleSums& sums = solutions.observed;
  const MatrixXd coefficients[] = {solutions.fits[0].coefficients, solutions.fits[1].coefficients};
  for (std::size_t m = 0; m < solutions.request.observables; ++m) {
    std::vector<double> plain, reduced;
    // The averages with the solutions of the two halves differ, over the same samples, by contributions that rare
    // states would cancel. Half of the difference counts as an error of their mean.
    double apart = 0;
    for (std::size_t g = 0; g < solutions.groups; ++g) {
      const double corrections[] = {correction(sums.function_means[g], coefficients[0], m),
                                    correction(sums.function_means[g], coefficients[1], m)};
      plain.push_back(sums.target_means[g][m]);
      reduced.push_back(plain.back() + corrections[solutions.half(g)]);
      apart += (corrections[0] - corrections[1]) / static_cast<double>(solutions.groups);
    }
    result.plain.push_back(averaged(plain));
    Averaged& average = result.statistics.emplace_back(averaged(reduced));
    solutions.inflate(m, average);
    const double unseen = solutions.is_exact(m) ? 0 : resolution_of_average * solutions.deviation_of(m);
    average.standard_error = std::max({std::hypot(average.standard_error, solutions.inflation_of(m) * apart / 2),
                                       result.plain.back().standard_error / largest_gain, unseen});
  }
  const Targets observables = targets_of(solutions.request.values, solutions.request.observables);
  add_missed(
      solutions.request,
      deviations_at_excursions(solutions.samples, solutions.values, observables, 0, coefficients, result.statistics),
      result.statistics);
}

/// Whether both halves have a solution for an observable. Without one, a leading term near zero carries no information.
bool solved(const ControlVariate& result, const Solutions& solutions, std::size_t m) {
  const bool constant = !(result.plain[m].standard_error > 1e-12 * std::abs(result.statistics[m].value));
  const auto helps = [&](const RidgeFit& fit) { return result.inflation[m] * fit.share[m] < no_help; };
  // An event that occurs in none of the samples has no solution.
  if (constant) return solutions.request.varies.empty() || !solutions.request.varies[m];
  return std::ranges::all_of(solutions.fits, helps);
}

}  // namespace

void ControlVariate::keep_statistics_of(const ControlVariate& smaller) {
  constexpr double worth_more_functions = 0.5;
  for (std::size_t m = 0; m < smaller.statistics.size(); ++m) {
    if (statistics[m].standard_error < worth_more_functions * smaller.statistics[m].standard_error) continue;
    statistics[m] = smaller.statistics[m];
    functions[m] = smaller.functions[m];
  }
}

ControlVariate fit_control_variate(const Request& request, const score::Samples& samples,
                                   const WantsLeadingTerms& wants_leading_terms) {
  const Stopwatch watch;
  ControlVariate result;
  result.dictionary = dictionary_of(request, samples);
  const std::vector<std::optional<Operator>> changes = changes_of(request);
  const DictionaryValues values(request.model, *result.dictionary, changes);
  const Solutions solutions(request, samples, values, result.dictionary->sizes);
  const RidgeFit &first = solutions.fits[0], &second = solutions.fits[1];
  for (std::size_t m = 0; m < request.observables; ++m) {
    result.inflation.push_back(solutions.inflation_of(m));
    result.share.push_back(result.inflation.back() * solutions.share_of(m));
    const double before = std::sqrt(first.alternative_share[m] * second.alternative_share[m]);
    result.improvement.push_back(before > 0 ? std::sqrt(first.share[m] * second.share[m]) / before : 0);
    result.functions.push_back(std::max(first.size[m], second.size[m]));
    for (Index k = 0; k < first.coefficients.rows(); ++k)
      result.coefficients.push_back(
          0.5 * (first.coefficients(k, static_cast<Index>(m)) + second.coefficients(k, static_cast<Index>(m))));
  }
  fill_statistics(solutions, result);
  if (!changes.empty() && (!wants_leading_terms || wants_leading_terms(result))) {
    std::vector<bool> with_solution;
    for (std::size_t m = 0; m < request.observables; ++m) with_solution.push_back(solved(result, solutions, m));
    result.leading = leading_terms(solutions, changes, with_solution);
  }
  result.degrees_of_freedom = static_cast<double>(solutions.groups) - 1;
  result.wall_seconds = watch.seconds();
  return result;
}

}  // namespace gfdt::control_variate
