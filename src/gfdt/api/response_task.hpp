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

/// What is asked about responses in time.
struct ResponseRequest {
  std::string parameter;                    ///< the one that changes; empty: kernels of all
  std::optional<double> size;               ///< of a step at time 0; 1 when left out
  std::optional<response::Forcing> series;  ///< instead of a step
  std::optional<double> until;              ///< the last time
  std::string score;                        ///< a method or a file; empty: as the problem says
  /// A score at hand, instead; may be empty.
  std::function<JacobianMethod(const JacobianTask& task)> given = {};
  statistics::ObservedFunctions functions = {};  ///< that give the observables they name
  std::string trajectory;                        ///< samples from a file; empty: runs of the model
  bool transient = false;                        ///< from the law in [model.initial], without burn-in
  bool check = false;                            ///< run perturbed ensembles as well

  response::Forcing forcing() const { return series ? *series : response::Forcing::step(size.value_or(1)); }
};

/// Throws Error for what makes no sense.
void check(const ResponseRequest& request, const problem::Problem& problem);

/// Responses to unit steps of all parameters at the last time.
struct LastResponses {
  std::vector<std::string> parameters;
  std::vector<std::vector<Estimate>> response;  ///< [observable][parameter]; NaN where there is none
  double time = 0;
  bool transient = false;
};

struct ResponseResult {
  ResponseResult();
  ResponseResult(ResponseResult&&) noexcept;
  ResponseResult& operator=(ResponseResult&&) noexcept;
  ~ResponseResult();

  std::optional<ResponseCurves> curves;  ///< of one parameter, where there is a response
  std::optional<LastResponses> last;     ///< of all of them, where there is one
  std::vector<Diagnostic> diagnostics;
  double simulated_time = 0;
  double wall_seconds = 0;

  bool usable() const;
  nlohmann::ordered_json& json() { return *json_; }  ///< what stands in the document besides the above
  const nlohmann::ordered_json& json() const { return *json_; }

 private:
  std::unique_ptr<nlohmann::ordered_json> json_;
};

/// Responses of a checked request; those of models that depend on time are always transient.
ResponseResult respond(const ResponseRequest& request, const problem::Problem& problem,
                       const simulate::Control& control);

/// As `gfdt response --json` writes it.
nlohmann::ordered_json document_of(const ResponseResult& result, const problem::Problem& problem,
                                   const data::Provenance& provenance);

}  // namespace gfdt::api
