#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/calibrate/search/insight.hpp"
#include "gfdt/jacobian/jacobian.hpp"
#include "gfdt/parallel/parcel.hpp"
#include "gfdt/score/fields/field.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::calibrate {

/// The scores from which a Jacobian was estimated: one, or the two of a cross-fit.
using FittedScores = std::vector<std::shared_ptr<const score::Field>>;

/// A request to evaluate the model at given parameters.
struct Request {
  enum class Purpose {
    jacobian,    ///< statistics and their derivatives
    statistics,  ///< statistics only
    stability,   ///< whether a short run remains stable
  };
  Purpose purpose = Purpose::jacobian;
  std::vector<double> parameters;  ///< values of the free parameters, natural scale
  double length = 0;               ///< per member, in time units of the model
  std::uint64_t seed = 0;
  FittedScores start = {};       ///< starting point for the fit of a score; may be empty
  jacobian::Wanted wanted = {};  ///< decides from the statistics whether derivatives are needed; may be empty
  bool precise = false;          ///< whether the Jacobian must be as accurate as a final result, not just for a step
};

const char* name(Request::Purpose purpose);

/// The result of a request.
struct Evaluation {
  std::vector<statistics::Average> statistics;   ///< of the observables that have targets
  std::vector<double> mean_covariance;           ///< covariance of the errors of the means, [row][column]
  std::vector<double> observable_covariance;     ///< of the observables themselves; empty unless the weights need it
  std::vector<double> jacobian, jacobian_error;  ///< [observable][free parameter]; empty unless requested
  double jacobian_degrees_of_freedom = 0;
  std::vector<std::string> methods;   ///< one per column of the Jacobian
  std::vector<std::string> warnings;  ///< checks that did not pass, one sentence each
  FittedScores scores;
  std::shared_ptr<const Insight> insight;  ///< details of the Jacobian; null for finite differences
  double simulated_time = 0;
  double wall_seconds = 0;
  bool cancelled = false;
  bool declined = false;  ///< the derivatives were not needed, given the statistics, and were not computed
  std::string problem;    ///< the reason why the evaluation cannot be used; empty if it can

  bool usable() const { return problem.empty() && !cancelled; }
};

/// A sentence that describes missing or non-finite numbers in an evaluation that reports no problem itself; empty if
/// there are none. `targets` and `parameters` are the expected numbers of statistics and columns.
std::string flaw(const Evaluation& evaluation, Request::Purpose purpose, std::size_t targets, std::size_t parameters);

/// Evaluates a model. The result must be a pure function of the request: results can then be stored, and an interrupted
/// calibration that is resumed gives a bit-identical result.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual Evaluation evaluate(const Request& request, const simulate::Control& control) = 0;
  /// Results of requests for statistics, in their order; they end early, with the cancelled one, if an evaluation is
  /// cancelled. The default evaluates one request after the other.
  virtual std::vector<Evaluation> evaluate_all(std::span<const Request> requests, const simulate::Control& control);
};

/// Serializes the result of a request for statistics, for other ranks.
void pack(const Evaluation& evaluation, Packer& packer);
Evaluation unpack_evaluation(Unpacker& unpacker);

}  // namespace gfdt::calibrate
