#pragma once

#include <functional>
#include <memory>

#include "gfdt/calibrate/evaluation/evaluation.hpp"
#include "gfdt/jacobian/options.hpp"
#include "gfdt/score/selection/options.hpp"
#include "gfdt/simulate/source.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::calibrate {

/// Samples of a model at its parameters: our own run, or that of the user's program. Throws SimulationFailed; null
/// where it was cancelled. The model outlives the source.
using SourceMaker = std::function<std::unique_ptr<simulate::Source>(
    const symbolic::Model& model, const simulate::Options& options, const simulate::Control& control)>;

/// A model, and how it is asked.
struct Experiment {
  symbolic::Model model;                ///< its observables are those with targets, in their order
  std::vector<std::string> parameters;  ///< the free ones
  simulate::Options simulation;         ///< length and seed are the requests'
  score::Options score;
  jacobian::Options response;
  bool observable_covariance = false;  ///< whether the covariance of the observables is wanted
  SourceMaker source = {};             ///< our own runs where it is empty
};

/// Evaluates by simulation, and Jacobians by the method of the response options. Columns that the theorem cannot give,
/// since a formula has no derivative, or gives with an error above half of them (twice in short runs), are taken from
/// perturbed runs.
class ResponseEvaluator : public Evaluator {
 public:
  explicit ResponseEvaluator(Experiment experiment);
  Evaluation evaluate(const Request& request, const simulate::Control& control) override;
  /// At the same time where there are several ranks: each answers some of them by itself.
  std::vector<Evaluation> evaluate_all(std::span<const Request> requests, const simulate::Control& control) override;

  /// The model with these values of the free parameters.
  symbolic::Model model_at(const std::vector<double>& parameters) const;

 private:
  simulate::Options options_for(const Request& request) const;
  /// Whether statistics that come with the derivatives have no control variate yet.
  bool adds_control_variate() const;
  Evaluation derivatives(const Request& request, const symbolic::Model& model, const simulate::Source& source,
                         const jacobian::Wanted& wanted, const simulate::Control& control) const;

  Experiment experiment_;
};

}  // namespace gfdt::calibrate
