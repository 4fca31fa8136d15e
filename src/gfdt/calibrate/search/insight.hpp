#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"
#include "gfdt/jacobian/correlation/score_account.hpp"

namespace gfdt::calibrate {

/// What a Jacobian was made from, for people to look at; no number of a calibration depends on it.
struct Insight {
  std::vector<std::string> observables, parameters;  ///< of the entries of the step responses
  std::optional<jacobian::Window> window;
  jacobian::StepResponses steps;  ///< at `most_times` times or fewer
  jacobian::ScoreAccount score;

  static constexpr std::size_t most_times = 100;
};

Insight insight_of(const jacobian::GfdtJacobian& found);

}  // namespace gfdt::calibrate
