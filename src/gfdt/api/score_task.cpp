#include "gfdt/api/score_task.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gfdt/api/simulation_task.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/data/provenance.hpp"
#include "gfdt/results/json/certificate_json.hpp"
#include "gfdt/results/json/finding_json.hpp"
#include "gfdt/results/json/score_file.hpp"
#include "gfdt/score/selection/sample_collector.hpp"

namespace gfdt::task {
namespace {

using certificate::Certificate;
using nlohmann::ordered_json;
using statistics::EnsembleStatistics;

/// A shorter member has not forgotten where it started. One that never moves seems to have a memory of half its length.
constexpr double memories_per_member = 10;

/// The longest autocorrelation time of what was averaged in a run.
double memory_of(const EnsembleStatistics& run) {
  double longest = 0;
  for (const auto* list : {&run.observables, &run.watched})
    for (const statistics::Average& average : *list)
      if (std::isfinite(average.autocorrelation_time)) longest = std::max(longest, average.autocorrelation_time);
  return longest;
}

ordered_json training_json(const network::Training& training) {
  return {{"steps", training.steps},
          {"rate", training.rate},
          {"retried", training.retried},
          {"loss", io::json_numbers(training.loss)},
          {"validation_loss", io::json_numbers(training.validation_loss)},
          {"best_loss", io::json_number(training.best_loss)},
          {"best_epoch", training.best_epoch},
          {"wall_seconds", training.wall_seconds}};
}

}  // namespace

ScoreResult fit_and_certify(const io::Problem& problem, std::optional<scoring::Method> method,
                            const score::Field* start, const simulate::Control& control) {
  const simulate::Options& simulation = problem.simulation;
  scoring::Options options = problem.score;
  if (method) options.method = *method;
  options.seed = simulation.seed;
  options.threads = simulation.threads;
  options.device = simulation.backend == kernel::Backend::cuda;
  const bool exact = scoring::choose(problem.model, options).method == scoring::Method::exact;

  ScoreResult result;
  scoring::SampleCollector collector(problem.model, simulation, options.samples);
  simulate::Sink* sinks[] = {&collector};
  result.run = statistics::simulate_statistics(problem.model, simulation, control, sinks);
  note_unused_command(problem, result.run.findings);
  if (!result.run.usable()) return result;
  const double memory = memory_of(result.run);
  const score::Samples samples = collector.samples(memory);
  result.samples = samples.size();
  result.fit = scoring::fit_score(problem.model, samples, options, start, control.progress, control.cancellation);
  if (!result.fit.usable()) return result;
  const certificate::CertificateOptions judging{
      .effective_samples = simulation.members * simulation.length / (2 * memory),
      .mixed = simulation.length >= memories_per_member * memory,
      .exact = exact,
      .seed = options.seed,
      .threads = options.threads};
  const score::Samples held_out =
      exact ? samples  // no fit has seen them
            : scoring::draw_samples(problem.model, scoring::held_out_run(simulation),
                                    static_cast<std::size_t>(certificate::default_samples(problem.model.dimension())),
                                    control, &result.second, memory);
  if (result.second.status == simulate::Status::done)
    result.certificate = certificate::certify(*result.fit.field, held_out, &problem.model, judging, control.progress,
                                              control.cancellation);
  else
    result.certificate.cancelled = true;
  return result;
}

ordered_json document_of(const ScoreResult& result, const io::Problem& problem, const io::Provenance& provenance) {
  const scoring::ScoreFit& fit = result.fit;
  ordered_json json{{"status", fit.usable() ? certificate::name(result.certificate.overall) : "no fit"},
                    {"method", scoring::name(fit.choice.method)},
                    {"reason", fit.choice.reason},
                    {"details", fit.details}};
  if (fit.field) json["description"] = fit.field->description();
  if (fit.training) json["training"] = training_json(*fit.training);
  json["correction"] = io::json_number(fit.correction);
  json["fit_seconds"] = fit.wall_seconds;
  json["certificate"] = io::to_json(result.certificate);
  json["simulated_time"] = result.run.run.simulated_time + result.second.simulated_time;
  json["wall_seconds"] =
      result.run.run.wall_seconds + result.second.wall_seconds + fit.wall_seconds + result.certificate.wall_seconds;
  json["seed"] = problem.simulation.seed;
  json["findings"] = io::to_json(result.run.findings);
  json["provenance"] = io::provenance_json(provenance);
  return json;
}

std::string score_text(const ScoreResult& result, const io::Problem& problem, const io::Provenance& provenance) {
  return io::score_text(problem.model, result.fit.choice.method, *result.fit.field,
                        {{"certificate", io::to_json(result.certificate)},
                         {"run", io::run_json(problem.simulation)},
                         {"provenance", io::provenance_json(provenance)}});
}

}  // namespace gfdt::task
