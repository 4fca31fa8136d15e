#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gfdt/api/response_kinds.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/response/perturbed_ensemble.hpp"
#include "gfdt/response/two_time.hpp"

namespace gfdt::api {
namespace {

using response::Forcing;
using response::TwoTimeKernels;

class TransientResponse {
 public:
  TransientResponse(const ResponseRequest& request, const problem::Problem& problem, const simulate::Control& control)
      : request_(request), problem_(problem), control_(control), forcing_(request.forcing()) {}

  ResponseResult run() {
    const bool single = !request_.parameter.empty();
    parameters_ = single ? std::vector<std::string>{request_.parameter} : parameter_names(problem_.model);
    simulation_ = problem_.simulation;
    if (request_.until)
      simulation_.length = *request_.until;
    else if (request_.series)
      simulation_.length = forcing_.time().back();
    kernels_ = response::two_time_kernels(
        {.model = problem_.model, .simulation = simulation_, .parameters = parameters_, .score = score_options()},
        control_);
    result_.diagnostics = kernels_.diagnostics;
    result_.simulated_time = kernels_.run.simulated_time;
    auto& json = result_.json();
    json["status"] = kernels_.usable() ? "done" : "failed";
    json["observables"] = observable_names(problem_.model);
    if (kernels_.usable()) {
      note_missing(result_, parameters_, kernels_.missing);
      json["time"] = kernels_.time;
      json["score"] = kernels_.score;
      put(json, "mean", kernels_.mean);
      single ? one_parameter() : all_parameters();
    }
    return std::move(result_);
  }

 private:
  score::Options score_options() const {
    score::Options score = problem_.score;
    score.seed = simulation_.seed;
    score.threads = simulation_.threads;
    score.device = simulation_.backend == codegen::Backend::cuda;
    if (request_.given)
      throw Error("Scores of a distribution that changes in time are fitted at every time: name a method of scores.");
    if (request_.score.empty()) return score;
    const std::optional<score::Method> method = score::method_named(request_.score);
    if (!method)
      throw Error(
          fmt::format("'{}' is not a method: scores of a distribution that changes in time are fitted at every time.",
                      request_.score));
    score.method = *method;
    return score;
  }

  void one_parameter() {
    ResponseCurves curves{.observables = observable_names(problem_.model),
                          .parameter = request_.parameter,
                          .step = problem_.simulation.dt,
                          .time = kernels_.time,
                          .forcing = {},
                          .response = {},
                          .check = {}};
    for (const double t : kernels_.time) curves.forcing.push_back(forcing_.at(t));
    const std::size_t times = kernels_.time.size();
    std::vector<std::vector<std::vector<Estimate>>> kernel;  // [observable][t][s], for s ≤ t
    std::vector<std::vector<Estimate>> step;
    for (std::size_t m = 0; m < curves.observables.size(); ++m) {
      curves.response.push_back(kernels_.forced_response(m, 0, forcing_));
      step.push_back(kernels_.forced_response(m, 0, Forcing::step(1)));
      kernel.emplace_back(times);
      for (std::size_t t = 0; t < times; ++t)
        for (std::size_t s = 0; s <= t; ++s) kernel[m][t].push_back(kernels_.kernel(m, 0, t, s));
    }
    if (request_.check && kernels_.missing[0].empty()) run_check(curves);
    auto& json = result_.json();
    json["parameter"] = curves.parameter;
    json["forcing"] = curves.forcing;
    put(json, "response", curves.response);
    put(json, "step_response", step);
    put(json, "kernel", kernel);
    if (!curves.check.empty()) put(json, "check", curves.check);
    result_.curves = std::move(curves);
  }

  void run_check(ResponseCurves& curves) {
    const int steps = static_cast<int>(std::llround(kernels_.time[1] / simulation_.dt));
    const response::PerturbedEnsemble found =
        response::perturbed_ensemble(problem_.model, simulation_, request_.parameter, forcing_,
                                     {.until = kernels_.time.back(),
                                      .steps = steps,
                                      .budget = simulation_.members * simulation_.length,
                                      .longest_burn_in = 0},
                                     control_);
    std::vector<Estimate> at_start;
    for (const auto& response : curves.response) at_start.push_back(response[0].value == 0 ? Estimate{} : no_estimate);
    compare(result_, curves, found, at_start);
  }

  void all_parameters() {
    std::vector<std::vector<std::vector<Estimate>>> step;
    LastResponses last{.parameters = parameters_, .response = {}, .time = kernels_.time.back(), .transient = true};
    for (std::size_t m = 0; m < problem_.model.observables.size(); ++m) {
      step.emplace_back();
      std::vector<Estimate>& row = last.response.emplace_back();
      for (std::size_t j = 0; j < parameters_.size(); ++j) {
        step[m].push_back(kernels_.forced_response(m, j, Forcing::step(1)));
        row.push_back(kernels_.missing[j].empty() ? step[m].back().back() : no_estimate);
      }
    }
    result_.json()["parameters"] = parameters_;
    put(result_.json(), "step_response", step);
    result_.last = std::move(last);
  }

  const ResponseRequest& request_;
  const problem::Problem& problem_;
  const simulate::Control& control_;
  Forcing forcing_;
  simulate::Options simulation_;
  std::vector<std::string> parameters_;
  TwoTimeKernels kernels_;
  ResponseResult result_;
};

}  // namespace

ResponseResult transient_response(const ResponseRequest& request, const problem::Problem& problem,
                                  const simulate::Control& control) {
  return TransientResponse(request, problem, control).run();
}

}  // namespace gfdt::api
