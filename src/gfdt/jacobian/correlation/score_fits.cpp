#include "gfdt/jacobian/correlation/score_fits.hpp"

#include "gfdt/base/stopwatch.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/parallel/spread.hpp"
#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/score/estimators/samples.hpp"
#include "gfdt/score/exact/exact_score.hpp"
#include "gfdt/score/selection/packed_fit.hpp"

namespace gfdt::jacobian {
namespace {

using score::CertificateOptions;
using score::Method;

/// A member shorter than this many autocorrelation times still depends on its initial state.
constexpr double memories_per_member = 10;

bool has_gaussian_density(const symbolic::Model& model) {
  return dynamic_cast<const score::GaussianField*>(score::exact_score(model).get()) != nullptr;
}

}  // namespace

ScoreFits fit_scores(const symbolic::Model& model, const score::SampleCollector& collector, const SampledRun& run,
                     const ScoreFitOptions& request, const simulate::Control& control) {
  const score::Options& options = request.options;
  const Stopwatch watch;
  const score::Choice choice = score::choose(model, options);
  ScoreFits result;
  result.origin = score::Origin{choice.method};
  const auto fit_of = [&](std::size_t number, const score::Samples& samples) {
    const auto& start = request.start;
    const score::Field* earlier = start.empty() ? nullptr : start[std::min(number, start.size() - 1)].get();
    return score::fit_score(model, samples, options, earlier, control.progress, control.cancellation);
  };
  const auto take = [&](score::ScoreFit fit) {
    const score::ScoreFit& found = result.fits.emplace_back(std::move(fit));
    if (!found.usable()) result.problem = found.problem;
    result.scores.fields.push_back(found.field);
  };
  const score::Samples samples =
      choice.method == Method::exact ? score::Samples{} : collector.samples_in_segments(run.segments.per_member);
  const bool learned = choice.method != Method::exact && choice.method != Method::gaussian;
  if (choice.method == Method::gaussian && !(options.whole_model && has_gaussian_density(model)))
    result.caution =
        "Where the density is not Gaussian a Gaussian score makes the responses biased, and the error bars do not hold "
        "the bias. 'gfdt score --method gaussian' tells how far off the score is.";
  const bool crossed = learned && request.cross_fit && run.segments.count() >= 2;
  if (learned && !crossed)
    result.caution =
        "The score was fitted on the states it is evaluated at, and once only: the error bars do not hold what the fit "
        "does.";
  if (!crossed) {
    take(fit_of(0, samples));
  } else {
    const auto all = static_cast<std::uint32_t>(run.segments.count()), middle = (all + 1) / 2;
    const score::Samples first = score::of_groups(samples, 0, middle), second = score::of_groups(samples, middle, all);
    const CertificateOptions usual;
    const CertificateOptions judging{
        .samples = static_cast<int>(request.certificate_effort * score::default_samples(model.dimension())),
        .langevin_evaluations =
            static_cast<std::uint64_t>(request.certificate_effort * static_cast<double>(usual.langevin_evaluations)),
        .effective_samples = static_cast<double>(run.segments.members) * run.length / (4 * run.memory),
        .mixed = run.length >= memories_per_member * run.memory,
        .seed = options.seed,
        .threads = options.threads};
    // With several ranks, two of them fit at the same time.
    std::vector<score::ScoreFit> halves(2);
    if (ranks::count() > 1)
      for_each_block_on_ranks(
          "the halves of a cross-fit", 2, 1,
          [&](std::size_t half) { halves[half] = fit_of(half, half == 0 ? second : first); },
          {[&](std::size_t half, Packer& packer) { score::pack(halves[half], packer); },
           [&](std::size_t half, Unpacker& unpacker) { halves[half] = score::unpack_fit(unpacker); }});
    take(ranks::count() > 1 ? std::move(halves[0]) : fit_of(0, second));
    if (result.problem.empty()) take(ranks::count() > 1 ? std::move(halves[1]) : fit_of(1, first));
    for (std::size_t i = 0; i < 2 && result.problem.empty(); ++i)
      result.certificates.push_back(score::certify(*result.scores.fields[i], i == 0 ? first : second,
                                                   options.whole_model ? &model : nullptr, judging, control.progress,
                                                   control.cancellation));
  }
  result.wall_seconds = watch.seconds();
  return result;
}

}  // namespace gfdt::jacobian
