#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "gfdt/api/simulation_document.hpp"
#include "gfdt/api/simulation_task.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/base/readable_number.hpp"
#include "gfdt/data/trajectory_writer.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/problem/resolve_targets.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "progress_bar.hpp"
#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using statistics::Average;
using statistics::EnsembleStatistics;

struct SimulateOptions {
  CommonOptions common;
  std::string trajectory;
};

/// The target of an observable and the deviation from it, in combined standard deviations.
std::vector<std::string> beside_target(const Average& average, const calibrate::Targets& targets) {
  const auto found = std::ranges::find(targets.observables, average.name);
  if (found == targets.observables.end()) return {"", ""};
  const auto i = static_cast<std::size_t>(found - targets.observables.begin());
  const double error = targets.standard_error(i);
  const double off = (average.mean - targets.value[i]) / std::hypot(error, average.standard_error);
  return {with_error(targets.value[i], error), fmt::format("{:+.1f} σ", off)};
}

void print(std::FILE* file, const EnsembleStatistics& result, const problem::Problem& problem,
           const calibrate::Targets& targets) {
  const simulate::Options& options = problem.simulation;
  if (!result.observables.empty()) {
    std::vector<std::string> heading{"observable", "mean(std error)", "std", "autocorrelation time",
                                     "effective samples"};
    const bool replaced =
        std::ranges::any_of(result.observables, [](const Average& average) { return average.plain.has_value(); });
    if (replaced) heading.insert(heading.begin() + 2, "plain average");
    if (targets.size() > 0) heading.insert(heading.end(), {"target(std)", "off by"});
    Table table(heading);
    for (const Average& a : result.observables) {
      std::vector<std::string> row{a.name, with_error(a.mean, a.standard_error)};
      if (replaced) row.push_back(plain_text(a));
      if (std::isfinite(a.mean))
        row.insert(row.end(), {fmt::format("{:.4g}", a.standard_deviation),
                               fmt::format("{}{:.3g}", a.autocorrelation_resolved ? "" : "≥ ", a.autocorrelation_time),
                               approximate(a.effective_samples)});
      else
        row.insert(row.end(), {"", "", ""});
      if (targets.size() > 0)
        for (std::string& cell : beside_target(a, targets)) row.push_back(std::move(cell));
      table.add(row);
    }
    table.print(file);
    put_secondary(file, errors_in_parentheses);
    say(file, "\n");
    for (const std::string& remark : targets.remarks) put_paragraph(file, "  ", remark);
    if (!targets.remarks.empty()) say(file, "\n");
  }
  print_diagnostics(file, result.diagnostics);
  say(file, "\n");
  const std::string run =
      problem.command ? std::string("Run of simulation.command")
                      : fmt::format("{} member{}, dt {:g}, {}, {}", options.members, options.members == 1 ? "" : "s",
                                    options.dt, simulate::name(options.scheme), simulate::name(options.precision));
  put_secondary(file, fmt::format("{}; {:.4g} time units simulated in {:.2f} s; seed {}", run,
                                  result.run.simulated_time, result.run.wall_seconds, options.seed));
}

int simulate_command(const SimulateOptions& options) {
  const CommonOptions& common = options.common;
  problem::Problem problem = common.read();
  common.check_writable();
  if (problem.model.observables.empty() && options.trajectory.empty())
    throw Error(fmt::format("'{}' has no [observables]: nothing to compute.", common.problem_file));
  const calibrate::Targets targets = problem::given_and_measured_targets(problem);
  std::unique_ptr<data::TrajectoryWriter> writer;
  std::unique_ptr<data::TrajectorySink> writing;
  const auto sinks = [&](const simulate::Options& run) -> std::vector<simulate::Sink*> {
    if (options.trajectory.empty()) return {};
    writing.reset();
    writer.reset();
    if (ranks::own() == 0)
      writer =
          data::make_trajectory_writer(common.place(options.trajectory), data::trajectory_layout(problem.model, run),
                                       problem::provenance_of(problem, common.command_line));
    writing = writer ? std::make_unique<data::TrajectorySink>(*writer) : std::make_unique<data::TrajectorySink>();
    return {writing.get()};
  };

  ProgressBar bar(common.quiet);
  const EnsembleStatistics result =
      api::simulate_problem(problem, {.progress = bar.listener(), .cancellation = &interruption()}, sinks);
  const data::Provenance provenance = problem::provenance_of(problem, common.command_line);
  bar.clear();
  if (writer && result.run.status == simulate::Status::done) writer->finish();
  if (common.talks()) {
    if (!result.run.backend.notice.empty()) say(stderr, "{}\n", result.run.backend.notice);
    print(common.text(), result, problem, targets);
  } else {
    print_failures(stderr, result.diagnostics);
  }
  common.write_json(api::document_of(result, problem, provenance), "simulate.json");
  return result.complete() ? Exit::done : Exit::numbers_failed;
}

}  // namespace

void add_simulate(CLI::App& app, int& status, const std::string& command_line) {
  auto options = std::make_shared<SimulateOptions>();
  options->common.command_line = command_line;
  CLI::App* command = app.add_subcommand("simulate", "Run the model: statistics of the observables with error bars");
  options->common.add_to(*command);
  command
      ->add_option("--trajectory", options->trajectory, "Write the states to this file as well: .nc (netCDF) or .csv")
      ->type_name("FILE");
  command->group(group::model)
      ->footer("Example: gfdt simulate enso.toml --set simulation.length=5000 --trajectory states.nc");
  command->callback([options, &status] { status = simulate_command(*options); });
}

}  // namespace gfdt::app
