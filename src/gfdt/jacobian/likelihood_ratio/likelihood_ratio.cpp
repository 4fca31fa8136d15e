#include "gfdt/jacobian/likelihood_ratio/likelihood_ratio.hpp"

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/jacobian/correlation/response_pass.hpp"
#include "gfdt/jacobian/correlation/score_diagnostics.hpp"
#include "gfdt/jacobian/selection/jacobian_filling.hpp"
#include "gfdt/jacobian/weighted_source.hpp"
#include "gfdt/symbolic/derived/likelihood_weights.hpp"
#include "gfdt/symbolic/expression/derivative.hpp"

namespace gfdt::jacobian {
namespace {

using statistics::EnsembleStatistics;
using symbolic::Expression;

/// Length of the pilot run that measures the memory of the observables: a share of the run, and a minimum number of
/// samples. `most_pilot_members` limits its members.
constexpr double pilot_share = 0.05, shortest_pilot = 64;
constexpr int most_pilot_members = 64;
/// The noise of these estimates is small enough for the truncation of the integral to be visible; windows are therefore
/// longer than for other methods.
constexpr double patience = 2;
/// Distinguishes the seed of the pilot from that of the run.
constexpr std::uint64_t pilot_seed = 0x9e3779b97f4a7c15;
/// If the pilot is too short to determine an autocorrelation time, this share of its length is assumed.
constexpr double unresolved_share = 0.05;

simulate::Options pilot_of(simulate::Options options) {
  const double length = std::max(pilot_share * options.length, shortest_pilot * options.sample_interval());
  options.burn_in = std::min(options.burn_in_time(), length);
  options.length = std::min(length, options.length);
  options.members = std::min(options.members, most_pilot_members);
  options.seed ^= pilot_seed;
  return options;
}

class Estimation {
 public:
  Estimation(const LikelihoodRatioProblem& problem, const simulate::Control& control)
      : problem_(problem),
        control_(control),
        terms_(direct_terms(problem.model, problem.parameters)),
        growth_(growth_of(problem)),
        weighted_(symbolic::with_likelihood_weights(problem.model, problem.parameters, noise_weights())),
        stretching_terms_(stretching_terms()),
        observed_(with_observables(weighted_.model, all_terms())),
        source_(observed_, problem.simulation) {
    for (const symbolic::WeightColumn& column : weighted_.columns)
      outlook_.push_back({column.unavailable, !column.has_weight() && column.unavailable.empty()});
  }

  GfdtJacobian run() {
    const Stopwatch watch;
    check_window(problem_.response, problem_.simulation);
    prepare(result_, rows(), problem_.parameters, {Method::likelihood_ratio}, outlook_, terms_);
    if (!weighted_.model.weights)
      take_statistics_alone();
    else if (find_lags())
      correlate();
    widen_rare_rows(result_.jacobian);
    withhold_unsupported_rows(result_.jacobian);
    result_.jacobian.wall_seconds = watch.seconds();
    return std::move(result_);
  }

 private:
  std::size_t rows() const { return problem_.model.observables.size(); }

  /// x·∇A of each observable; empty if the observable has jumps or is given by a function.
  static std::vector<std::optional<Expression>> growth_of(const LikelihoodRatioProblem& problem) {
    std::vector<std::optional<Expression>> result;
    for (const symbolic::Observable& observable : problem.model.observables) {
      auto& growth = result.emplace_back();
      if (problem.functions.contains(observable.name)) continue;
      try {
        growth = symbolic::stretching(problem.model, observable.formula);
      } catch (const symbolic::NotDifferentiable&) {
      }
    }
    return result;
  }

  symbolic::NoiseWeights noise_weights() const {
    const auto smooth = [](const std::optional<Expression>& growth) { return growth.has_value(); };
    return {.plain = !std::ranges::all_of(growth_, smooth), .stretched = std::ranges::any_of(growth_, smooth)};
  }

  /// κλ<x·∇A> of entries that are computed with stretched weights.
  std::vector<DirectTerm> stretching_terms() const {
    std::vector<DirectTerm> terms;
    for (std::size_t j = 0; j < weighted_.columns.size(); ++j)
      for (std::size_t m = 0; m < rows(); ++m)
        if (const symbolic::WeightColumn& column = weighted_.columns[j]; column.stretched && growth_[m])
          terms.push_back({m, j, column.kappa * Expression::symbol(column.share) * *growth_[m], {}});
    return terms;
  }

  std::vector<DirectTerm> all_terms() const {
    std::vector<DirectTerm> terms = terms_;
    terms.insert(terms.end(), stretching_terms_.begin(), stretching_terms_.end());
    return terms;
  }

  /// Sets the shares λ that minimise the variance of stretched weights, from averages over a pilot run.
  void set_shares(const EnsembleStatistics& pilot) {
    std::size_t next = observed_.observables.size();
    for (const symbolic::WeightColumn& column : weighted_.columns) {
      if (!column.stretched) continue;
      const double overlap = pilot.observables[next].mean, square = pilot.observables[next + 1].mean;
      next += 2;
      const double share = square > 0 && std::isfinite(overlap / square) ? -overlap / square : 0;
      for (symbolic::Model* const model : {&weighted_.model, &observed_})
        std::ranges::find(model->parameters, column.share, &symbolic::Parameter::name)->value = share;
    }
  }

  void take_statistics_alone() {
    statistics_ = statistics::simulate_statistics(observed_, simulate::ModelSource(observed_, problem_.simulation),
                                                  control_, {}, problem_.functions);
    take_statistics(statistics_, rows(), problem_.simulation, result_.jacobian);
    if (result_.jacobian.usable()) fill_exact_entries(result_, outlook_, terms_, statistics_);
  }

  bool find_lags() {
    const simulate::Options options = pilot_of(problem_.simulation);
    symbolic::Model looked_at = observed_;
    for (const symbolic::WeightColumn& column : weighted_.columns)
      if (column.stretched) {
        looked_at.observables.push_back({"overlap." + column.parameter, column.overlap});
        looked_at.observables.push_back({"square." + column.parameter, column.square});
      }
    EnsembleStatistics pilot = statistics::simulate_statistics(looked_at, simulate::ModelSource(looked_at, options),
                                                               control_, {}, problem_.functions);
    Jacobian& jacobian = result_.jacobian;
    jacobian.simulated_time = pilot.run.simulated_time;
    if (pilot.run.status != simulate::Status::done) {
      jacobian.diagnostics = pilot.diagnostics;
      note_weights(pilot.run);
      return false;
    }
    set_shares(pilot);
    pilot.observables.resize(rows());
    double memory = options.sample_interval();
    for (const auto* list : {&pilot.observables, &pilot.monitored})
      for (const statistics::Average& average : *list) {
        if (average.autocorrelation_time > memory) memory = average.autocorrelation_time;
        if (!average.autocorrelation_resolved) memory = std::max(memory, unresolved_share * options.length);
      }
    memory_ = memory;
    references_ = references(pilot, rows(), observed_.own_states());
    for (double& reference : references_)
      if (!std::isfinite(reference)) reference = 0;
    result_.segments =
        cut(problem_.simulation, problem_.response.window ? problem_.response.window->end : first_lag * memory_);
    return true;
  }

  /// Warns that a member may have blown up in its weights alone.
  void note_weights(const simulate::Summary& run) {
    if (run.status == simulate::Status::unstable)
      result_.jacobian.diagnostics.push_back(
          {.check = Check::weights,
           .verdict = Verdict::warning,
           .text = "Members also count as blown up when the weight of a parameter is not finite, as where the "
                   "amplitude of a noise is zero.",
           .remedy = "If 'gfdt simulate' loses no members, use --method gfdt or finite-difference."});
  }

  void correlate() {
    const simulate::Options& options = problem_.simulation;
    std::vector<std::size_t> columns(weighted_.model.weights->directions.size());
    for (std::size_t j = 0; j < weighted_.columns.size(); ++j)
      for (const auto& weight : {weighted_.columns[j].weight, weighted_.columns[j].stretched})
        if (weight) columns[*weight] = j;
    const Signals signals(weighted_.model, columns, references_, options.backend,
                          codegen::block_lanes(options.backend, observed_.dimension()), problem_.functions);
    const double segment = options.length / static_cast<double>(result_.segments.per_member);
    const PassOptions passing{.window = problem_.response.window,
                              .first_lag = first_lag * memory_,
                              .longest_lag = segment / lags_per_segment,
                              .patience = patience,
                              .slowest = memory_,
                              .first_run = [this](std::span<simulate::Sink* const> sinks) {
                                statistics_ = statistics::simulate_statistics(observed_, source_, control_, sinks,
                                                                              problem_.functions);
                                return statistics_.run;
                              }};
    const ResponsePass pass =
        response_pass(source_, signals, result_.segments, later_names(weighted_.model),
                      entries_of(signals, problem_.model, problem_.parameters), passing, control_);
    result_.passes = pass.passes - 1;
    result_.response_seconds = pass.run.wall_seconds;
    Jacobian& jacobian = result_.jacobian;
    take_statistics(statistics_, rows(), problem_.simulation, jacobian);
    jacobian.simulated_time += pass.simulated_time - statistics_.run.simulated_time;
    if (pass.run.status != simulate::Status::done && pass.passes > 1)
      jacobian.diagnostics.push_back(
          {.check = Check::completion, .verdict = Verdict::failed, .text = pass.run.explanation});
    note_weights(statistics_.run);
    if (!jacobian.usable()) return;
    for (Diagnostic& diagnostic :
         window_diagnostics(pass, result_.segments, options.length, problem_.response.window.has_value()))
      jacobian.diagnostics.push_back(std::move(diagnostic));
    jacobian.window = pass.window;
    jacobian.degrees_of_freedom = pass.correlations->degrees_of_freedom();
    const Weights weights = window_weights(pass.correlations->bins(), pass.window);
    for (std::size_t j = 0; j < weighted_.columns.size(); ++j)
      for (std::size_t m = 0; m < rows(); ++m) fill_entry(m, j, *pass.correlations, weights);
    fill_exact_entries(result_, outlook_, terms_, statistics_);
    add_stretching_terms();
  }

  void fill_entry(std::size_t m, std::size_t j, const Correlations& correlations, const Weights& weights) {
    const symbolic::WeightColumn& column = weighted_.columns[j];
    if (!column.has_weight()) return;
    const std::size_t weight = column.stretched && growth_[m] ? *column.stretched : column.weight.value();
    const std::size_t at = result_.jacobian.at(m, j);
    fill(result_, at, correlations.between(static_cast<int>(m) + 1, static_cast<int>(weight) + 1, 0),
         correlations.bins(), weights);
    if (column.kappa.is_number(0)) return;
    // The long-run response was computed for another direction of the drift, whose transient responses are different.
    result_.steps.of_entry[at].clear();
    result_.steps.kernel_of_entry[at].clear();
  }

  void add_stretching_terms() {
    Jacobian& jacobian = result_.jacobian;
    auto average = statistics_.observables.end() - static_cast<std::ptrdiff_t>(stretching_terms_.size());
    for (const DirectTerm& term : stretching_terms_) {
      const std::size_t at = jacobian.at(term.observable, term.parameter);
      jacobian.value[at] += average->mean;
      jacobian.standard_error[at] = std::hypot(jacobian.standard_error[at], average->standard_error);
      jacobian.sampling_error[at] = std::hypot(jacobian.sampling_error[at], average->sampling_error);
      ++average;
    }
  }

  const LikelihoodRatioProblem& problem_;
  const simulate::Control& control_;
  std::vector<DirectTerm> terms_;
  std::vector<std::optional<Expression>> growth_;  ///< x·∇A of each observable
  symbolic::WeightedModel weighted_;
  std::vector<DirectTerm> stretching_terms_;
  symbolic::Model observed_;  ///< with all terms as observables
  std::vector<ColumnOutlook> outlook_;
  WeightedSource source_;
  std::vector<double> references_;
  double memory_ = 0;  ///< the longest autocorrelation time of observables and states
  EnsembleStatistics statistics_;
  GfdtJacobian result_;
};

}  // namespace

GfdtJacobian likelihood_ratio_jacobian(const LikelihoodRatioProblem& problem, const simulate::Control& control) {
  if (const std::string wrong = problem.simulation.problem(); !wrong.empty()) throw Error(wrong);
  if (const std::string wrong = problem.response.problem(); !wrong.empty()) throw Error(wrong);
  if (problem.model.observables.empty())
    throw Error("The model has no observables: there is nothing to differentiate.");
  if (problem.parameters.empty()) throw Error("No parameter is named: there is nothing to differentiate by.");
  return Estimation(problem, control).run();
}

}  // namespace gfdt::jacobian
