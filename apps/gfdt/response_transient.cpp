#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gfdt/core/error.hpp"
#include "gfdt/response/perturbed_ensemble.hpp"
#include "gfdt/response/two_time.hpp"
#include "response_run.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using response::Forcing;
using response::TwoTimeKernels;

class TransientResponse {
 public:
  TransientResponse(const ResponseCommand& command, const io::Problem& problem, const simulate::Control& control)
      : command_(command), problem_(problem), control_(control), forcing_(forcing_of(command)) {}

  ResponseOutcome run(ProgressBar& bar) {
    const bool single = !command_.parameter.empty();
    parameters_ = single ? std::vector<std::string>{command_.parameter} : parameter_names(problem_.model);
    simulation_ = problem_.simulation;
    if (command_.until)
      simulation_.length = *command_.until;
    else if (!command_.forcing.empty())
      simulation_.length = forcing_.time().back();
    kernels_ = response::two_time_kernels(
        {.model = problem_.model, .simulation = simulation_, .parameters = parameters_, .score = score_options()},
        control_);
    outcome_.findings = kernels_.findings;
    outcome_.simulated_time = kernels_.run.simulated_time;
    auto& json = outcome_.json;
    json["status"] = kernels_.usable() ? "done" : "failed";
    json["observables"] = observable_names(problem_.model);
    if (kernels_.usable()) {
      note_missing(outcome_, parameters_, kernels_.missing);
      json["time"] = kernels_.time;
      json["score"] = kernels_.score;
      put(json, "mean", kernels_.mean);
      single ? one_parameter(bar) : all_parameters(bar);
    }
    bar.clear();
    return std::move(outcome_);
  }

 private:
  scoring::Options score_options() const {
    scoring::Options score = problem_.score;
    score.seed = simulation_.seed;
    score.threads = simulation_.threads;
    if (command_.score.empty()) return score;
    const std::optional<scoring::Method> method = scoring::method_named(command_.score);
    if (!method)
      throw Error(fmt::format("'{}' is not a method: scores of a law that changes in time are fitted at every time.",
                              command_.score));
    score.method = *method;
    return score;
  }

  void one_parameter(ProgressBar& bar) {
    ResponseCurves curves{.observables = observable_names(problem_.model),
                          .parameter = command_.parameter,
                          .step = problem_.simulation.dt,
                          .time = kernels_.time,
                          .forcing = {},
                          .response = {},
                          .check = {}};
    for (const double t : kernels_.time) curves.forcing.push_back(forcing_.at(t));
    const std::size_t times = kernels_.time.size();
    std::vector<std::vector<std::vector<Estimate>>> kernel;  // [observable][t][s], as far as s = t
    std::vector<std::vector<Estimate>> step;
    for (std::size_t m = 0; m < curves.observables.size(); ++m) {
      curves.response.push_back(kernels_.forced_response(m, 0, forcing_));
      step.push_back(kernels_.forced_response(m, 0, Forcing::step(1)));
      kernel.emplace_back(times);
      for (std::size_t t = 0; t < times; ++t)
        for (std::size_t s = 0; s <= t; ++s) kernel[m][t].push_back(kernels_.kernel(m, 0, t, s));
    }
    if (command_.check && kernels_.missing[0].empty()) run_check(curves);
    auto& json = outcome_.json;
    json["parameter"] = curves.parameter;
    json["forcing"] = curves.forcing;
    put(json, "response", curves.response);
    put(json, "step_response", step);
    put(json, "kernel", kernel);
    if (!curves.check.empty()) put(json, "check", curves.check);
    bar.clear();
    if (command_.common.talks()) print(command_.common.text(), curves);
  }

  void run_check(ResponseCurves& curves) {
    const int steps = static_cast<int>(std::llround(kernels_.time[1] / simulation_.dt));
    const response::PerturbedEnsemble found =
        response::perturbed_ensemble(problem_.model, simulation_, command_.parameter, forcing_,
                                     {.until = kernels_.time.back(),
                                      .steps = steps,
                                      .budget = simulation_.members * simulation_.length,
                                      .longest_burn_in = 0},
                                     control_);
    std::vector<Estimate> at_start;
    for (const auto& response : curves.response) at_start.push_back(response[0].value == 0 ? Estimate{} : no_estimate);
    compare(outcome_, curves, found, at_start);
  }

  void all_parameters(ProgressBar& bar) {
    std::vector<std::vector<std::vector<Estimate>>> step;
    std::vector<std::string> heading{"step response"};
    for (const std::string& name : parameters_) heading.push_back("per " + name);
    Table table(heading);
    for (std::size_t m = 0; m < problem_.model.observables.size(); ++m) {
      step.emplace_back();
      std::vector<std::string> row{"<" + problem_.model.observables[m].name + ">"};
      for (std::size_t j = 0; j < parameters_.size(); ++j) {
        step[m].push_back(kernels_.forced_response(m, j, Forcing::step(1)));
        const Estimate& last = step[m].back().back();
        row.push_back(kernels_.missing[j].empty() ? with_error(last.value, last.standard_error) : "–");
      }
      table.add(row);
    }
    outcome_.json["parameters"] = parameters_;
    put(outcome_.json, "step_response", step);
    bar.clear();
    if (!command_.common.talks()) return;
    table.print(command_.common.text());
    fmt::print(command_.common.text(), "\n  at time {:.4g} after a step of size 1 at the start, to first order\n",
               kernels_.time.back());
  }

  const ResponseCommand& command_;
  const io::Problem& problem_;
  const simulate::Control& control_;
  Forcing forcing_;
  simulate::Options simulation_;
  std::vector<std::string> parameters_;
  TwoTimeKernels kernels_;
  ResponseOutcome outcome_;
};

}  // namespace

ResponseOutcome transient_response(const ResponseCommand& command, const io::Problem& problem,
                                   const simulate::Control& control, ProgressBar& bar) {
  return TransientResponse(command, problem, control).run(bar);
}

}  // namespace gfdt::app
