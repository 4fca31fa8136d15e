#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "gfdt/certificate/certificate.hpp"
#include "gfdt/core/error.hpp"
#include "gfdt/io/certificate_json.hpp"
#include "gfdt/io/json.hpp"
#include "gfdt/io/provenance.hpp"
#include "gfdt/io/score_file.hpp"
#include "gfdt/io/write_atomically.hpp"
#include "gfdt/report/marginals_text.hpp"
#include "gfdt/scoring/fit_score.hpp"
#include "gfdt/scoring/sample_collector.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "progress_bar.hpp"
#include "result_page.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using certificate::Certificate;
using certificate::Check;
using certificate::Verdict;
using scoring::ScoreFit;
using statistics::EnsembleStatistics;

constexpr const char* result_name = "score.json";
/// A shorter member has not forgotten where it started. One that never moves seems to have a memory of half its length.
constexpr double memories_a_member = 10;

struct ScoreCommand {
  CommonOptions common;
  std::string method;
  std::string save;
  std::string start;
};

const char* mark(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "✓";
    case Verdict::failed:
      return "✗";
    case Verdict::unresolved:
      return "?";
    case Verdict::not_applicable:
      return "–";
  }
  return "";
}

const char* trust(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "can be trusted";
    case Verdict::failed:
      return "cannot be trusted";
    case Verdict::unresolved:
      return "not known, see what is marked with a question mark or a dash above";
    case Verdict::not_applicable:
      return "not tested";
  }
  return "";
}

std::string closing(const Certificate& certificate) {
  return fmt::format("  Responses to drift parameters: {}.\n  Responses to noise amplitudes: {}.\n",
                     trust(certificate.overall), trust(certificate.noise_responses));
}

void print(std::FILE* file, const ScoreFit& fit, std::size_t fitted_samples) {
  fmt::print(file, "  score: {} — {}\n", scoring::name(fit.choice.method), fit.choice.reason);
  if (fit.field && fit.choice.method != scoring::Method::exact) fmt::print(file, "  {}\n", fit.field->description());
  for (const std::string& detail : fit.details) fmt::print(file, "  {}\n", detail);
  if (fit.choice.method != scoring::Method::exact)
    fmt::print(file, "  from {} samples, in {:.2f} s\n", fitted_samples, fit.wall_seconds);
  if (!fit.usable()) fmt::print(file, "  ✗ {}\n", fit.problem);
}

void print(std::FILE* file, const Certificate& certificate) {
  fmt::print(file, "\n  Certificate, on {} samples that no fit has seen\n\n", certificate.samples);
  Table table({"  check", "off by", "tolerance", "verdict"});
  for (const Check& check : certificate.checks)
    table.add({fmt::format("{} {}", mark(check.verdict), check.name),
               check.verdict == Verdict::not_applicable ? "" : with_error(check.value, check.standard_error),
               fmt::format("{:g}", check.tolerance), name(check.verdict)});
  table.print(file);
  fmt::print(file, "\n");
  for (const Check& check : certificate.checks) {
    fmt::print(file, "  {} {}: {}\n", mark(check.verdict), check.name, check.explanation);
    if (!check.advice.empty()) fmt::print(file, "      {}\n", check.advice);
  }
  if (certificate.divergence) {
    const score::Divergence& found = *certificate.divergence;
    fmt::print(file, "    mean of ∇·s: {}, {}\n", with_error(found.mean, found.standard_error),
               found.probes == 0
                   ? "exact at each state"
                   : fmt::format("from {} probes a state, which are ± {:.2g} of it", found.probes, found.probe_error));
  }
  fmt::print(file, "\n{}\n{}", report::marginals_text(certificate.marginals), closing(certificate));
}

const char* status_name(const ScoreFit& fit, const Certificate& certificate) {
  if (!fit.usable()) return "no fit";
  return name(certificate.overall);
}

nlohmann::ordered_json to_json(const ScoreFit& fit, const Certificate& certificate, const EnsembleStatistics& run,
                               const simulate::Summary& second, const io::Problem& problem,
                               const io::Provenance& provenance) {
  nlohmann::ordered_json json{{"status", status_name(fit, certificate)},
                              {"method", scoring::name(fit.choice.method)},
                              {"reason", fit.choice.reason},
                              {"details", fit.details}};
  if (fit.field) json["description"] = fit.field->description();
  if (fit.training) {
    json["training"] = {{"steps", fit.training->steps},
                        {"rate", fit.training->rate},
                        {"retried", fit.training->retried},
                        {"loss", io::json_numbers(fit.training->loss)},
                        {"validation_loss", io::json_numbers(fit.training->validation_loss)},
                        {"best_loss", io::json_number(fit.training->best_loss)},
                        {"best_epoch", fit.training->best_epoch},
                        {"wall_seconds", fit.training->wall_seconds}};
  }
  json["correction"] = io::json_number(fit.correction);
  json["fit_seconds"] = fit.wall_seconds;
  json["certificate"] = io::to_json(certificate);
  json["simulated_time"] = run.run.simulated_time + second.simulated_time;
  json["wall_seconds"] = run.run.wall_seconds + second.wall_seconds + fit.wall_seconds + certificate.wall_seconds;
  json["seed"] = problem.simulation.seed;
  json["findings"] = app::to_json(run.findings);
  json["provenance"] = io::to_json(provenance);
  return json;
}

/// Fails early where the score could not be written in the end.
void check_places(const ScoreCommand& command) {
  if (!command.save.empty()) io::PendingFile probe(command.common.place(command.save));
  if (!command.common.out.empty() && command.common.place(command.save) == command.common.place(result_name))
    throw Error(
        fmt::format("'{}' is the file of the results in the folder of --out; give --save another name.", command.save));
}

/// The longest autocorrelation time of what was averaged in a run.
double longest_memory(const EnsembleStatistics& run) {
  double longest = 0;
  for (const auto* list : {&run.observables, &run.watched})
    for (const statistics::Average& average : *list)
      if (std::isfinite(average.autocorrelation_time)) longest = std::max(longest, average.autocorrelation_time);
  return longest;
}

int score_command(const ScoreCommand& command) {
  const CommonOptions& common = command.common;
  io::Problem problem = common.read();
  common.check_writable();
  scoring::Options options = problem.score;
  if (!command.method.empty()) options.method = *scoring::method_named(command.method);
  options.seed = problem.simulation.seed;
  options.threads = problem.simulation.threads;
  const bool exact = scoring::choose(problem.model, options).method == scoring::Method::exact;
  check_places(command);
  std::optional<io::StoredScore> start;
  if (!command.start.empty()) start = io::read_score_file(command.start, problem.model, io::Belonging::model);
  const io::Provenance provenance = io::provenance_of(problem, common.command_line);

  ProgressBar bar(common.quiet);
  const simulate::Control control{.progress = bar.listener(), .cancellation = &interruption()};
  scoring::SampleCollector collector(problem.model, problem.simulation, options.samples);
  simulate::Sink* sinks[] = {&collector};
  const EnsembleStatistics run = statistics::simulate_statistics(problem.model, problem.simulation, control, sinks);
  if (!run.usable()) {
    bar.clear();
    if (common.talks())
      print_findings(common.text(), run.findings);
    else
      print_failures(stderr, run.findings);
    return Exit::numbers_failed;
  }
  const double memory = longest_memory(run);
  const score::Samples samples = collector.samples(memory);
  const ScoreFit fit = scoring::fit_score(problem.model, samples, options, start ? start->field.get() : nullptr,
                                          control.progress, control.cancellation);
  Certificate certificate;
  simulate::Summary second{};
  if (fit.usable()) {
    const certificate::CertificateOptions judging{
        .effective_samples = problem.simulation.members * problem.simulation.length / (2 * memory),
        .mixed = problem.simulation.length >= memories_a_member * memory,
        .exact = exact,
        .seed = options.seed,
        .threads = options.threads};
    const score::Samples held_out =
        exact ? samples  // no fit has seen them
              : scoring::draw_samples(problem.model, scoring::held_out_run(problem.simulation),
                                      static_cast<std::size_t>(certificate::default_samples(problem.model.dimension())),
                                      control, &second, memory);
    if (second.status == simulate::Status::done)
      certificate =
          certificate::certify(*fit.field, held_out, &problem.model, judging, control.progress, control.cancellation);
    else
      certificate.cancelled = true;
  }
  bar.clear();

  const nlohmann::ordered_json result = to_json(fit, certificate, run, second, problem, provenance);
  if (common.talks()) {
    print(common.text(), fit, samples.size());
    for (const statistics::Finding& finding : run.findings)
      if (!finding.passed) fmt::print(common.text(), "  ✗ {} of the run: {}\n", finding.check, finding.verdict);
    if (certificate.cancelled)
      fmt::print(common.text(), "\n  There is no certificate: it was stopped before its end. {}\n", second.explanation);
    else if (fit.usable())
      print(common.text(), certificate);
  } else if (!fit.usable()) {
    fmt::print(stderr, "{}\n", fit.problem);
  } else if (certificate.noise_responses == Verdict::failed) {
    fmt::print(stderr, "The score failed its certificate{}.\n",
               certificate.overall == Verdict::failed ? "" : " for responses to noise amplitudes");
  }
  common.write_json(result, result_name);
  if (fit.usable() && !command.save.empty())
    io::write_file_atomically(common.place(command.save), io::score_text(problem.model, fit.choice.method, *fit.field,
                                                                         {{"certificate", io::to_json(certificate)},
                                                                          {"run", io::run_json(problem.simulation)},
                                                                          {"provenance", io::to_json(provenance)}}));
  if (!common.out.empty()) write_page(common, common.out);
  return fit.usable() && certificate.overall != Verdict::failed && !certificate.cancelled ? Exit::done
                                                                                          : Exit::numbers_failed;
}

}  // namespace

void add_score(CLI::App& app, int& status, const std::string& command_line) {
  auto options = std::make_shared<ScoreCommand>();
  options->common.command_line = command_line;
  CLI::App* command =
      app.add_subcommand("score", "Fit the score of the model's invariant density; print its certificate");
  options->common.add_to(*command);
  options->common.add_report_to(*command);
  command->add_option("--method", options->method, "Instead of score.method")
      ->type_name("METHOD")
      ->check(CLI::IsMember(scoring::method_names()));
  command->add_option("--save", options->save, "Keep the score in this file")->type_name("FILE");
  command->add_option("--start", options->start, "Begin training from the network in this score file")
      ->type_name("FILE");
  command->callback([options, &status] { status = score_command(*options); });
}

}  // namespace gfdt::app
