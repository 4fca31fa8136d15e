#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "gfdt/api/score_task.hpp"
#include "gfdt/api/simulation_task.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/input_files.hpp"
#include "gfdt/data/write_atomically.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/report/marginals_text.hpp"
#include "gfdt/results/json/score_file.hpp"
#include "gfdt/score/certificate/certificate.hpp"
#include "progress_bar.hpp"
#include "result_page.hpp"
#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using score::Certificate;
using score::CertificateTest;
using score::ScoreFit;
using statistics::EnsembleStatistics;

constexpr const char* score_name = "score.json";

struct ScoreCommand {
  CommonOptions common;
  std::string method;
  std::string save;
  std::string start;
};

std::string mark(Verdict verdict) {
  if (verdict == Verdict::not_applicable) return "–";
  if (verdict == Verdict::unresolved) return styled(Style::warning, "?");
  return tick(verdict == Verdict::passed);
}

const char* trust(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "can be trusted";
    case Verdict::warning:
    case Verdict::failed:
      return "cannot be trusted";
    case Verdict::unresolved:
      return "not known, see what is marked with a question mark or a dash above";
    case Verdict::not_applicable:
      return "not tested";
  }
  return "";
}

void print_closing(std::FILE* file, const Certificate& certificate) {
  put_paragraph(file, "  ", fmt::format("Responses to drift parameters: {}.", trust(certificate.overall)));
  put_paragraph(file, "  ", fmt::format("Responses to noise amplitudes: {}.", trust(certificate.noise_responses)));
}

void print(std::FILE* file, const ScoreFit& fit, std::size_t fitted_samples) {
  put_paragraph(file, "  ", fmt::format("score: {} — {}", score::name(fit.choice.method), fit.choice.reason));
  if (fit.field && fit.choice.method != score::Method::exact) put_secondary(file, fit.field->description());
  for (const std::string& detail : fit.details) put_secondary(file, detail);
  if (fit.choice.method != score::Method::exact)
    put_secondary(file, fmt::format("from {} samples, in {:.2f} s", fitted_samples, fit.wall_seconds));
  if (!fit.usable()) put_paragraph(file, fmt::format("  {} ", tick(false)), fit.problem);
}

void print(std::FILE* file, const Certificate& certificate) {
  say(file, "\n  Certificate, on {} samples that no fit has seen\n\n", certificate.samples);
  Table table({"  check", "off by", "tolerance", "verdict"});
  for (const score::CertificateTest& check : certificate.checks)
    table.add({fmt::format("{} {}", mark(check.verdict), check.name),
               check.verdict == Verdict::not_applicable ? "" : with_error(check.value, check.standard_error),
               fmt::format("{:g}", check.tolerance), name(check.verdict)});
  table.print(file);
  put_secondary(file, errors_in_parentheses);
  say(file, "\n");
  for (const score::CertificateTest& check : certificate.checks) {
    put_paragraph(file, fmt::format("  {} ", mark(check.verdict)),
                  fmt::format("{}: {}", check.name, check.explanation));
    if (!check.remedy.empty()) put_paragraph(file, "      ", check.remedy);
  }
  if (certificate.divergence) {
    const score::Divergence& found = *certificate.divergence;
    say(file, "    mean of ∇·s: {}, {}\n", with_error(found.mean, found.standard_error),
        found.probes == 0
            ? "exact at each state"
            : fmt::format("from {} probes a state, which add an error of {:.2g}", found.probes, found.probe_error));
  }
  say(file, "\n{}\n", report::marginals_text(certificate.marginals));
  print_closing(file, certificate);
}

/// Fails early if the score could not be written at the end.
void check_places(const ScoreCommand& command) {
  if (!command.save.empty()) data::PendingFile probe(command.common.place(command.save));
  if (!command.common.out.empty() && command.common.place(command.save) == command.common.place(score_name))
    throw Error(
        fmt::format("'{}' is the file of the results in the folder of --out; give --save another name.", command.save));
}

int score_command(const ScoreCommand& command) {
  const CommonOptions& common = command.common;
  problem::Problem problem = common.read();
  data::protect_input(command.start);
  common.check_writable();
  check_places(command);
  std::optional<results::StoredScore> start;
  if (!command.start.empty()) start = results::read_score_file(command.start, problem.model, results::Belonging::model);
  ProgressBar bar(common.quiet);
  const simulate::Control control{.progress = bar.listener(), .cancellation = &interruption()};
  api::settle_burn_in(problem, control);
  const data::Provenance provenance = problem::provenance_of(problem, common.command_line);
  const std::optional<score::Method> method = score::method_named(command.method);
  const api::ScoreResult result = api::fit_and_certify(problem, method, start ? start->field.get() : nullptr, control);
  bar.clear();
  const EnsembleStatistics& run = result.run;
  if (!run.usable()) {
    if (common.talks())
      print_diagnostics(common.text(), run.diagnostics);
    else
      print_failures(stderr, run.diagnostics);
    return Exit::numbers_failed;
  }
  const ScoreFit& fit = result.fit;
  const Certificate& certificate = result.certificate;
  if (common.talks()) {
    print(common.text(), fit, result.samples);
    for (const Diagnostic& diagnostic : run.diagnostics)
      if (!diagnostic.passed())
        put_paragraph(common.text(), fmt::format("  {} ", tick(false)),
                      fmt::format("{} of the run: {} {}", name(diagnostic.check), diagnostic.text, diagnostic.remedy));
    if (certificate.cancelled)
      say(common.text(), "\n  There is no certificate: it was stopped before its end. {}\n", result.second.explanation);
    else if (fit.usable())
      print(common.text(), certificate);
  } else if (!fit.usable()) {
    say(stderr, "{}\n", fit.problem);
  } else if (certificate.noise_responses == Verdict::failed) {
    say(stderr, "The score failed its certificate{}.\n",
        certificate.overall == Verdict::failed ? "" : " for responses to noise amplitudes");
  }
  common.write_json(api::document_of(result, problem, provenance), score_name);
  if (fit.usable() && !command.save.empty())
    data::write_file_atomically(common.place(command.save), api::score_text(result, problem, provenance));
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
      ->check(CLI::IsMember(score::method_names()));
  command->add_option("--save", options->save, "Keep the score in this file")->type_name("FILE");
  command->add_option("--start", options->start, "Begin training from the network in this score file")
      ->type_name("FILE");
  command->group(group::model)->footer("Example: gfdt score enso.toml --method kgmm --save enso-score.json");
  command->callback([options, &status] { status = score_command(*options); });
}

}  // namespace gfdt::app
