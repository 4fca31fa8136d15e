#include "gfdt/response/gfdt_jacobian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "gfdt/core/error.hpp"
#include "gfdt/expression/rewrite.hpp"
#include "gfdt/response/direct_terms.hpp"
#include "gfdt/response/gfdt_findings.hpp"
#include "gfdt/response/response_pass.hpp"
#include "gfdt/response/responses.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::response {
namespace {

using Kind = ConjugateGroup::Kind;
using statistics::EnsembleStatistics;

/// Lags of the first try, in longest autocorrelation times.
constexpr double first_lag = 24;
/// A stretch is so many times as long as the lags in it, at least; those of the first try may have to grow.
constexpr double lags_a_stretch = 4, room_to_grow = 3;
/// The two scores of a cross-fit are compared at one in so many of the states.
constexpr std::uint64_t comparison = 9;
/// In more dimensions score Jacobians cost an order of magnitude more than scores, and are evaluated at fewer states.
constexpr int most_cheap_dimension = 8;
constexpr std::uint64_t rarer_jacobians = 9;
/// States at which scores are evaluated unless more or fewer are asked for; fewer in many dimensions, where they cost.
constexpr double default_samples = 1e7, default_components = 3e7;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double longest_memory(const EnsembleStatistics& run) {
  double longest = 0;
  for (const auto* list : {&run.observables, &run.watched})
    for (const statistics::Average& average : *list)
      if (std::isfinite(average.autocorrelation_time)) longest = std::max(longest, average.autocorrelation_time);
  return longest;
}

std::uint64_t odd(double at_least) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(std::max(1.0, at_least)));
  return whole + 1 - whole % 2;
}

class Estimation {
 public:
  Estimation(const GfdtProblem& problem, const simulate::Control& control)
      : problem_(problem),
        control_(control),
        terms_(direct_terms(problem.model, problem.parameters)),
        augmented_(with_observables(problem.model, terms_)) {
    for (const std::string& name : problem.parameters) conjugates_.push_back(model::conjugate(problem.model, name));
  }

  GfdtJacobian run() {
    const auto begin = std::chrono::steady_clock::now();
    prepare_columns();
    if (gather()) {
      if (!needs_score())
        fill_exact_entries();
      else if (find_scores())
        correlate();
    }
    result_.jacobian.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(result_);
  }

 private:
  std::size_t rows() const { return problem_.model.observables.size(); }

  bool needs_score() const {
    return std::ranges::any_of(conjugates_, [](const model::Conjugate& conjugate) {
      return conjugate.unavailable.empty() && !conjugate.total().is_number(0);
    });
  }

  void prepare_columns() {
    Jacobian& jacobian = result_.jacobian;
    for (std::size_t j = 0; j < problem_.parameters.size(); ++j) {
      Column column{.parameter = problem_.parameters[j], .method = "gfdt", .step = 0, .remark = {}};
      const bool direct = std::ranges::any_of(terms_, [&](const DirectTerm& term) { return term.parameter == j; });
      if (!conjugates_[j].unavailable.empty())
        column.remark = conjugates_[j].unavailable;
      else if (conjugates_[j].total().is_number(0))
        column.remark = direct ? "appears in observables only" : "appears nowhere: exactly zero";
      jacobian.columns.push_back(std::move(column));
    }
    jacobian.value.assign(rows() * jacobian.columns.size(), missing);
    jacobian.standard_error = jacobian.value;
    jacobian.score_error.assign(jacobian.value.size(), 0.0);
    result_.direct.resize(jacobian.value.size());
  }

  /// Statistics, and samples for the score where one is to be fitted.
  bool gather() {
    const simulate::Options& options = problem_.source.options();
    if (problem_.response.window && problem_.response.window->end > options.length / 2)
      throw Error(fmt::format(
          "The window ends at {:g}, and members are sampled for {:g}: give an earlier end, or a simulation.length of "
          "at least {:g}.",
          problem_.response.window->end, options.length, 2 * problem_.response.window->end));
    const bool fitted =
        !problem_.given && scoring::choose(problem_.model, problem_.score).method != scoring::Method::exact;
    if (fitted)
      collector_.emplace(problem_.model, options, (problem_.response.cross_fit ? 2 : 1) * problem_.score.samples);
    std::vector<simulate::Sink*> sinks;
    if (fitted) sinks.push_back(&*collector_);
    statistics_ = statistics::simulate_statistics(augmented_, problem_.source, control_, sinks, problem_.functions);
    Jacobian& jacobian = result_.jacobian;
    jacobian.findings = statistics_.findings;
    jacobian.simulated_time = statistics_.run.simulated_time;
    if (statistics_.observables.empty()) return false;
    jacobian.statistics.assign(statistics_.observables.begin(),
                               statistics_.observables.begin() + static_cast<std::ptrdiff_t>(rows()));
    for (std::size_t m = 0; m < rows(); ++m)
      for (std::size_t n = 0; n < rows(); ++n)
        jacobian.statistics_covariance.push_back(statistics_.mean_covariance[m * statistics_.observables.size() + n]);
    // Direct terms are no observables of the user's: what is wrong with one is said at its entry.
    for (statistics::Finding& finding : jacobian.findings) {
      if (finding.check == "variation") finding = statistics::variation(jacobian.statistics);
      if (finding.check == "definedness") finding = statistics::definedness(jacobian.statistics);
    }
    if (!jacobian.usable()) return false;
    memory_ = std::max(longest_memory(statistics_), options.sample_interval());
    const double lags = problem_.response.window ? problem_.response.window->end : first_lag * memory_;
    const auto cut = [&](double shortest) {
      return stretches_of(static_cast<std::size_t>(options.members), options.samples(),
                          static_cast<std::uint64_t>(std::ceil(shortest / options.sample_interval())));
    };
    stretches_ = cut(room_to_grow * lags_a_stretch * lags);
    if (stretches_.count() < fewest_units) {
      const std::size_t a_member = (fewest_units + stretches_.members - 1) / stretches_.members;
      stretches_.a_member = std::min(cut(lags_a_stretch * lags).a_member, a_member);
    }
    result_.stretches = stretches_;
    stretch_length_ = options.length / static_cast<double>(stretches_.a_member);
    return true;
  }

  bool find_scores() {
    if (problem_.given) {
      result_.score = *problem_.given;
    } else if (!collector_) {
      result_.score.name = scoring::name(scoring::Method::exact);
      result_.score.fits.push_back(scoring::fit_score(problem_.model, {}, problem_.score));
      result_.score.scores.fields.push_back(result_.score.fits[0].field);
    } else {
      result_.score = fit_scores(
          problem_.model, *collector_, {stretches_, problem_.source.options().length, memory_},
          {problem_.score, problem_.response.cross_fit, problem_.start, problem_.certificate_effort}, control_);
      collector_.reset();
    }
    Jacobian& jacobian = result_.jacobian;
    for (Column& column : jacobian.columns) column.method = fmt::format("gfdt ({})", result_.score.name);
    if (!result_.score.problem.empty()) {
      jacobian.findings.push_back({.check = "score", .passed = false, .verdict = result_.score.problem, .fatal = true});
      return false;
    }
    if (problem_.model.diffusion.empty() && problem_.score.whole_model) jacobian.findings.push_back(no_noise());
    for (statistics::Finding& finding : score_findings(result_.score)) jacobian.findings.push_back(std::move(finding));
    return true;
  }

  Signals::Strides strides() const {
    const simulate::Options& options = problem_.source.options();
    const double states = static_cast<double>(options.samples()) * options.members;
    const double wanted = problem_.response.samples
                              ? static_cast<double>(*problem_.response.samples)
                              : std::min(default_samples, default_components / problem_.model.dimension());
    const std::uint64_t stride = odd(states / wanted);
    // Odd multiples of each other, so that where one is evaluated the others before it are, at all places in a bin.
    const std::uint64_t diffusion =
        problem_.model.dimension() > most_cheap_dimension ? rarer_jacobians * stride : stride;
    return {stride, diffusion, (diffusion > stride ? 3 : comparison) * diffusion};
  }

  std::vector<double> references() const {
    std::vector<double> result;
    for (std::size_t m = 0; m < rows(); ++m) result.push_back(statistics_.observables[m].mean);
    // Watched are the mean and the mean square of every state.
    for (std::size_t i = 0; i < problem_.model.states.size(); ++i) result.push_back(statistics_.watched[2 * i].mean);
    return result;
  }

  /// Polynomials to correct the conjugates by, where they are wanted and the run is long enough for them.
  std::shared_ptr<const Basis> basis(int lanes) const {
    const simulate::Options& options = problem_.source.options();
    const bool wanted =
        problem_.response.correction.value_or(result_.score.name != scoring::name(scoring::Method::gaussian));
    if (!wanted) return nullptr;
    StateScale scale;
    for (std::size_t i = 0; i < problem_.model.states.size(); ++i) {
      const double mean = statistics_.watched[2 * i].mean, square = statistics_.watched[2 * i + 1].mean;
      scale.mean.push_back(mean);
      scale.std.push_back(std::sqrt(std::max(0.0, square - mean * mean)));
    }
    std::vector<std::string> names = problem_.parameters;
    for (std::size_t j = 0; j < names.size(); ++j)
      if (!conjugates_[j].unavailable.empty()) names[j].clear();
    return make_basis(problem_.model, names, options.members * options.length / (2 * memory_), scale, options.backend,
                      lanes);
  }

  void correlate() {
    const simulate::Options& options = problem_.source.options();
    const int lanes = kernel::block_lanes(options.backend, problem_.model.dimension());
    result_.strides = strides();
    result_.basis = basis(lanes);
    const Signals signals(problem_.model, conjugates_, result_.score.scores, result_.strides, references(),
                          options.backend, lanes, result_.basis, problem_.functions);
    std::vector<Entry> entries;
    for (const ConjugateGroup& group : signals.groups())
      for (std::size_t i = 0; i < group.parameters.size() && group.kind != Kind::difference; ++i)
        for (std::size_t m = 0; m < rows(); ++m)
          entries.push_back(
              {static_cast<int>(m) + 1, group.first_row + 1 + static_cast<int>(i), group.first_row,
               fmt::format("∂<{}>/∂{}", problem_.model.observables[m].name, problem_.parameters[group.parameters[i]])});
    const PassOptions passing{.window = problem_.response.window,
                              .first_lag = first_lag * memory_,
                              .longest_lag = stretch_length_ / lags_a_stretch};
    const ResponsePass pass =
        response_pass(problem_.source, signals, stretches_, later_names(problem_.model), entries, passing, control_);
    result_.passes = pass.passes;
    result_.response_seconds = pass.run.wall_seconds;
    Jacobian& jacobian = result_.jacobian;
    jacobian.simulated_time += pass.simulated_time;
    if (pass.run.status != simulate::Status::done) {
      jacobian.findings.push_back(
          {.check = "completion", .passed = false, .verdict = pass.run.explanation, .fatal = true});
      return;
    }
    for (statistics::Finding& finding :
         window_findings(pass, stretches_, options.length, problem_.response.window.has_value()))
      jacobian.findings.push_back(std::move(finding));
    jacobian.window = pass.window;
    jacobian.degrees_of_freedom = pass.correlations->degrees_of_freedom();
    fill(signals, *pass.correlations, window_weights(pass.correlations->bins(), pass.window));
  }

  void fill(const Signals& signals, const Correlations& correlations, const Weights& weights) {
    const Responses responses(signals, correlations);
    for (const ConjugateGroup& group : signals.groups())
      if (group.kind == Kind::drift || group.kind == Kind::diffusion)
        fill(group, responses, correlations.bins(), weights);
    for (const ConjugateGroup& group : signals.groups())
      if (group.kind == Kind::difference) add_score_error(group, responses, weights);
    fill_exact_entries();
  }

  /// Columns that are zero but for direct terms, and those terms.
  void fill_exact_entries() {
    Jacobian& jacobian = result_.jacobian;
    for (std::size_t j = 0; j < jacobian.columns.size(); ++j)
      if (conjugates_[j].unavailable.empty() && conjugates_[j].total().is_number(0))
        for (std::size_t m = 0; m < rows(); ++m)
          jacobian.value[jacobian.at(m, j)] = jacobian.standard_error[jacobian.at(m, j)] = 0;
    add_direct_terms();
  }

  void fill(const ConjugateGroup& group, const Responses& responses, const LagBins& bins, const Weights& weights) {
    Jacobian& jacobian = result_.jacobian;
    StepResponses& steps = result_.steps;
    steps.of_entry.resize(jacobian.value.size());
    steps.kernel_of_entry.resize(jacobian.value.size());
    steps.time.clear();
    for (std::size_t node = 0; node < bins.nodes(); ++node)
      steps.time.push_back(static_cast<double>(node) * bins.width());
    for (std::size_t m = 0; m < rows(); ++m) {
      const int later = static_cast<int>(m) + 1;
      for (std::size_t i = 0; i < group.parameters.size(); ++i) {
        const LagCorrelation kernel = responses.between(later, group, i);
        const Estimate entry = kernel.integral(weights);
        const std::size_t at = jacobian.at(m, group.parameters[i]);
        jacobian.value[at] = entry.value;
        jacobian.standard_error[at] = entry.standard_error;
        for (std::size_t node = 0; node < bins.nodes(); ++node) {
          steps.of_entry[at].push_back(kernel.integral(step_weights(bins, node)));
          steps.kernel_of_entry[at].push_back(kernel.integral(kernel_weights(bins, node)));
        }
      }
    }
  }

  void add_score_error(const ConjugateGroup& group, const Responses& responses, const Weights& weights) {
    Jacobian& jacobian = result_.jacobian;
    for (std::size_t m = 0; m < rows(); ++m)
      for (std::size_t i = 0; i < group.parameters.size(); ++i) {
        const Estimate difference = responses.between(static_cast<int>(m) + 1, group, i).integral(weights);
        const std::size_t at = jacobian.at(m, group.parameters[i]);
        jacobian.score_error[at] = response::score_error(difference);
        jacobian.standard_error[at] = std::hypot(jacobian.standard_error[at], jacobian.score_error[at]);
      }
  }

  void add_direct_terms() {
    Jacobian& jacobian = result_.jacobian;
    std::size_t next = rows();
    for (const DirectTerm& term : terms_) {
      const std::size_t at = jacobian.at(term.observable, term.parameter);
      if (!term.unavailable.empty()) {
        jacobian.value[at] = jacobian.standard_error[at] = missing;
        result_.direct[at] = {missing, missing};
        std::string& remark = jacobian.columns[term.parameter].remark;
        remark += fmt::format("{}no entry for {}: {}", remark.empty() ? "" : "; ",
                              problem_.model.observables[term.observable].name, term.unavailable);
        continue;
      }
      const statistics::Average& average = statistics_.observables[next++];
      result_.direct[at] = {average.mean, average.standard_error};
      jacobian.value[at] += average.mean;
      jacobian.standard_error[at] = std::hypot(jacobian.standard_error[at], average.standard_error);
    }
  }

  const GfdtProblem& problem_;
  const simulate::Control& control_;
  std::vector<DirectTerm> terms_;
  model::Model augmented_;
  std::vector<model::Conjugate> conjugates_;
  std::optional<scoring::SampleCollector> collector_;
  EnsembleStatistics statistics_;
  double memory_ = 0, stretch_length_ = 0;
  Stretches stretches_;
  GfdtJacobian result_;
};

}  // namespace

GfdtJacobian gfdt_jacobian(const GfdtProblem& problem, const simulate::Control& control) {
  if (const std::string wrong = problem.response.problem(); !wrong.empty()) throw Error(wrong);
  if (problem.model.observables.empty())
    throw Error("The model has no observables: there is nothing to differentiate.");
  if (problem.parameters.empty()) throw Error("No parameter is named: there is nothing to differentiate by.");
  return Estimation(problem, control).run();
}

}  // namespace gfdt::response
