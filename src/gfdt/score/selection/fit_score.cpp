#include "gfdt/score/selection/fit_score.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/score/exact/exact_score.hpp"
#include "gfdt/score/fields/corrected_field.hpp"
#include "gfdt/score/fields/linear_correction.hpp"
#include "gfdt/score/fields/network_field.hpp"
#include "gfdt/score/selection/method_options.hpp"

namespace gfdt::score {
namespace {

/// The network of an earlier fit; null if it has none.
const network::Network<float>* network_of(const Field* field) {
  if (const auto* corrected = dynamic_cast<const CorrectedField*>(field)) field = corrected->base().get();
  const auto* fitted = dynamic_cast<const NetworkField*>(field);
  return fitted ? &fitted->parts().network : nullptr;
}

std::string training_sentence(const network::Training& training) {
  switch (training.status) {
    case network::TrainingStatus::done:
      return fmt::format("trained for {} steps, loss {:.5g} at epoch {} of {}", training.steps, training.best_loss,
                         training.best_epoch + 1, training.loss.size());
    case network::TrainingStatus::stopped_early:
      return fmt::format("training stopped after {} steps: the validation loss was lowest, {:.5g}, at epoch {}",
                         training.steps, training.best_loss, training.best_epoch + 1);
    case network::TrainingStatus::diverged:
      return "training diverged";
    case network::TrainingStatus::cancelled:
      return "training was cancelled";
  }
  return {};
}

void take(ScoreFit& result, const Fit& fit, bool start) {
  result.field = fit.field;
  if (start)
    result.details.push_back(fit.warm ? "training began from the given score"
                                      : "the given score has no network of this shape: training began afresh");
  result.training = fit.training;
  result.details.push_back(training_sentence(fit.training));
  if (fit.training.retried)
    result.details.push_back(fmt::format("a first attempt diverged; the rate was lowered to {:g}", fit.training.rate));
  if (fit.training.status == network::TrainingStatus::diverged)
    result.problem = fmt::format(
        "Training diverged, with the smaller rate {:g} as well. Lower score.rate, or look at the samples for outliers.",
        fit.training.rate);
  if (fit.training.status == network::TrainingStatus::cancelled) result.problem = "The fit was cancelled.";
}

void correct(ScoreFit& result, const Samples& samples, const Options& options) {
  try {
    const LinearCorrection correction =
        score::linear_correction(*result.field, samples, CorrectionForm::automatic, options.threads);
    result.field = std::make_shared<CorrectedField>(result.field, correction.matrix);
    result.correction = correction.distance;
    constexpr double large = 0.25;
    result.details.push_back(fmt::format("linear correction by {:.2g}{}", correction.distance,
                                         correction.distance > large ? ", which is much: more epochs would help" : ""));
  } catch (const Error& error) {
    result.details.push_back(fmt::format("no linear correction: {}", error.what()));
  }
}

}  // namespace

ScoreFit fit_score(const symbolic::Model& model, const Samples& samples, const Options& options, const Field* start,
                   const ProgressListener& progress, const Cancellation* cancellation) {
  if (const std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  const Stopwatch watch;
  ScoreFit result;
  result.choice = choose(model, options);
  switch (result.choice.method) {
    case Method::automatic:
    case Method::exact:
      result.field = score::exact_score(model);
      break;
    case Method::gaussian:
      score::check(samples);
      result.field = std::make_shared<GaussianField>(score::fit_gaussian(samples));
      break;
    case Method::kgmm: {
      score::check(samples);
      const KgmmFit fit =
          score::fit_kgmm(samples, kgmm_options(options, start != nullptr), network_of(start), progress, cancellation);
      result.details.push_back(fmt::format("{} leaves, {} passes", fit.leaves, fit.passes));
      take(result, fit, start != nullptr);
      break;
    }
    case Method::dsm:
    case Method::patch:
    case Method::unet:
      score::check(samples);
      take(result,
           score::fit_denoising(
               samples,
               denoising_options(options, result.choice.method, samples.arrangement, samples.size(), start != nullptr),
               network_of(start), progress, cancellation),
           start != nullptr);
      break;
  }
  if (options.correction && result.training && result.usable()) correct(result, samples, options);
  result.wall_seconds = watch.seconds();
  return result;
}

}  // namespace gfdt::score
