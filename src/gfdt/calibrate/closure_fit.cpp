#include "gfdt/calibrate/closure_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/statistics/series/field_autocovariance.hpp"
#include "gfdt/symbolic/expression/evaluate.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using symbolic::Expression;
using symbolic::Kind;

std::size_t state_number(const symbolic::Model& model, const std::string& name) {
  const auto found = std::ranges::find(model.states, name, &symbolic::Field::name);
  if (found == model.states.end()) throw Error(fmt::format("The model has no state '{}' to be kept.", name));
  return static_cast<std::size_t>(found - model.states.begin());
}

/// Whether the formula depends on a state other than `kept` and the time.
bool holds_others(const symbolic::Model& model, std::size_t kept, const Expression& formula) {
  for (std::size_t i = 0; i < model.states.size(); ++i)
    if (i != kept && i != model.time_state && symbolic::depends_on(formula, model.states[i].name)) return true;
  return false;
}

/// σ_x² of a state. Throws Error if the noise is not additive.
double noise_variance(const symbolic::Model& model, std::size_t state) {
  const std::map<std::string, double> values = model.parameter_values();
  double variance = 0;
  for (const symbolic::DiffusionTerm& term : model.diffusion) {
    if (term.state != state) continue;
    for (const std::string& name : symbolic::names_in(term.amplitude))
      if (!values.contains(name))
        throw Error(
            fmt::format("The noise of '{}' depends on '{}'. A closure with additive noise can be fitted only where the "
                        "noise of the state is additive.",
                        model.states[state].name, name));
    variance +=
        std::pow(symbolic::evaluate(term.amplitude, {[&](const std::string& name) { return values.at(name); }, {}}), 2);
  }
  return variance;
}

/// z = (X − center)/scale is of order 1, and so are its powers.
struct Standardized {
  double center, scale;

  explicit Standardized(const symbolic::InitialDistribution& law)
      : center(law.mean), scale(law.std > 0 ? law.std : 1) {}

  Expression of(const Expression& x) const { return (x - center) / scale; }
  /// The matrix that converts coefficients of powers of z to coefficients of powers of X.
  MatrixXd to_natural(Index size) const {
    MatrixXd map = MatrixXd::Zero(size, size);
    map(0, 0) = 1;
    for (Index n = 1; n < size; ++n)
      for (Index m = 0; m <= n; ++m) map(m, n) = ((m > 0 ? map(m - 1, n - 1) : 0) - center * map(m, n - 1)) / scale;
    return map;
  }
};

/// The model with the moments <z>, …, <z²ᵈ>, <U>, <U z>, …, <U zᵈ> appended to its observables.
symbolic::Model with_moments(symbolic::Model model, const symbolic::Field& state, const Expression& z,
                             const Expression& tendency, int degree) {
  const auto add = [&](const std::string& name, const Expression& formula) {
    model.observables.push_back({name, symbolic::sum_over_sites(state, formula) / double(state.sites())});
  };
  for (int n = 1; n <= 2 * degree; ++n) add(fmt::format("z^{}", n), symbolic::power(z, n));
  for (int n = 0; n <= degree; ++n) add(fmt::format("U z^{}", n), tendency * symbolic::power(z, n));
  return model;
}

/// Least-squares coefficients, from the moments that follow the first `skipped` statistics.
void fit_polynomial(ClosureFit& fit, std::size_t skipped, int degree, const Standardized& standardized) {
  const Index size = degree + 1;
  const auto place = [&](Index n) { return static_cast<Index>(skipped) + n - 1; };  // index of <zⁿ>, n ≥ 1
  const auto cross = [&](Index n) { return place(2 * degree + 1) + n; };
  const auto mean = [&](Index i) { return fit.statistics.observables[static_cast<std::size_t>(i)].mean; };
  const auto moment = [&](Index n) { return n == 0 ? 1.0 : mean(place(n)); };

  MatrixXd gram(size, size);
  VectorXd product(size), centred(size);
  for (Index m = 0; m < size; ++m) {
    for (Index n = 0; n < size; ++n) gram(m, n) = moment(m + n);
    product(m) = mean(cross(m));
    // <zᵐ · ½ σ_x² s(X)>, by integration by parts.
    const double slope = m == 0 ? 0 : static_cast<double>(m) * moment(m - 1) / standardized.scale;
    centred(m) = product(m) - fit.own_noise * fit.own_noise / 2 * slope;
  }
  const Eigen::LDLT<MatrixXd> solver(gram);
  const VectorXd z_coefficients = solver.solve(product);
  const MatrixXd natural = standardized.to_natural(size);
  const VectorXd coefficients = natural * z_coefficients, from_differences = natural * solver.solve(centred);
  fit.coefficients.assign(coefficients.begin(), coefficients.end());
  fit.centred.assign(from_differences.begin(), from_differences.end());

  // To first order, the error of α is Γ⁻¹ times the error of the moments <(U − P(z)) zᵐ>.
  const auto all = static_cast<Index>(fit.statistics.observables.size());
  MatrixXd residual_moments = MatrixXd::Zero(size, all);
  for (Index m = 0; m < size; ++m) {
    residual_moments(m, cross(m)) = 1;
    for (Index n = 0; n < size; ++n)
      if (m + n > 0) residual_moments(m, place(m + n)) -= z_coefficients(n);
  }
  const Eigen::Map<const MatrixXd> errors(fit.statistics.mean_covariance.data(), all, all);
  const MatrixXd map = natural * solver.solve(residual_moments);
  const MatrixXd covariance = map * errors * map.transpose();
  fit.coefficient_covariance.assign(covariance.data(), covariance.data() + covariance.size());
}

/// Integrates up to the first lag at which the autocovariance over all members is not positive. The standard error of
/// the integral comes from the spread of the members.
void integrate_residual(ClosureFit& fit, const std::vector<statistics::LaggedSums>& members, double interval) {
  fit.residual = statistics::lagged_correlation(members, 0, 0, interval);
  const std::vector<double>& curve = fit.residual.value;
  const auto zero = std::ranges::find_if(curve, [](double value) { return value <= 0; });
  const std::size_t last = zero == curve.end() ? curve.size() - 1 : static_cast<std::size_t>(zero - curve.begin());
  fit.first_zero = interval * static_cast<double>(last);
  if (zero == curve.end())
    fit.remarks.push_back(
        fmt::format("The autocovariance of the residual is still {:.2g} of its variance at the longest lag, {:g}: the "
                    "noise may be stronger than was found.",
                    curve.back() / curve.front(), fit.first_zero));
  const auto integral = [&](auto value_at) {
    double sum = 0;
    for (std::size_t lag = 0; lag < last; ++lag) sum += interval * (value_at(lag) + value_at(lag + 1)) / 2;
    return sum;
  };
  const double whole = integral([&](std::size_t lag) { return curve[lag]; });
  double squares = 0;
  for (const statistics::LaggedSums& member : members) {
    // The fit makes the mean over all times and sites zero.
    const double own = integral([&](std::size_t lag) {
      const statistics::LaggedSums::Entry entry = member.entry(0, 0, lag, 0, 0);
      return entry.product / entry.count;
    });
    squares += (own - whole) * (own - whole);
  }
  const auto count = static_cast<double>(members.size());
  fit.sigma = std::sqrt(fit.own_noise * fit.own_noise + 2 * whole);
  fit.sigma_error = std::sqrt(squares / (count * (count - 1))) / fit.sigma;
}

Targets targets_of(const statistics::EnsembleStatistics& statistics, std::size_t count, double time) {
  Targets targets;
  const std::size_t all = statistics.observables.size();
  for (std::size_t i = 0; i < count; ++i) {
    const statistics::Average& average = statistics.observables[i];
    targets.observables.push_back(average.name);
    targets.value.push_back(average.mean);
    targets.degrees_of_freedom = std::min(targets.degrees_of_freedom, average.degrees_of_freedom);
    for (std::size_t j = 0; j < count; ++j) targets.covariance.push_back(statistics.mean_covariance[i * all + j]);
  }
  targets.source = fmt::format("a run of the full model over {:.4g} time units", time);
  for (const Diagnostic& diagnostic : statistics.diagnostics)
    if (!diagnostic.passed()) targets.remarks.push_back(diagnostic.text);
  return targets;
}

}  // namespace

std::vector<double> ClosureFit::guess() const {
  std::vector<double> values = coefficients;
  values.push_back(sigma);
  return values;
}

Expression unresolved_tendency(const symbolic::Model& model, const std::string& state) {
  const std::size_t kept = state_number(model, state);
  const Expression drift = symbolic::expand(model.drift[kept]);
  std::vector<Expression> terms{drift}, unresolved;
  if (drift.kind() == Kind::add) terms.assign(drift.operands().begin(), drift.operands().end());
  for (const Expression& term : terms)
    if (holds_others(model, kept, term)) unresolved.push_back(-term);
  if (unresolved.empty())
    throw Error(fmt::format(
        "No other state stands in the drift of '{}': there is nothing that a closure is to replace.", state));
  return unresolved.size() == 1 ? unresolved.front() : symbolic::add(unresolved);
}

ClosureFit fit_closure(const symbolic::Model& model, const ClosureOptions& closure, const simulate::Options& options,
                       const simulate::Control& control) {
  if (closure.degree < 0 || closure.degree > 8)
    throw Error(fmt::format("A polynomial of degree {} cannot be fitted; 0 to 8 can.", closure.degree));
  if (closure.lag_cadence < 1)
    throw Error(fmt::format("The lag_cadence is {}; it is a number of steps, 1 at least.", closure.lag_cadence));
  if (options.members < 2)
    throw Error("A closure is fitted to at least 2 members: their spread tells how far the fit can be trusted.");
  simulate::Options fine = options;
  fine.cadence = closure.lag_cadence;
  const double lags = std::floor(closure.longest_lag / fine.sample_interval());
  if (!(lags >= 1 && lags < static_cast<double>(fine.samples())))
    throw Error(
        fmt::format("The longest lag is {}; it must be at least the {:g} between two lags, and shorter than the "
                    "members.",
                    closure.longest_lag, fine.sample_interval()));

  const std::size_t kept = state_number(model, closure.state);
  const symbolic::Field& state = model.states[kept];
  const Expression tendency = unresolved_tendency(model, closure.state);
  const Standardized standardized(model.initial[kept]);

  ClosureFit fit;
  fit.own_noise = std::sqrt(noise_variance(model, kept));
  fit.statistics = statistics::simulate_statistics(
      with_moments(model, state, standardized.of(state.self()), tendency, closure.degree), options, control);
  fit.simulated_time = fit.statistics.run.simulated_time;
  fit.wall_seconds = fit.statistics.run.wall_seconds;
  if (fit.statistics.run.status != simulate::Status::done) return fit;
  fit_polynomial(fit, model.observables.size(), closure.degree, standardized);
  fit.targets = targets_of(fit.statistics, model.observables.size(), options.length * options.members);

  std::vector<Expression> terms{tendency};
  for (std::size_t n = 0; n < fit.coefficients.size(); ++n)
    terms.push_back(Expression(-fit.coefficients[n]) * symbolic::power(state.self(), static_cast<double>(n)));
  statistics::FieldAutocovariance autocovariance(model, state, symbolic::add(terms), fine, static_cast<int>(lags) + 1);
  simulate::Sink* const sinks[] = {&autocovariance};
  const simulate::Summary replay = simulate::run(model, fine, sinks, control);
  fit.simulated_time += replay.simulated_time;
  fit.wall_seconds += replay.wall_seconds;
  if (replay.status == simulate::Status::done)
    integrate_residual(fit, autocovariance.members(), fine.sample_interval());
  return fit;
}

}  // namespace gfdt::calibrate
