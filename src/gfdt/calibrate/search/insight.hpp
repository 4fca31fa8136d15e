#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"
#include "gfdt/jacobian/correlation/score_account.hpp"

namespace gfdt::calibrate {

/// Details of the estimation of a Jacobian, for display; no result of a calibration depends on them.
struct Insight {
  std::vector<std::string> observables, parameters;  ///< of the entries of the step responses
  std::optional<jacobian::Window> window;
  jacobian::StepResponses steps;  ///< at no more than `most_times` times
  jacobian::ScoreAccount score;

  static constexpr std::size_t most_times = 100;
};

Insight insight_of(const jacobian::GfdtJacobian& found);

}  // namespace gfdt::calibrate
