#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/api/jacobian_task.hpp"
#include "gfdt/api/response_curves.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/response/forcing.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::api {

/// A request for responses as functions of time.
struct ResponseRequest {
  std::string parameter;                    ///< the parameter that changes; if empty, kernels of all parameters are
                                            ///< computed
  std::optional<double> size;               ///< height of a step at time 0; default 1
  std::optional<response::Forcing> series;  ///< forcing used instead of a step
  std::optional<double> until;              ///< the last time
  std::string score;                        ///< a method or a file; if empty, that of the problem
  /// Provides a given score instead of `score`; may be empty.
  std::function<JacobianMethod(const JacobianTask& task)> given = {};
  statistics::ObservedFunctions functions = {};  ///< replace the formulas of the observables that they name
  std::string trajectory;                        ///< file with samples; if empty, the model is simulated
  bool transient = false;                        ///< start from the distribution in [model.initial], without burn-in
  bool check = false;                            ///< whether to run perturbed ensembles as well

  response::Forcing forcing() const { return series ? *series : response::Forcing::step(size.value_or(1)); }
};

/// Throws Error for an invalid request.
void check(const ResponseRequest& request, const problem::Problem& problem);

/// Responses to unit steps of all parameters at the last time.
struct LastResponses {
  std::vector<std::string> parameters;
  std::vector<std::vector<Estimate>> response;  ///< [observable][parameter]; NaN if not available
  double time = 0;
  bool transient = false;
};

struct ResponseResult {
  ResponseResult();
  ResponseResult(ResponseResult&&) noexcept;
  ResponseResult& operator=(ResponseResult&&) noexcept;
  ~ResponseResult();

  std::optional<ResponseCurves> curves;  ///< for one parameter, if it has a response
  std::optional<LastResponses> last;     ///< for all parameters, if any has a response
  std::vector<Diagnostic> diagnostics;
  double simulated_time = 0;
  double wall_seconds = 0;

  bool usable() const;
  nlohmann::ordered_json& json() { return *json_; }  ///< members of the document that are not listed above
  const nlohmann::ordered_json& json() const { return *json_; }

 private:
  std::unique_ptr<nlohmann::ordered_json> json_;
};

/// Responses for a request that has passed check(). Models that depend on time always have transient responses.
ResponseResult respond(const ResponseRequest& request, const problem::Problem& problem,
                       const simulate::Control& control);

/// The document of `gfdt response --json`.
nlohmann::ordered_json document_of(const ResponseResult& result, const problem::Problem& problem,
                                   const data::Provenance& provenance);

}  // namespace gfdt::api
