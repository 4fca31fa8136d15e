#include "gfdt/calibrate/search/insight.hpp"

namespace gfdt::calibrate {
namespace {

/// Keeps every n-th time and the last one.
jacobian::StepResponses thinned(const jacobian::StepResponses& steps, std::size_t most) {
  const std::size_t count = steps.time.size();
  if (count <= most) return steps;
  const std::size_t stride = (count - 1 + most - 2) / (most - 1);
  jacobian::StepResponses result;
  result.of_entry.resize(steps.of_entry.size());
  result.kernel_of_entry.resize(steps.kernel_of_entry.size());
  const auto keep = [&](std::size_t at) {
    result.time.push_back(steps.time[at]);
    for (const auto curves : {&jacobian::StepResponses::of_entry, &jacobian::StepResponses::kernel_of_entry})
      for (std::size_t entry = 0; entry < (steps.*curves).size(); ++entry)
        if (!(steps.*curves)[entry].empty()) (result.*curves)[entry].push_back((steps.*curves)[entry][at]);
  };
  std::size_t at = 0;
  for (; at + 1 < count; at += stride) keep(at);
  keep(count - 1);
  return result;
}

}  // namespace

Insight insight_of(const jacobian::GfdtJacobian& found) {
  Insight insight;
  for (const statistics::Average& average : found.jacobian.statistics) insight.observables.push_back(average.name);
  for (const jacobian::Column& column : found.jacobian.columns) insight.parameters.push_back(column.parameter);
  insight.window = found.jacobian.window;
  insight.steps = thinned(found.steps, Insight::most_times);
  insight.score = jacobian::account_of(found.score);
  return insight;
}

}  // namespace gfdt::calibrate
