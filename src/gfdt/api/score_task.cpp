#include "gfdt/api/score_task.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gfdt/api/simulation_task.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/data/provenance.hpp"
#include "gfdt/results/json/certificate_json.hpp"
#include "gfdt/results/json/diagnostic_json.hpp"
#include "gfdt/results/json/score_file.hpp"
#include "gfdt/score/selection/sample_collector.hpp"

namespace gfdt::api {
namespace {

using nlohmann::ordered_json;
using score::Certificate;
using statistics::EnsembleStatistics;

/// A shorter member still depends on its initial state. The autocorrelation time of a member that never moves is
/// estimated as half its length.
constexpr double memories_per_member = 10;

/// The longest autocorrelation time of all averages of a run.
double memory_of(const EnsembleStatistics& run) {
  double longest = 0;
  for (const auto* list : {&run.observables, &run.monitored})
    for (const statistics::Average& average : *list)
      if (std::isfinite(average.autocorrelation_time)) longest = std::max(longest, average.autocorrelation_time);
  return longest;
}

ordered_json training_json(const network::Training& training) {
  return {{"steps", training.steps},
          {"rate", training.rate},
          {"retried", training.retried},
          {"loss", data::json_numbers(training.loss)},
          {"validation_loss", data::json_numbers(training.validation_loss)},
          {"best_loss", data::json_number(training.best_loss)},
          {"best_epoch", training.best_epoch},
          {"wall_seconds", training.wall_seconds}};
}

}  // namespace

ScoreResult fit_and_certify(const problem::Problem& problem, std::optional<score::Method> method,
                            const score::Field* start, const simulate::Control& control) {
  const simulate::Options& simulation = problem.simulation;
  score::Options options = problem.score;
  if (method) options.method = *method;
  options.seed = simulation.seed;
  options.threads = simulation.threads;
  options.device = simulation.backend == codegen::Backend::cuda;
  const bool exact = score::choose(problem.model, options).method == score::Method::exact;

  ScoreResult result;
  score::SampleCollector collector(problem.model, simulation, options.samples);
  simulate::Sink* sinks[] = {&collector};
  result.run = statistics::simulate_statistics(problem.model, simulation, control, sinks);
  note_unused_command(problem, result.run.diagnostics);
  if (!result.run.usable()) return result;
  const double memory = memory_of(result.run);
  const score::Samples samples = collector.samples(memory);
  result.samples = samples.size();
  result.fit = score::fit_score(problem.model, samples, options, start, control.progress, control.cancellation);
  if (!result.fit.usable()) return result;
  const score::CertificateOptions judging{.effective_samples = simulation.members * simulation.length / (2 * memory),
                                          .mixed = simulation.length >= memories_per_member * memory,
                                          .exact = exact,
                                          .seed = options.seed,
                                          .threads = options.threads};
  const score::Samples held_out =
      exact ? samples  // not used in a fit
            : score::draw_samples(problem.model, score::held_out_run(simulation),
                                  static_cast<std::size_t>(score::default_samples(problem.model.dimension())), control,
                                  &result.second, memory);
  if (result.second.status == simulate::Status::done)
    result.certificate =
        score::certify(*result.fit.field, held_out, &problem.model, judging, control.progress, control.cancellation);
  else
    result.certificate.cancelled = true;
  return result;
}

ordered_json document_of(const ScoreResult& result, const problem::Problem& problem,
                         const data::Provenance& provenance) {
  const score::ScoreFit& fit = result.fit;
  ordered_json json{{"status", fit.usable() ? name(result.certificate.overall) : "no fit"},
                    {"method", score::name(fit.choice.method)},
                    {"reason", fit.choice.reason},
                    {"details", fit.details}};
  if (fit.field) json["description"] = fit.field->description();
  if (fit.training) json["training"] = training_json(*fit.training);
  json["correction"] = data::json_number(fit.correction);
  json["fit_seconds"] = fit.wall_seconds;
  json["certificate"] = results::to_json(result.certificate);
  json["simulated_time"] = result.run.run.simulated_time + result.second.simulated_time;
  json["wall_seconds"] =
      result.run.run.wall_seconds + result.second.wall_seconds + fit.wall_seconds + result.certificate.wall_seconds;
  json["seed"] = problem.simulation.seed;
  json["findings"] = results::to_json(result.run.diagnostics);
  json["provenance"] = data::provenance_json(provenance);
  return json;
}

std::string score_text(const ScoreResult& result, const problem::Problem& problem, const data::Provenance& provenance) {
  return results::score_text(problem.model, result.fit.choice.method, *result.fit.field,
                             {{"certificate", results::to_json(result.certificate)},
                              {"run", results::run_json(problem.simulation)},
                              {"provenance", data::provenance_json(provenance)}});
}

}  // namespace gfdt::api
