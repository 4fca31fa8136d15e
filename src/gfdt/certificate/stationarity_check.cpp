#include "gfdt/certificate/stationarity_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/certificate/parts.hpp"
#include "gfdt/core/error.hpp"
#include "gfdt/model/conjugate.hpp"
#include "gfdt/scoring/scored_evaluator.hpp"
#include "gfdt/statistics/distribution.hpp"

namespace gfdt::certificate {
namespace {

using scoring::ScoredEvaluator;

constexpr std::size_t most_parts = 256;
/// Components of states that are looked at, about: the score's derivative is dear on a lattice, and the residual, an
/// average of squares, is known well from fewer states than the identities.
constexpr std::size_t most_components = 500'000;
constexpr std::size_t fewest_states = 2'000;

/// The residual is linear in F and D: without noise it is its drift part, without drift its diffusion part.
std::vector<expression::Expression> parts_of_residual(const model::Model& model) {
  model::Model noiseless = model, driftless = model;
  noiseless.diffusion.clear();
  for (expression::Expression& drift : driftless.drift) drift = 0.0;
  return {model::stationarity_residual(noiseless), model::stationarity_residual(driftless)};
}

struct Squares {
  std::vector<double> residual, terms;  ///< a part of the samples: Σ(a + b)², Σ(a² + b²)
};

Squares squares(const ScoredEvaluator& evaluator, const Samples& samples, const Parts& parts, int threads,
                const Watch& watch) {
  Squares result{std::vector<double>(parts.size()), std::vector<double>(parts.size())};
  const auto lanes = static_cast<std::size_t>(evaluator.lanes()), rows = static_cast<std::size_t>(samples.dimension());
  const auto sum = [&](std::size_t p) {
    ScoredEvaluator::Memory memory = evaluator.memory();
    kernel::AlignedArray<double> record(rows * lanes), values(2 * lanes);
    for (std::size_t first = parts.list[p].begin; first < parts.list[p].end; first += lanes) {
      const std::size_t count = std::min(lanes, parts.list[p].end - first);
      for (std::size_t lane = 0; lane < lanes; ++lane)
        for (std::size_t row = 0; row < rows; ++row)
          record[row * lanes + lane] = samples[first + std::min(lane, count - 1)][row];
      evaluator.evaluate(record.data(), 1, values.data(), memory);
      for (std::size_t lane = 0; lane < count; ++lane) {
        const double a = values[lane], b = values[lanes + lane];
        result.residual[p] += (a + b) * (a + b);
        result.terms[p] += a * a + b * b;
      }
    }
  };
  for_each_watched_block(parts.size(), threads, watch, sum,
                         {[&](std::size_t p, Packer& packer) {
                            packer.put(result.residual[p]);
                            packer.put(result.terms[p]);
                          },
                          [&](std::size_t p, Unpacker& unpacker) {
                            unpacker.get(result.residual[p]);
                            unpacker.get(result.terms[p]);
                          }});
  return result;
}

}  // namespace

Check stationarity_check(const model::Model& model, const Field& field, const Samples& all,
                         const StationarityOptions& options, const Watch& watch) {
  const Samples samples =
      thinned(all, std::max(fewest_states, most_components / static_cast<std::size_t>(all.dimension())));
  Check check{.name = "stationarity", .tolerance = options.tolerance, .explanation = {}, .advice = {}};
  const Parts parts = parts_of(samples, most_parts);
  Squares sums;
  try {
    const ScoredEvaluator evaluator(model, parts_of_residual(model), field, kernel::Backend::interpreter);
    sums = squares(evaluator, samples, parts, options.threads, watch);
  } catch (const Error& error) {
    check.explanation = error.what();
    return check;
  }
  const Ratio ratio = ratio_over_parts(sums.residual, sums.terms);
  check.value = std::sqrt(ratio.value);
  check.standard_error = check.value > 0 ? ratio.standard_error / (2 * check.value) : 0;
  const double freedom = static_cast<double>(parts.size()) - 1;
  check.half_width = freedom >= 1
                         ? statistics::student_t_interval(1 - options.false_alarm, freedom) * check.standard_error
                         : std::numeric_limits<double>::infinity();
  check.verdict = judge(check.value, check.half_width, check.tolerance);
  check.explanation =
      std::isfinite(check.value)
          ? fmt::format("What is left of the stationary Fokker-Planck equation is {:.3g} ± {:.2g} of its terms.",
                        check.value, check.standard_error)
          : "The stationary Fokker-Planck equation is not finite with this score on held-out states.";
  if (field.probes() > 0)
    check.explanation +=
        fmt::format(" The noise of the {} probes for the score's derivative is part of it.", field.probes());
  if (check.verdict == Verdict::failed)
    check.advice =
        "Do not trust responses to noise amplitudes, which need the score's square and derivative; those to the drift "
        "are "
        "judged by the identities. Half the score.noise and twice the score.leaves or score.epochs make a sharper "
        "score.";
  if (check.verdict == Verdict::unresolved) check.advice = "Four times as long a run (simulation.length) would tell.";
  return check;
}

}  // namespace gfdt::certificate
