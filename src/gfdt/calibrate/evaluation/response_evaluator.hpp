#pragma once

#include <functional>
#include <memory>

#include "gfdt/calibrate/evaluation/evaluation.hpp"
#include "gfdt/jacobian/options.hpp"
#include "gfdt/score/selection/options.hpp"
#include "gfdt/simulate/source.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::calibrate {

/// Creates the samples of a model at its parameters, by simulation or by the user's program. Throws SimulationFailed;
/// returns null if cancelled. The model must outlive the source.
using SourceMaker = std::function<std::unique_ptr<simulate::Source>(
    const symbolic::Model& model, const simulate::Options& options, const simulate::Control& control)>;

/// A model and the options with which it is evaluated.
struct Experiment {
  symbolic::Model model;                ///< its observables are those with targets, in the order of the targets
  std::vector<std::string> parameters;  ///< names of the free parameters
  simulate::Options simulation;         ///< each request overrides the length and the seed
  score::Options score;
  jacobian::Options response;
  bool observable_covariance = false;  ///< whether the covariance of the observables is needed
  SourceMaker source = {};             ///< empty: the model is simulated
};

/// Evaluates statistics by simulation, and Jacobians by the method of the response options. A column is computed by
/// finite differences if the theorem does not apply, because a formula has no derivative, or if its relative error is
/// too large (above 0.5; in short runs above 0.7).
class ResponseEvaluator : public Evaluator {
 public:
  explicit ResponseEvaluator(Experiment experiment);
  Evaluation evaluate(const Request& request, const simulate::Control& control) override;
  /// With several ranks, evaluates requests concurrently: each rank evaluates a part of them.
  std::vector<Evaluation> evaluate_all(std::span<const Request> requests, const simulate::Control& control) override;

  /// The model with these values of the free parameters.
  symbolic::Model model_at(const std::vector<double>& parameters) const;

 private:
  simulate::Options options_for(const Request& request) const;
  /// Whether statistics that come with the derivatives still need a control variate.
  bool adds_control_variate() const;
  Evaluation derivatives(const Request& request, const symbolic::Model& model, const simulate::Source& source,
                         const jacobian::Wanted& wanted, const simulate::Control& control) const;

  Experiment experiment_;
};

}  // namespace gfdt::calibrate
