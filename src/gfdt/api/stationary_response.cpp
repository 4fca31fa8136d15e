#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gfdt/api/jacobian_task.hpp"
#include "gfdt/api/response_kinds.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/response/kernels.hpp"
#include "gfdt/response/perturbed_ensemble.hpp"

namespace gfdt::api {
namespace {

using response::Forcing;
using response::Kernels;

/// Approximate upper limit of the number of times at which responses are given.
constexpr std::size_t most_times = 200;
/// Longest burn-in of perturbed ensembles, in windows: by then the initial state is forgotten.
constexpr double burn_in_windows = 2;

void check_until(std::optional<double> until, const simulate::Options& simulation) {
  if (until && *until > simulation.length)
    throw Error(
        fmt::format("Responses are asked for until {:g}, and members are sampled for {:g}: make "
                    "simulation.length at least {:g}.",
                    *until, simulation.length, *until));
}

/// Every n-th node of the kernels, continued with the same spacing to the end.
struct Grid {
  std::vector<double> time;
  std::size_t stride = 1;  ///< in nodes
};

Grid grid_of(const Kernels& kernels, double until) {
  Grid grid;
  const auto nodes = static_cast<std::size_t>(std::max(1.0, std::floor(until / kernels.interval + 1e-6)));
  grid.stride = (nodes + most_times - 1) / most_times;
  for (std::size_t node = 0; node <= nodes; node += grid.stride)
    grid.time.push_back(static_cast<double>(node) * kernels.interval);
  return grid;
}

/// The curve at the times of a grid; zero or constant beyond its last node.
std::vector<Estimate> thinned(const std::vector<Estimate>& curve, const Grid& grid, bool constant_beyond) {
  std::vector<Estimate> result(grid.time.size());
  for (std::size_t i = 0; i < grid.time.size() && !curve.empty(); ++i)
    if (i * grid.stride < curve.size())
      result[i] = curve[i * grid.stride];
    else if (constant_beyond)
      result[i] = curve.back();
  return result;
}

class StationaryResponse {
 public:
  StationaryResponse(const ResponseRequest& request, const problem::Problem& problem, const simulate::Control& control)
      : request_(request), problem_(problem), control_(control), forcing_(request.forcing()) {}

  ResponseResult run() {
    const bool single = !request_.parameter.empty();
    const std::unique_ptr<JacobianTask> task =
        api::jacobian_task(problem_, single ? std::vector<std::string>{request_.parameter} : std::vector<std::string>{},
                           request_.trajectory, {{}, control_.cancellation});
    task->functions = request_.functions;
    parameters_ = task->parameters;
    std::optional<double> until = request_.until;
    if (!until && request_.series) until = forcing_.time().back();
    check_until(until, task->source->options());
    const JacobianMethod method =
        request_.given ? request_.given(*task)
                       : api::jacobian_method(problem_, jacobian::name(jacobian::Method::gfdt), request_.score);
    if (method.method != jacobian::Method::gfdt)
      throw Error("Responses in time are made of a score: --score takes a method of scores or a score file.");
    kernels_ = response::response_kernels(api::gfdt_problem(*task, method), {.at_most = until}, control_);
    result_.diagnostics = kernels_.long_run.jacobian.diagnostics;
    result_.simulated_time = kernels_.long_run.jacobian.simulated_time;
    result_.json()["status"] = kernels_.usable() ? "done" : "failed";
    result_.json()["observables"] = observable_names(problem_.model);
    if (!kernels_.usable()) return std::move(result_);
    grid_ = grid_of(kernels_, until.value_or(kernels_.longest_lag()));
    single ? one_parameter() : all_parameters();
    return std::move(result_);
  }

 private:
  std::vector<Estimate> kernel_curve(std::size_t m, std::size_t j) const {
    if (!kernels_.missing[j].empty()) return std::vector<Estimate>(grid_.time.size(), no_estimate);
    return thinned(kernels_.of_entry[kernels_.at(m, j)].values(), grid_, false);
  }
  std::vector<Estimate> step_curve(std::size_t m, std::size_t j) const {
    if (!kernels_.missing[j].empty()) return std::vector<Estimate>(grid_.time.size(), no_estimate);
    return thinned(kernels_.of_entry[kernels_.at(m, j)].step_response(), grid_, true);
  }

  void describe_kernels() {
    auto& json = result_.json();
    const std::optional<jacobian::Window>& window = kernels_.long_run.jacobian.window;  // empty if nothing responds
    json["window"] = window ? nlohmann::ordered_json{window->start, window->end} : nlohmann::ordered_json();
    json["longest_lag"] = kernels_.longest_lag();
    json["score"] = kernels_.long_run.score.origin ? kernels_.long_run.score.origin->name() : "";
    json["kernel_averaged_over"] = kernels_.averaged > 1 ? kernels_.interval : 0.0;
  }

  void one_parameter() {
    ResponseCurves curves{.observables = observable_names(problem_.model),
                          .parameter = request_.parameter,
                          .step = problem_.simulation.dt,
                          .time = grid_.time,
                          .forcing = {},
                          .response = {},
                          .check = {}};
    for (const double t : grid_.time) curves.forcing.push_back(forcing_.at(t));
    std::vector<std::vector<Estimate>> kernel, step;
    for (std::size_t m = 0; m < curves.observables.size(); ++m) {
      curves.response.push_back(response::forced_response(kernels_, m, 0, forcing_, grid_.time));
      kernel.push_back(kernel_curve(m, 0));
      step.push_back(step_curve(m, 0));
    }
    note_missing(result_, parameters_, kernels_.missing);
    if (request_.check && kernels_.missing[0].empty()) run_check(curves);
    auto& json = result_.json();
    json["parameter"] = curves.parameter;
    json["time"] = curves.time;
    json["forcing"] = curves.forcing;
    put(json, "response", curves.response);
    put(json, "kernel", kernel);
    put(json, "step_response", step);
    if (!curves.check.empty()) put(json, "check", curves.check);
    describe_kernels();
    result_.curves = std::move(curves);
  }

  void run_check(ResponseCurves& curves) {
    const std::optional<jacobian::Window>& window = kernels_.long_run.jacobian.window;
    const simulate::Options& simulation = problem_.simulation;
    const response::PerturbedOptions options{
        .until = grid_.time.back(),
        .steps = static_cast<int>(grid_.stride) * kernels_.averaged * simulation.cadence,
        .budget = simulation.members * simulation.length,
        .longest_burn_in = window ? burn_in_windows * window->end : simulation.burn_in_time()};
    const response::PerturbedEnsemble found =
        response::perturbed_ensemble(problem_.model, simulation, request_.parameter, forcing_, options, control_);
    // The response at time 0 is zero except for a direct change of the observable.
    std::vector<Estimate> at_start;
    for (const Estimate& direct : kernels_.long_run.direct)
      at_start.push_back(direct.value != 0 ? no_estimate : Estimate{});
    compare(result_, curves, found, at_start);
  }

  void all_parameters() {
    std::vector<std::vector<std::vector<Estimate>>> kernel, step;
    LastResponses last{.parameters = parameters_, .response = {}, .time = grid_.time.back(), .transient = false};
    for (std::size_t m = 0; m < problem_.model.observables.size(); ++m) {
      kernel.emplace_back();
      step.emplace_back();
      std::vector<Estimate>& row = last.response.emplace_back();
      for (std::size_t j = 0; j < parameters_.size(); ++j) {
        kernel[m].push_back(kernel_curve(m, j));
        step[m].push_back(step_curve(m, j));
        row.push_back(kernels_.missing[j].empty()
                          ? response::forced_response(kernels_, m, j, Forcing::step(1), {grid_.time.back()})[0]
                          : no_estimate);
      }
    }
    note_missing(result_, parameters_, kernels_.missing);
    auto& json = result_.json();
    json["parameters"] = parameters_;
    json["time"] = grid_.time;
    put(json, "kernel", kernel);
    put(json, "step_response", step);
    describe_kernels();
    result_.last = std::move(last);
  }

  const ResponseRequest& request_;
  const problem::Problem& problem_;
  const simulate::Control& control_;
  Forcing forcing_;
  std::vector<std::string> parameters_;
  Kernels kernels_;
  Grid grid_;
  ResponseResult result_;
};

}  // namespace

ResponseResult stationary_response(const ResponseRequest& request, const problem::Problem& problem,
                                   const simulate::Control& control) {
  return StationaryResponse(request, problem, control).run();
}

}  // namespace gfdt::api
