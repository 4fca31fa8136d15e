#include "gfdt/score/certificate/stationarity_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/base/error.hpp"
#include "gfdt/score/certificate/parts.hpp"
#include "gfdt/score/selection/scored_evaluator.hpp"
#include "gfdt/statistics/distribution.hpp"
#include "gfdt/symbolic/derived/conjugate.hpp"

namespace gfdt::score {
namespace {

constexpr std::size_t most_parts = 256;
/// Approximate limit of the state components used. The derivative of the score is expensive on a lattice, and the
/// residual, an average of squares, needs fewer states than the identities.
constexpr std::size_t most_components = 500'000;
constexpr std::size_t fewest_states = 2'000;

/// The residual is linear in F and D: its value without noise is the drift part, its value without drift the diffusion
/// part.
std::vector<symbolic::Expression> parts_of_residual(const symbolic::Model& model) {
  symbolic::Model noiseless = model, driftless = model;
  noiseless.diffusion.clear();
  for (symbolic::Expression& drift : driftless.drift) drift = 0.0;
  return {symbolic::stationarity_residual(noiseless), symbolic::stationarity_residual(driftless)};
}

/// Both parts of the residual at each sample.
struct Residual {
  std::vector<double> drift, diffusion;
};

/// Evaluates the residual for a range of samples. Their scores are evaluated together; lanes beyond the last sample
/// repeat it.
void evaluate_block(const ScoredEvaluator& evaluator, const Field& field, const Samples& samples, const Part& range,
                    Residual& result) {
  const auto lanes = static_cast<std::size_t>(evaluator.lanes()), rows = static_cast<std::size_t>(samples.dimension());
  const std::size_t batches = (range.size() + lanes - 1) / lanes, width = batches * lanes;
  if (width == 0) return;
  const auto& entries = evaluator.entries();
  std::vector<double> x(rows * width), s(rows * width), slopes(entries.size() * width);
  for (std::size_t lane = 0; lane < width; ++lane)
    for (std::size_t row = 0; row < rows; ++row)
      x[row * width + lane] = samples[std::min(range.begin + lane, range.end - 1)][row];
  if (entries.empty())
    field.evaluate(x.data(), static_cast<int>(width), s.data());
  else
    field.jacobian(x.data(), static_cast<int>(width), entries, s.data(), slopes.data());

  ScoredEvaluator::Memory memory = evaluator.memory();
  codegen::AlignedArray<double> record(rows * lanes), values(2 * lanes);
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const auto copy = [&](const std::vector<double>& from, double* to) {
      for (std::size_t row = 0; row < from.size() / width; ++row)
        std::copy_n(&from[row * width + batch * lanes], lanes, to + row * lanes);
    };
    copy(x, record.data());
    evaluator.evaluate(
        [&](const double*, double* scores, double* derivatives) {
          copy(s, scores);
          copy(slopes, derivatives);
        },
        record.data(), 1, values.data(), memory);
    const std::size_t first = range.begin + batch * lanes, count = std::min(lanes, range.end - first);
    std::copy_n(values.data(), count, &result.drift[first]);
    std::copy_n(values.data() + lanes, count, &result.diffusion[first]);
  }
}

Residual residual(const ScoredEvaluator& evaluator, const Field& field, const Samples& samples, int threads,
                  const Watch& watch) {
  Residual result{std::vector<double>(samples.size()), std::vector<double>(samples.size())};
  const auto states = static_cast<std::size_t>(std::max(evaluator.lanes(), field.best_lanes()));
  const auto range = [&](std::size_t block) {
    return Part{block * states, std::min((block + 1) * states, samples.size())};
  };
  const auto of_block = [&](std::vector<double>& all, std::size_t block) {
    return std::span(all).subspan(range(block).begin, range(block).size());
  };
  for_each_monitored_block((samples.size() + states - 1) / states, threads, watch,
                           [&](std::size_t block) { evaluate_block(evaluator, field, samples, range(block), result); },
                           {[&](std::size_t block, Packer& packer) {
                              packer.put(std::span<const double>(of_block(result.drift, block)));
                              packer.put(std::span<const double>(of_block(result.diffusion, block)));
                            },
                            [&](std::size_t block, Unpacker& unpacker) {
                              unpacker.get(of_block(result.drift, block));
                              unpacker.get(of_block(result.diffusion, block));
                            }});
  return result;
}

struct Squares {
  std::vector<double> residual, terms;  ///< per part of the samples: Σ(a + b)², Σ(a² + b²)
};

Squares squares(const Residual& residual, const Parts& parts) {
  Squares result{std::vector<double>(parts.size()), std::vector<double>(parts.size())};
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (std::size_t i = parts.list[p].begin; i < parts.list[p].end; ++i) {
      const double a = residual.drift[i], b = residual.diffusion[i];
      result.residual[p] += (a + b) * (a + b);
      result.terms[p] += a * a + b * b;
    }
  return result;
}

}  // namespace

CertificateTest stationarity_check(const symbolic::Model& model, const Field& field, const Samples& all,
                                   const StationarityOptions& options, const Watch& watch) {
  const Samples samples =
      thinned(all, std::max(fewest_states, most_components / static_cast<std::size_t>(all.dimension())));
  CertificateTest check{.name = "stationarity", .tolerance = options.tolerance, .explanation = {}, .remedy = {}};
  const Parts parts = parts_of(samples, most_parts);
  Squares sums;
  try {
    const ScoredEvaluator evaluator(model, parts_of_residual(model), field, codegen::Backend::interpreter);
    sums = squares(residual(evaluator, field, samples, options.threads, watch), parts);
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
          ? fmt::format("The residual of the stationary Fokker-Planck equation is {:.3g} ± {:.2g} of its terms.",
                        check.value, check.standard_error)
          : "The stationary Fokker-Planck equation is not finite with this score on held-out states.";
  if (field.probes() > 0)
    check.explanation +=
        fmt::format(" The noise of the {} probes for the score's derivative is part of it.", field.probes());
  if (check.verdict == Verdict::failed)
    check.remedy =
        "Do not trust responses to noise amplitudes, which need the score's square and derivative; those to the drift "
        "are "
        "judged by the identities. Half the score.noise and twice the score.leaves or score.epochs make a sharper "
        "score.";
  if (check.verdict == Verdict::unresolved) check.remedy = "Four times as long a run (simulation.length) would tell.";
  return check;
}

}  // namespace gfdt::score
