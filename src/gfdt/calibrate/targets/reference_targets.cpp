#include "gfdt/calibrate/targets/reference_targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/philox.hpp"
#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::calibrate {
namespace {

/// The seed of a reference run, from a random stream of its own.
std::uint64_t reference_seed(std::uint64_t seed) {
  constexpr std::uint32_t references = 0x7265666e;
  return codegen::Stream(seed, codegen::Purpose::sampling, references).wide(0) >> 1;
}

std::string why_not(const statistics::EnsembleStatistics& run) {
  if (run.run.status != simulate::Status::done) return run.run.explanation;
  for (const Diagnostic& diagnostic : run.diagnostics)
    if (diagnostic.verdict == Verdict::failed) return diagnostic.text;
  return {};
}

}  // namespace

Targets reference_targets(const symbolic::Model& model, const simulate::Options& options,
                          const simulate::Control& control, bool control_variate) {
  simulate::Options own = options;
  own.seed = reference_seed(options.seed);
  const simulate::ModelSource source(model, own);
  const statistics::EnsembleStatistics run =
      control_variate::controlled_statistics(model, source, {.wanted = control_variate}, {}, control).run;
  if (!run.usable()) throw Error(fmt::format("The run that targets are to come from cannot be used. {}", why_not(run)));
  Targets targets;
  for (const Diagnostic& diagnostic : run.diagnostics)
    if (!diagnostic.passed() && diagnostic.check != Check::variation)
      targets.remarks.push_back(fmt::format("The run that targets come from: {}", diagnostic.text));
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < run.observables.size(); ++i) {
    const statistics::Average& average = run.observables[i];
    if (!average.usable() || !(average.standard_error > 0)) {
      targets.remarks.push_back(fmt::format("The observable '{}' has no target: {} in the reference run.", average.name,
                                            average.mixing == statistics::Mixing::not_mixed
                                                ? "the members have not mixed in it"
                                            : average.has_no_mean() ? "its mean does not exist"
                                                                    : "it never varies"));
      continue;
    }
    kept.push_back(i);
    targets.observables.push_back(average.name);
    targets.value.push_back(average.mean);
    targets.degrees_of_freedom = std::min(targets.degrees_of_freedom, average.degrees_of_freedom);
  }
  for (std::size_t i : kept)
    for (std::size_t j : kept) targets.covariance.push_back(run.mean_covariance[i * run.observables.size() + j]);
  targets.source = "a run of the model";
  if (const std::string problem = targets.problem(); !problem.empty()) throw Error(problem);
  return targets;
}

}  // namespace gfdt::calibrate
