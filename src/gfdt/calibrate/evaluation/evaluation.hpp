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

/// Scores that a Jacobian was made with: one, or the two of a cross-fit.
using FittedScores = std::vector<std::shared_ptr<const score::Field>>;

/// What is asked of the model at some parameters.
struct Request {
  enum class Purpose {
    jacobian,    ///< statistics and their derivatives
    statistics,  ///< statistics alone
    stability,   ///< whether a short run holds
  };
  Purpose purpose = Purpose::jacobian;
  std::vector<double> parameters;  ///< values of the free ones
  double length = 0;               ///< of a member
  std::uint64_t seed = 0;
  FittedScores start = {};       ///< where the fit of a score begins; may be empty
  jacobian::Wanted wanted = {};  ///< whether derivatives are, given the statistics; may be empty
  bool precise = false;          ///< whether the Jacobian is to be as accurate as for its own sake, not just for a step
};

const char* name(Request::Purpose purpose);

/// The answer.
struct Evaluation {
  std::vector<statistics::Average> statistics;   ///< of the observables that have targets
  std::vector<double> mean_covariance;           ///< of the errors of their means, [row][column]
  std::vector<double> observable_covariance;     ///< of the observables themselves; empty unless the weights need it
  std::vector<double> jacobian, jacobian_error;  ///< [observable][free parameter]; empty unless asked for
  double jacobian_degrees_of_freedom = 0;
  std::vector<std::string> methods;   ///< of the columns
  std::vector<std::string> warnings;  ///< checks that did not pass, a sentence each
  FittedScores scores;
  std::shared_ptr<const Insight> insight;  ///< behind the Jacobian; null for one of finite differences
  double simulated_time = 0;
  double wall_seconds = 0;
  bool cancelled = false;
  bool declined = false;  ///< the derivatives were not wanted, given the statistics, and are not there
  std::string problem;    ///< why it cannot be used; empty when it can

  bool usable() const { return problem.empty() && !cancelled; }
};

/// What makes an answer useless though it does not say so itself, as a sentence: numbers that are missing or not
/// finite; empty when nothing does.
std::string flaw(const Evaluation& evaluation, Request::Purpose purpose, std::size_t targets, std::size_t parameters);

/// A model that can be asked. The answer is a pure function of the request, so that answers can be kept and a
/// calibration that was interrupted ends in the same bits.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual Evaluation evaluate(const Request& request, const simulate::Control& control) = 0;
  /// The answers to requests for statistics alone, in their order; the last of them may be one that was cancelled. Here
  /// one after the other.
  virtual std::vector<Evaluation> evaluate_all(std::span<const Request> requests, const simulate::Control& control);
};

/// An answer to a request for statistics alone, as bytes for other ranks.
void pack(const Evaluation& evaluation, Packer& packer);
Evaluation unpack_evaluation(Unpacker& unpacker);

}  // namespace gfdt::calibrate
