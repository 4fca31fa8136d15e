#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "gfdt/response/forcing.hpp"
#include "gfdt/response/perturbed_ensemble.hpp"
#include "progress_bar.hpp"
#include "response_output.hpp"

namespace gfdt::app {

struct ResponseCommand {
  CommonOptions common;
  std::string parameter;  ///< empty: all
  std::optional<double> size;
  std::string forcing;
  std::optional<double> until;
  std::string score;  ///< a method or a file
  std::string trajectory;
  bool transient = false;
  bool check = false;
};

/// The change that is asked for: a step unless it is a series.
response::Forcing forcing_of(const ResponseCommand& command);

struct ResponseOutcome {
  nlohmann::ordered_json json;
  std::vector<statistics::Finding> findings;
  double simulated_time = 0;
};

/// Says which parameters have no response, and why; fatal where there is no other.
void note_missing(ResponseOutcome& outcome, const std::vector<std::string>& parameters,
                  const std::vector<std::string>& missing);
/// Puts a perturbed ensemble beside the curves, `at_start` being known of each observable at time 0, and says whether
/// they agree.
void compare(ResponseOutcome& outcome, ResponseCurves& curves, const response::PerturbedEnsemble& ensemble,
             const std::vector<Estimate>& at_start);

inline const Estimate no_estimate{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};

/// The two kinds of responses. Tables are printed, for those that want them, once `bar` is off the screen.
ResponseOutcome stationary_response(const ResponseCommand& command, const io::Problem& problem,
                                    const simulate::Control& control, ProgressBar& bar);
ResponseOutcome transient_response(const ResponseCommand& command, const io::Problem& problem,
                                   const simulate::Control& control, ProgressBar& bar);

}  // namespace gfdt::app
