#include "gfdt/response/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/jacobian/correlation/lag_spectra.hpp"
#include "gfdt/jacobian/correlation/response_sink.hpp"
#include "gfdt/jacobian/remainder/responses.hpp"

namespace gfdt::response {
namespace {

using Kind = jacobian::ConjugateGroup::Kind;

/// The group of conjugates of a parameter and its index there; null if it has none.
struct Place {
  const jacobian::ConjugateGroup* group = nullptr;
  std::size_t i = 0;
};

Place place_of(const jacobian::Signals& signals, std::size_t parameter, bool difference) {
  for (const jacobian::ConjugateGroup& group : signals.groups()) {
    if ((group.kind == Kind::difference) != difference) continue;
    const auto found = std::ranges::find(group.parameters, parameter);
    if (found != group.parameters.end()) return {&group, static_cast<std::size_t>(found - group.parameters.begin())};
  }
  return {};
}

}  // namespace

Kernel::Part Kernel::part_of(const jacobian::LagBins& bins, const jacobian::LagCorrelation& correlation) {
  Part part{correlation.groups, bins.width(), correlation.value, correlation.influence};
  for (std::size_t node = 0; node < bins.nodes(); ++node) {
    // A hat function has the area of a bin; the half hat of the first node has half of that.
    const double area = node == 0 ? bins.samples / 2.0 : bins.samples;
    part.value[node] /= area;
    for (std::size_t i = 0; i < part.groups; ++i) part.influence[node * part.groups + i] /= area;
  }
  return part;
}

Kernel::Kernel(const jacobian::LagBins& bins, const jacobian::LagCorrelation& kernel,
               const jacobian::LagCorrelation* difference)
    : kernel_(part_of(bins, kernel)) {
  if (difference) difference_ = part_of(bins, *difference);
}

void Kernel::Total::add(const Part& part, std::size_t node, double weight) {
  if (part.groups == 0) return;
  influence.resize(part.groups, 0.0);
  value += weight * part.value[node];
  const double* from = part.influence.data() + node * part.groups;
  for (std::size_t i = 0; i < part.groups; ++i) influence[i] += weight * from[i];
}

jacobian::Estimate Kernel::Total::estimate() const {
  if (influence.empty()) return {value, 0};
  return {value, jacobian::spread(influence)};
}

jacobian::Estimate Kernel::combine(const Total& kernel, const Total& difference) const {
  jacobian::Estimate result = kernel.estimate();
  result.standard_error = std::hypot(result.standard_error, jacobian::score_error(difference.estimate()));
  return result;
}

jacobian::Estimate Kernel::sum(const jacobian::Weights& weights) const {
  Total kernel, difference;
  for (std::size_t node = 0; node < std::min(weights.size(), kernel_.value.size()); ++node) {
    if (weights[node] == 0) continue;
    kernel.add(kernel_, node, weights[node]);
    difference.add(difference_, node, weights[node]);
  }
  return combine(kernel, difference);
}

std::vector<jacobian::Estimate> Kernel::values() const {
  std::vector<jacobian::Estimate> result;
  for (std::size_t node = 0; node < kernel_.value.size(); ++node) {
    Total kernel, difference;
    kernel.add(kernel_, node, 1);
    difference.add(difference_, node, 1);
    result.push_back(combine(kernel, difference));
  }
  return result;
}

std::vector<jacobian::Estimate> Kernel::step_response() const {
  std::vector<jacobian::Estimate> result;
  Total kernel, difference;
  for (std::size_t node = 0; node < kernel_.value.size(); ++node) {
    for (const std::size_t end : {node - 1, node}) {
      if (node == 0) continue;
      kernel.add(kernel_, end, kernel_.interval / 2);
      difference.add(difference_, end, kernel_.interval / 2);
    }
    result.push_back(combine(kernel, difference));
  }
  return result;
}

Kernels response_kernels(const jacobian::GfdtProblem& problem, const KernelOptions& options,
                         const simulate::Control& control) {
  const Stopwatch watch;
  if (options.longest_lag && !(std::isfinite(*options.longest_lag) && *options.longest_lag > 0))
    throw Error(fmt::format("The longest lag is {:g}; it must be positive.", *options.longest_lag));
  Kernels result;
  result.long_run = jacobian::gfdt_jacobian(problem, control);
  jacobian::Jacobian& jacobian = result.long_run.jacobian;
  const auto finish = [&] {
    result.wall_seconds = watch.seconds();
    return std::move(result);
  };
  if (!jacobian.usable()) return finish();

  const simulate::Options& simulation = problem.source.options();
  const jacobian::Segments& segments = result.long_run.segments;
  const double segment = simulation.length / static_cast<double>(segments.per_member);
  const double window =
      jacobian.window ? jacobian.window->end : simulation.sample_interval();  // if there is no window, nothing responds
  const double decayed = std::min(window, options.at_most.value_or(window));
  const double longest = options.longest_lag.value_or(decayed);
  if (longest > segment / 2)
    throw Error(fmt::format(
        "Lags up to {:g} are asked for, and the run is correlated in segments of {:g}: make simulation.length at "
        "least {:g}.",
        longest, segment, simulation.length * 2 * longest / segment));
  std::vector<symbolic::Conjugate> conjugates;
  for (const std::string& name : problem.parameters) conjugates.push_back(symbolic::conjugate(problem.model, name));
  std::vector<double> references;
  for (const statistics::Average& average : jacobian.statistics) references.push_back(average.mean);
  references.resize(references.size() + problem.model.states.size(), 0.0);
  const jacobian::Signals signals(
      problem.model, conjugates, result.long_run.score.scores, result.long_run.strides, references, simulation.backend,
      codegen::block_lanes(simulation.backend, problem.model.dimension()), result.long_run.basis, problem.functions);
  const jacobian::LagBins bins = jacobian::fine_bins_reaching(longest, simulation.sample_interval(), signals.shape());
  jacobian::ResponseSink sink(signals, bins, segments, jacobian::Multiplication::transforms);
  simulate::Sink* const sinks[] = {&sink};
  const bool any = signals.shape().earlier > 0;  // otherwise nothing responds
  if (any) result.run = problem.source.run(sinks, control);
  jacobian.simulated_time += result.run.simulated_time;
  if (result.run.status != simulate::Status::done) {
    jacobian.diagnostics.push_back(
        {.check = Check::completion, .verdict = Verdict::failed, .text = result.run.explanation});
    return finish();
  }

  result.interval = bins.width();
  result.averaged = bins.samples;
  for (std::size_t node = 0; node < bins.nodes(); ++node)
    result.time.push_back(static_cast<double>(node) * bins.width());
  result.of_entry.resize(jacobian.value.size());
  result.missing.resize(problem.parameters.size());
  for (std::size_t j = 0; j < problem.parameters.size(); ++j) result.missing[j] = conjugates[j].unavailable;
  if (!any) return finish();
  const jacobian::Correlations correlations(signals.shape(), bins, sink.groups());
  const jacobian::Responses responses(signals, correlations);
  for (std::size_t j = 0; j < problem.parameters.size(); ++j) {
    const Place of = place_of(signals, j, false), other = place_of(signals, j, true);
    if (!of.group) continue;
    for (std::size_t m = 0; m < jacobian.rows(); ++m) {
      const int later = static_cast<int>(m) + 1;
      std::optional<jacobian::LagCorrelation> difference;
      if (other.group) difference = responses.between(later, *other.group, other.i);
      result.of_entry[result.at(m, j)] =
          Kernel(bins, responses.between(later, *of.group, of.i), difference ? &*difference : nullptr);
    }
  }
  return finish();
}

}  // namespace gfdt::response
