#pragma once

#include "gfdt/api/response_task.hpp"
#include "gfdt/response/perturbed_ensemble.hpp"

namespace gfdt::api {

/// Stationary and transient responses.
ResponseResult stationary_response(const ResponseRequest& request, const problem::Problem& problem,
                                   const simulate::Control& control);
ResponseResult transient_response(const ResponseRequest& request, const problem::Problem& problem,
                                  const simulate::Control& control);

std::vector<std::string> parameter_names(const symbolic::Model& model);
std::vector<std::string> observable_names(const symbolic::Model& model);

/// Reports parameters without a response and the reasons; a failure if no parameter has one.
void note_missing(ResponseResult& result, const std::vector<std::string>& parameters,
                  const std::vector<std::string>& missing);
/// Adds a perturbed ensemble to the curves and a diagnostic of their agreement. `at_start` is the known response of
/// each observable at time 0.
void compare(ResponseResult& result, ResponseCurves& curves, const response::PerturbedEnsemble& ensemble,
             const std::vector<Estimate>& at_start);

}  // namespace gfdt::api
