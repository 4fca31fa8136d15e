#pragma once

#include "gfdt/api/response_task.hpp"
#include "gfdt/response/perturbed_ensemble.hpp"

namespace gfdt::api {

/// The two kinds of responses.
ResponseResult stationary_response(const ResponseRequest& request, const problem::Problem& problem,
                                   const simulate::Control& control);
ResponseResult transient_response(const ResponseRequest& request, const problem::Problem& problem,
                                  const simulate::Control& control);

std::vector<std::string> parameter_names(const symbolic::Model& model);
std::vector<std::string> observable_names(const symbolic::Model& model);

/// Says which parameters have no response, and why; fatal where there is no other.
void note_missing(ResponseResult& result, const std::vector<std::string>& parameters,
                  const std::vector<std::string>& missing);
/// Puts a perturbed ensemble beside the curves, `at_start` being known of each observable at time 0, and says whether
/// they agree.
void compare(ResponseResult& result, ResponseCurves& curves, const response::PerturbedEnsemble& ensemble,
             const std::vector<Estimate>& at_start);

}  // namespace gfdt::api
