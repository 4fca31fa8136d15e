#include "gfdt/score/certificate/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/score/certificate/identities.hpp"
#include "gfdt/score/certificate/langevin.hpp"
#include "gfdt/score/certificate/parts.hpp"
#include "gfdt/score/certificate/stationarity_check.hpp"

namespace gfdt::score {
namespace {

constexpr std::size_t fewest_samples = 64;
constexpr double shortest_langevin_time = 1;  // chains of any score are still near their initial states before this
                                              // time

void check_fit(const Field& field, const Samples& held_out, const symbolic::Model* model,
               const CertificateOptions& options) {
  if (std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  if (field.dimension() != held_out.dimension())
    throw Error(fmt::format("The score has {} components and the samples have {}; use samples of the same states.",
                            field.dimension(), held_out.dimension()));
  if (model != nullptr && model->dimension() != field.dimension())
    throw Error(fmt::format("The score has {} components and the model has {}; use the model that the samples are of.",
                            field.dimension(), model->dimension()));
  if (held_out.size() < fewest_samples)
    throw Error(fmt::format("There are {} held-out samples and a certificate needs {}; hold out a larger share.",
                            held_out.size(), fewest_samples));
}

/// Computed from few samples that represent all groups; it is reported with its standard error but not judged.
std::optional<Divergence> divergence(const Field& field, const Samples& samples, int threads) {
  constexpr std::size_t components = 100'000, fewest = 1'000;
  const std::size_t states = std::max(fewest, components / static_cast<std::size_t>(samples.dimension()));
  try {
    return score::divergence_of(field, thinned(samples, states), threads);
  } catch (const Error&) {
    return std::nullopt;
  }
}

CertificateTest langevin_check(const LangevinChains& chains, const std::vector<Marginal>& marginals, double tolerance) {
  CertificateTest check{
      .name = "Langevin", .tolerance = tolerance, .verdict = Verdict::passed, .explanation = {}, .remedy = {}};
  auto badness = [](const Marginal& m) {
    const int rank = m.verdict == Verdict::failed ? 2 : m.verdict == Verdict::unresolved ? 1 : 0;
    return std::pair{rank, m.distance + 3 * m.noise};
  };
  const Marginal& shown = *std::ranges::max_element(marginals, {}, badness);
  check.value = shown.distance;
  check.standard_error = shown.noise;
  check.half_width = 3 * shown.noise;
  for (const Marginal& marginal : marginals) check.verdict = worst(check.verdict, marginal.verdict);
  check.explanation = fmt::format(
      "Chains driven by the score for {:.2g} units of time leave {} {:.3g} standard deviations from the data; "
      "two samples of the same distribution would be {:.2g} apart.",
      chains.time, shown.name, shown.distance, shown.noise);
  if (chains.shortened) check.explanation += " The bound on the evaluations of the score cut the time short.";
  const std::size_t escaped = chains.escaped_chains();
  if (escaped > 0) {
    check.verdict = Verdict::failed;
    check.explanation = fmt::format("{} of {} chains driven by the score ran away. ", escaped, chains.chains) +
                        (escaped < chains.chains ? check.explanation : "");
    check.remedy =
        "The score points outwards where there are few samples: use four times as many score.samples, or twice the "
        "score.noise.";
  } else if (check.verdict == Verdict::failed) {
    check.remedy =
        "The score belongs to another density: compare the marginals; another --method, or twice the score.epochs, may "
        "come closer.";
  } else if (chains.time < shortest_langevin_time) {
    check.verdict = Verdict::unresolved;
    check.remedy =
        "The chains have not moved far: the score is too steep for the evaluations they may take. Twice the "
        "score.noise makes it smoother.";
  } else if (check.verdict == Verdict::unresolved) {
    check.remedy = "Four times as long a run (simulation.length) would tell.";
  }
  return check;
}

/// Changes a verdict if the samples rather than the score may be the cause.
void excuse(CertificateTest& check, const CertificateOptions& options, bool independent) {
  if (options.exact && check.name == "Langevin" && check.verdict != Verdict::passed) {
    check.verdict = Verdict::not_applicable;
    check.explanation += " The score is exact; chains of a fixed step cannot follow it everywhere.";
    check.remedy.clear();
  }
  if (!options.mixed && check.verdict == Verdict::passed) {
    check.verdict = Verdict::unresolved;
    check.remedy =
        "The run did not forget where it started: its samples need not be those of the invariant density. Lengthen it "
        "(simulation.length).";
  }
  if (check.verdict != Verdict::failed || check.name == "stationarity") return;
  if (options.exact) {
    check.verdict = Verdict::unresolved;
    check.remedy =
        "The score is exact, so these samples do not show the invariant density: lengthen the run (simulation.length).";
  } else if (!independent || options.effective_samples < CertificateOptions::fewest_effective) {
    check.verdict = Verdict::unresolved;
    check.remedy = "The run is too short against the memory of the model to tell: lengthen it (simulation.length).";
  }
}

}  // namespace

std::string CertificateOptions::problem() const {
  for (auto [tolerance, name] : {std::pair{identity_tolerance, "identity_tolerance"},
                                 {stationarity_tolerance, "stationarity_tolerance"},
                                 {marginal_tolerance, "marginal_tolerance"}})
    if (!(tolerance > 0) || !std::isfinite(tolerance))
      return fmt::format("The {} is {}; it must be a positive number.", name, tolerance);
  if (!(false_alarm > 0 && false_alarm < 1))
    return fmt::format("The false_alarm is {}; it must lie between 0 and 1.", false_alarm);
  if (samples != 0 && samples < static_cast<int>(fewest_samples))
    return fmt::format("The number of samples is {}; it must be at least {}.", samples, fewest_samples);
  if (langevin_chains < 1 || langevin_chains > 1 << 24)
    return fmt::format("The number of langevin_chains is {}; it must be between 1 and {}.", langevin_chains, 1 << 24);
  if (!(langevin_time > 0) || !std::isfinite(langevin_time))
    return fmt::format("The langevin_time is {}; it must be a positive time.", langevin_time);
  if (langevin_evaluations < 1) return "The number of langevin_evaluations is 0; it must be positive.";
  if (threads < 0) return fmt::format("The number of threads is {}; it must be positive, or 0 for all.", threads);
  return "";
}

int default_samples(int dimension) { return std::clamp(2'000'000 / std::max(dimension, 1), 20'000, 1'000'000); }

const CertificateTest* Certificate::find(const std::string& name) const {
  auto found = std::ranges::find(checks, name, &CertificateTest::name);
  return found == checks.end() ? nullptr : &*found;
}

Certificate certify(const Field& field, const Samples& held_out, const symbolic::Model* model,
                    const CertificateOptions& options, const ProgressListener& progress,
                    const Cancellation* cancellation) {
  check_fit(field, held_out, model, options);
  const Stopwatch clock;
  const int most = options.samples > 0 ? options.samples : default_samples(field.dimension());
  const Samples samples = thinned(held_out, static_cast<std::size_t>(most));
  const Normalisation normalisation = normalisation_of(samples);
  auto watch = [&](std::string_view stage) { return Watch{stage, &progress, cancellation}; };
  Certificate result;
  result.samples = samples.size();

  const IdentityOptions identity_options{options.identity_tolerance, options.false_alarm, options.threads};
  const Identities found = identities(field, samples, normalisation, identity_options, watch("identities"));
  if (found.complete) result.checks = identity_checks(found, samples, identity_options);
  result.evaluations += samples.size();

  const StationarityOptions stationarity_options{options.stationarity_tolerance, options.false_alarm, options.threads};
  const Watch stationarity_watch = watch("stationarity");
  CertificateTest stationarity{.name = "stationarity",
                               .tolerance = options.stationarity_tolerance,
                               .explanation = "There is no model to test the score against.",
                               .remedy = {}};
  if (model != nullptr) {
    stationarity = stationarity_check(*model, field, samples, stationarity_options, stationarity_watch);
    result.evaluations += samples.size();
  }
  if (!stationarity_watch.cancelled()) result.checks.push_back(std::move(stationarity));

  if (!watch("divergence").cancelled()) result.divergence = divergence(field, samples, options.threads);

  const LangevinOptions langevin_options{options.langevin_chains, options.langevin_time, options.langevin_evaluations,
                                         options.seed, options.threads};
  const LangevinChains chains = langevin_chains(field, samples, normalisation, langevin_options, watch("Langevin"));
  result.evaluations += chains.evaluations;
  if (chains.complete) {
    result.marginals = marginals(samples, normalisation, chains, options.marginal_tolerance);
    result.escaped_chains = chains.escaped_chains();
    result.langevin_time = chains.time;
    result.checks.push_back(langevin_check(chains, result.marginals, options.marginal_tolerance));
  }

  for (CertificateTest& check : result.checks) excuse(check, options, found.independent);
  result.cancelled = cancellation != nullptr && cancellation->requested();
  Verdict residual = Verdict::unresolved;
  for (const CertificateTest& check : result.checks) {
    if (check.name != "stationarity")
      result.overall = worst(result.overall, check.verdict);
    else if (check.verdict != Verdict::not_applicable)
      residual = check.verdict;
  }
  if (result.cancelled) result.overall = Verdict::unresolved;
  result.noise_responses = worst(result.overall, residual);
  result.wall_seconds = clock.seconds();
  return result;
}

}  // namespace gfdt::score
