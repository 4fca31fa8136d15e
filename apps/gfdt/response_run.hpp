#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "gfdt/response/forcing.hpp"
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

std::vector<std::string> parameter_names(const model::Model& model);
std::vector<std::string> observable_names(const model::Model& model);
/// The change that is asked for: a step unless it is a series.
response::Forcing forcing_of(const ResponseCommand& command);

struct ResponseOutcome {
  nlohmann::ordered_json json;
  std::vector<statistics::Finding> findings;
  double simulated_time = 0;
};

/// The two kinds of responses. Tables are printed, for those that want them, once `bar` is off the screen.
ResponseOutcome stationary_response(const ResponseCommand& command, const io::Problem& problem,
                                    const simulate::Control& control, ProgressBar& bar);
ResponseOutcome transient_response(const ResponseCommand& command, const io::Problem& problem,
                                   const simulate::Control& control, ProgressBar& bar);

}  // namespace gfdt::app
