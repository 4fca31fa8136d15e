#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/jacobian/correlation/response_pass.hpp"
#include "gfdt/jacobian/correlation/score_diagnostics.hpp"
#include "gfdt/jacobian/remainder/responses.hpp"
#include "gfdt/jacobian/selection/jacobian_filling.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::jacobian {
namespace {

using Kind = ConjugateGroup::Kind;
using statistics::EnsembleStatistics;

/// The two scores of a cross-fit are compared at one in this many of the states.
constexpr std::uint64_t comparison = 9;
/// In more dimensions score Jacobians cost an order of magnitude more than scores and are evaluated at fewer states.
constexpr int most_cheap_dimension = 8;
constexpr std::uint64_t rarer_jacobians = 9;
/// Default number of states at which scores are evaluated; smaller in many dimensions because of the cost.
constexpr double default_samples = 1e7, default_components = 3e7;

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
    for (const std::string& name : problem.parameters) {
      const symbolic::Conjugate& conjugate = conjugates_.emplace_back(symbolic::conjugate(problem.model, name));
      outlook_.push_back({conjugate.unavailable, conjugate.total().is_number(0)});
    }
  }

  GfdtJacobian run() {
    const Stopwatch watch;
    prepare(result_, rows(), problem_.parameters, {Method::gfdt}, outlook_, terms_);
    if (gather()) {
      result_.jacobian.declined = collector_ && problem_.wanted &&
                                  !problem_.wanted(result_.jacobian.statistics, result_.jacobian.statistics_covariance);
      if (result_.jacobian.declined)
        collector_.reset();
      else if (!needs_score())
        fill_exact_entries(result_, outlook_, terms_, statistics_);
      else if (find_scores())
        correlate();
    }
    widen_rare_rows(result_.jacobian);
    withhold_unsupported_rows(result_.jacobian);
    result_.jacobian.wall_seconds = watch.seconds();
    return std::move(result_);
  }

 private:
  std::size_t rows() const { return problem_.model.observables.size(); }

  bool needs_score() const {
    return std::ranges::any_of(outlook_,
                               [](const ColumnOutlook& column) { return column.unavailable.empty() && !column.zero; });
  }

  /// Collects the statistics, and samples for the score if it is to be fitted.
  bool gather() {
    const simulate::Options& options = problem_.source.options();
    check_window(problem_.response, options);
    const bool fitted = !problem_.given && score::choose(problem_.model, problem_.score).method != score::Method::exact;
    if (fitted)
      collector_.emplace(problem_.model, options, (problem_.response.cross_fit ? 2 : 1) * problem_.score.samples);
    std::vector<simulate::Sink*> sinks;
    if (fitted) sinks.push_back(&*collector_);
    statistics_ = statistics::simulate_statistics(augmented_, problem_.source, control_, sinks, problem_.functions);
    take_statistics(statistics_, rows(), options, result_.jacobian);
    if (!result_.jacobian.usable() || statistics_.observables.empty()) return false;
    memory_ = std::max(statistics_.longest_memory(), options.sample_interval());
    segments_ = cut(options, problem_.response.window ? problem_.response.window->end : first_lag * memory_);
    result_.segments = segments_;
    segment_length_ = options.length / static_cast<double>(segments_.per_member);
    return true;
  }

  bool find_scores() {
    if (problem_.given) {
      result_.score = *problem_.given;
    } else if (!collector_) {
      result_.score.origin = score::Origin{score::Method::exact};
      result_.score.fits.push_back(score::fit_score(problem_.model, {}, problem_.score));
      result_.score.scores.fields.push_back(result_.score.fits[0].field);
    } else {
      result_.score = fit_scores(
          problem_.model, *collector_, {segments_, problem_.source.options().length, memory_},
          {problem_.score, problem_.response.cross_fit, problem_.start, problem_.certificate_effort}, control_);
      collector_.reset();
    }
    Jacobian& jacobian = result_.jacobian;
    for (Column& column : jacobian.columns) column.method.score = result_.score.origin;
    if (!result_.score.problem.empty()) {
      jacobian.diagnostics.push_back(
          {.check = Check::score, .verdict = Verdict::failed, .text = result_.score.problem});
      return false;
    }
    if (problem_.model.diffusion.empty() && problem_.score.whole_model) jacobian.diagnostics.push_back(no_noise());
    for (Diagnostic& diagnostic : score_diagnostics(result_.score))
      jacobian.diagnostics.push_back(std::move(diagnostic));
    return true;
  }

  Signals::Strides strides() const {
    const simulate::Options& options = problem_.source.options();
    const double states = static_cast<double>(options.samples()) * options.members;
    const double wanted = problem_.response.samples
                              ? static_cast<double>(*problem_.response.samples)
                              : std::min(default_samples, default_components / problem_.model.dimension());
    const std::uint64_t stride = odd(states / wanted);
    // Odd multiples of each other: the samples of a longer stride are also samples of the shorter ones, and every
    // position within a bin occurs.
    const std::uint64_t diffusion =
        problem_.model.dimension() > most_cheap_dimension ? rarer_jacobians * stride : stride;
    return {stride, diffusion, (diffusion > stride ? 3 : comparison) * diffusion};
  }

  /// Polynomials that correct the conjugates, if requested and if the run is long enough.
  std::shared_ptr<const Basis> basis(int lanes) const {
    const simulate::Options& options = problem_.source.options();
    const bool wanted =
        problem_.response.correction.value_or(result_.score.origin != score::Origin{score::Method::gaussian});
    if (!wanted) return nullptr;
    StateScale scale;
    for (std::size_t i = 0; i < problem_.model.states.size(); ++i) {
      const double mean = statistics_.monitored[2 * i].mean, square = statistics_.monitored[2 * i + 1].mean;
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
    const int lanes = codegen::block_lanes(options.backend, problem_.model.dimension());
    result_.strides = strides();
    result_.basis = basis(lanes);
    const Signals signals(problem_.model, conjugates_, result_.score.scores, result_.strides,
                          references(statistics_, rows(), problem_.model.states.size()), options.backend, lanes,
                          result_.basis, problem_.functions);
    const std::vector<Entry> entries = entries_of(signals, problem_.model, problem_.parameters);
    const PassOptions passing{.window = problem_.response.window,
                              .first_lag = first_lag * memory_,
                              .longest_lag = segment_length_ / lags_per_segment,
                              .slowest = memory_,
                              .first_run = {}};
    const ResponsePass pass =
        response_pass(problem_.source, signals, segments_, later_names(problem_.model), entries, passing, control_);
    result_.passes = pass.passes;
    result_.response_seconds = pass.run.wall_seconds;
    Jacobian& jacobian = result_.jacobian;
    jacobian.simulated_time += pass.simulated_time;
    if (pass.run.status != simulate::Status::done) {
      jacobian.diagnostics.push_back(
          {.check = Check::completion, .verdict = Verdict::failed, .text = pass.run.explanation});
      return;
    }
    for (Diagnostic& diagnostic :
         window_diagnostics(pass, segments_, options.length, problem_.response.window.has_value()))
      jacobian.diagnostics.push_back(std::move(diagnostic));
    jacobian.window = pass.window;
    jacobian.degrees_of_freedom = pass.correlations->degrees_of_freedom();
    fill(signals, *pass.correlations, window_weights(pass.correlations->bins(), pass.window));
  }

  void fill(const Signals& signals, const Correlations& correlations, const Weights& weights) {
    const Responses responses(signals, correlations);
    for (const ConjugateGroup& group : signals.groups())
      if (group.kind == Kind::drift || group.kind == Kind::diffusion)
        for (std::size_t m = 0; m < rows(); ++m)
          for (std::size_t i = 0; i < group.parameters.size(); ++i)
            jacobian::fill(result_, result_.jacobian.at(m, group.parameters[i]),
                           responses.between(static_cast<int>(m) + 1, group, i), correlations.bins(), weights);
    for (const ConjugateGroup& group : signals.groups())
      if (group.kind == Kind::difference) add_score_error(group, responses, weights);
    fill_exact_entries(result_, outlook_, terms_, statistics_);
  }

  void add_score_error(const ConjugateGroup& group, const Responses& responses, const Weights& weights) {
    Jacobian& jacobian = result_.jacobian;
    for (std::size_t m = 0; m < rows(); ++m)
      for (std::size_t i = 0; i < group.parameters.size(); ++i) {
        const Estimate difference = responses.between(static_cast<int>(m) + 1, group, i).integral(weights);
        const std::size_t at = jacobian.at(m, group.parameters[i]);
        jacobian.score_error[at] = jacobian::score_error(difference);
        jacobian.standard_error[at] = std::hypot(jacobian.standard_error[at], jacobian.score_error[at]);
      }
  }

  const GfdtProblem& problem_;
  const simulate::Control& control_;
  std::vector<DirectTerm> terms_;
  symbolic::Model augmented_;
  std::vector<symbolic::Conjugate> conjugates_;
  std::vector<ColumnOutlook> outlook_;
  std::optional<score::SampleCollector> collector_;
  EnsembleStatistics statistics_;
  double memory_ = 0, segment_length_ = 0;
  Segments segments_;
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

}  // namespace gfdt::jacobian
