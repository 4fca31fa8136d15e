#include "gfdt/control_variate/fit/solutions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "gfdt/base/error.hpp"

namespace gfdt::control_variate {
namespace {

using Eigen::Index;

/// Effective duration of a missed excursion, in autocorrelation times of the model.
constexpr double excursion_length = 0.07;

}  // namespace

Solutions::Solutions(const Request& asked, const score::Samples& of, const DictionaryValues& dictionary,
                     std::vector<std::size_t> sets)
    : request(asked), samples(of), values(dictionary), groups(group_bounds(of).size() - 1), sizes(std::move(sets)) {
  observed = sum_samples(samples, values, targets_of(request.values, request.observables), true,
                         {request.threads, request.device});
  for (std::size_t part = 0; part < observed.parts(); ++part)
    if (!observed.functions[part].products.allFinite() || !observed.targets[part].squares.allFinite())
      throw Error(
          "An observable, or a function of the model's formulas, is not finite at some states of the run: no control "
          "variate.");
  for (std::size_t half = 0; half < 2; ++half) {
    const std::size_t first = 2 * (1 - half);
    inflation.push_back(inflations(observed, 1 - half, sizes));
    regressions.emplace_back(observed.functions_of(first), observed.functions_of(first + 1), sizes, inflation.back());
    fits.push_back(regressions.back().fit(observed.targets_of(first), observed.targets_of(first + 1)));
  }
}

double Solutions::inflation_of(std::size_t observable) const {
  double squares = 0, inflated = 0;
  for (const RidgeFit& fit : fits) {
    squares += std::pow(fit.share[observable], 2);
    inflated += std::pow(fit.inflation[observable] * fit.share[observable], 2);
  }
  return squares > 0 ? std::sqrt(inflated / squares)
                     : std::max(fits[0].inflation[observable], fits[1].inflation[observable]);
}

double Solutions::share_of(std::size_t observable) const {
  return std::hypot(fits[0].share[observable], fits[1].share[observable]) / std::numbers::sqrt2;
}

double Solutions::deviation_of(std::size_t observable) const {
  const auto at = static_cast<Index>(observable);
  double count = 0, sum = 0, squares = 0;
  for (std::size_t part = 0; part < observed.parts(); ++part) {
    count += observed.functions[part].count;
    sum += observed.targets[part].sum[at];
    squares += observed.targets[part].squares[at];
  }
  return std::sqrt(std::max(0.0, squares / count - std::pow(sum / count, 2)));
}

bool Solutions::is_exact(std::size_t observable) const {
  constexpr double rounding = 1e-6;
  return share_of(observable) < rounding;
}

void Solutions::inflate(std::size_t observable, Averaged& average) const {
  double squares = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    average.influence[g] *= fits[half(g)].inflation[observable];
    squares += average.influence[g] * average.influence[g];
  }
  average.standard_error = std::sqrt(squares);
}

std::vector<double> Solutions::coefficients() const {
  std::vector<double> result;
  for (const RidgeFit& fit : fits)
    for (Index m = 0; m < fit.coefficients.cols(); ++m)
      for (Index k = 0; k < fit.coefficients.rows(); ++k) result.push_back(fit.coefficients(k, m));
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
  result.standard_error = result.sampling_error = std::sqrt(squares);
  return result;
}

double correction(const std::vector<double>& means, const Eigen::MatrixXd& coefficients, std::size_t target) {
  double total = 0;
  for (std::size_t k = 0; k < means.size(); ++k)
    total += coefficients(static_cast<Index>(k), static_cast<Index>(target)) * means[k];
  return total;
}

void add_missed(const Request& request, const std::vector<double>& deviations, std::vector<Averaged>& to) {
  if (!(request.time > 0)) return;
  for (std::size_t t = 0; t < to.size(); ++t)
    to[t].standard_error =
        std::hypot(to[t].standard_error, excursion_length * deviations[t] * request.memory / request.time);
}

}  // namespace gfdt::control_variate
