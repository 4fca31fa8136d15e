#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/results/json/diagnostic_json.hpp"
#include "gfdt/statistics/checks/metastability.hpp"
#include "gfdt/statistics/checks/pilot_run.hpp"
#include "gfdt/symbolic/derived/conjugate.hpp"
#include "gfdt/symbolic/derived/derivative_check.hpp"
#include "gfdt/symbolic/text/print.hpp"
#include "progress_bar.hpp"
#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

/// State variables times steps of the pilot run: enough to detect instability and slow mixing in about a second.
constexpr double pilot_work = 5e8;

struct CheckOptions {
  CommonOptions common;
  bool derivatives = false;
};

struct CheckCommand {
  std::vector<symbolic::Conjugate> conjugates;
  std::vector<symbolic::DerivativeCheck> derivatives;
  statistics::BurnIn burn_in;
  statistics::PilotRun pilot;
  double full_seconds = 0;  ///< what the run of the file will take
};

/// The text of a formula, shortened if it is very long.
std::string formula_text(const symbolic::Expression& formula) {
  return symbolic::abbreviated(formula, symbolic::longest_text);
}

void print_model(std::FILE* file, const problem::Problem& problem) {
  const symbolic::Model& m = problem.model;
  std::vector<std::string> states, parameters;
  const std::size_t own_states = m.states.size() - (m.time_state ? 1 : 0);  // the time is the last
  for (std::size_t i = 0; i < own_states; ++i) states.push_back(m.states[i].label());
  const int variables = m.dimension() - (m.time_state ? 1 : 0);
  for (const symbolic::Parameter& p : m.parameters) parameters.push_back(fmt::format("{} = {:g}", p.name, p.value));
  say(file, "Model: {} ({} state variable{})\n", fmt::join(states, ", "), variables, variables == 1 ? "" : "s");
  if (m.time_state)
    say(file, "  depends on the time {}{}\n", symbolic::time_name,
        m.period ? fmt::format(", with the period {:g}", *m.period) : "");
  for (std::size_t i = 0; i < own_states; ++i)
    if (m.is_angle(i)) say(file, "  {} is an angle: all formulas repeat after 2π\n", m.states[i].label());
  say(file, "  parameters: {}\n", fmt::join(parameters, ", "));
  for (std::size_t i = 0; i < own_states; ++i)
    say(file, "  drift of {}: {}\n", m.states[i].label(), formula_text(m.drift[i]));
  for (std::size_t i = 0; i < own_states; ++i) {
    std::vector<std::string> terms;
    for (const symbolic::DiffusionTerm& term : m.diffusion)
      if (term.state == i)
        terms.push_back(fmt::format("({}) d{}", formula_text(term.amplitude), formula_text(term.noise_site)));
    say(file, "  noise of {}: {}\n", m.states[i].label(),
        terms.empty() ? "none" : fmt::format("{}", fmt::join(terms, " + ")));
  }
  for (const symbolic::Observable& o : m.observables)
    say(file, "  observable {}: {}\n", o.name, formula_text(o.formula));
}

void print_conjugates(std::FILE* file, const symbolic::Model& model,
                      const std::vector<symbolic::Conjugate>& conjugates) {
  say(file, "\nConjugate observables (s.x is the score ∂log ρ/∂x, ds.x.y its derivative with respect to y)\n");
  for (const symbolic::Conjugate& g : conjugates) {
    if (g.unavailable.empty())
      say(file, "  g_{} = {}\n", g.parameter, symbolic::readable(model, g.total()));
    else
      say(file, "  g_{}: not available. {}\n", g.parameter, g.unavailable);
  }
}

void print_derivatives(std::FILE* file, const std::vector<symbolic::DerivativeCheck>& checks) {
  if (checks.empty()) return;
  say(file, "\nDerivatives, symbolic against central differences at random states\n");
  Table table({"derivative", "largest relative difference", ""});
  for (const symbolic::DerivativeCheck& check : checks)
    table.add({check.what, fmt::format("{:.1e}", check.largest_error), tick(check.agrees())});
  table.print(file);
}

void print_pilot(std::FILE* file, const CheckCommand& check, const simulate::Options& full) {
  say(file, "\nPilot run, {} members for {:g} time units\n", check.pilot.options.members, check.pilot.options.length);
  print_diagnostics(file, check.pilot.statistics.diagnostics);
  double steps = static_cast<double>(full.members) * (full.length + full.burn_in_time()) / full.dt;
  say(file, "\n  The run of this file takes {:.3g} steps ({} members, {:g} time units each): about {:.2g} s.\n", steps,
      full.members, full.length + full.burn_in_time(), check.full_seconds);
}

/// Estimated seconds of the whole run. The cost of a block does not depend on the number of lanes in use; at most one
/// thread per block is used.
double forecast(const CheckCommand& check, const simulate::Options& full) {
  const int threads = full.thread_count() * ranks::count();
  auto rounds = [&](int members) {
    int blocks = (members + check.pilot.statistics.run.lanes - 1) / std::max(check.pilot.statistics.run.lanes, 1);
    return static_cast<double>((blocks + threads - 1) / threads);
  };
  double pilot_time = check.pilot.options.length + check.pilot.options.burn_in_time();
  return (check.pilot.statistics.run.wall_seconds - check.pilot.statistics.run.compile_seconds) * rounds(full.members) *
         (full.length + full.burn_in_time()) / (rounds(check.pilot.options.members) * pilot_time);
}

nlohmann::ordered_json to_json(const CheckCommand& check, const problem::Problem& problem,
                               const data::Provenance& provenance) {
  nlohmann::ordered_json json;
  for (const symbolic::Conjugate& g : check.conjugates)
    json["conjugates"][g.parameter] = g.unavailable.empty()
                                          ? nlohmann::ordered_json(symbolic::readable(problem.model, g.total()))
                                          : nlohmann::ordered_json(nullptr);
  json["derivatives"] = nlohmann::ordered_json::array();
  for (const symbolic::DerivativeCheck& d : check.derivatives)
    json["derivatives"].push_back(
        {{"what", d.what}, {"largest_error", data::json_number(d.largest_error)}, {"agrees", d.agrees()}});
  json["findings"] = results::to_json(check.pilot.statistics.diagnostics);
  json["forecast_seconds"] = data::json_number(check.full_seconds);
  json["provenance"] = data::provenance_json(provenance);
  return json;
}

int check_command(const CheckOptions& options) {
  const CommonOptions& common = options.common;
  problem::Problem problem = common.read();
  common.check_writable();
  std::FILE* file = common.text();
  CheckCommand check;
  for (const symbolic::Parameter& parameter : problem.model.parameters)
    check.conjugates.push_back(symbolic::conjugate(problem.model, parameter.name));
  if (options.derivatives) check.derivatives = symbolic::check_derivatives(problem.model, 20, problem.simulation.seed);
  if (common.talks()) {
    print_model(file, problem);
    print_conjugates(file, problem.model, check.conjugates);
    print_derivatives(file, check.derivatives);
  }

  if (problem.command)
    say(stderr,
        "The pilot run is one of the formulas: simulation.command is not run by 'gfdt check'. 'gfdt simulate' "
        "runs it.\n");
  ProgressBar bar(common.quiet);
  const simulate::Control control{.progress = bar.listener(), .cancellation = &interruption()};
  check.burn_in = statistics::choose_burn_in(problem.model, problem.simulation, control);
  problem.simulation.burn_in = check.burn_in.time;
  check.pilot = statistics::pilot_run(problem.model, problem.simulation, pilot_work, control);
  bar.clear();
  const simulate::Options& full = problem.simulation;
  check.full_seconds = forecast(check, full);
  if (check.pilot.done()) {
    std::vector<Diagnostic>& diagnostics = check.pilot.statistics.diagnostics;
    if (!problem.model.time_state) diagnostics.push_back(check.burn_in.diagnostic());
    diagnostics.push_back(statistics::time_step(problem.model, check.pilot, {{}, &interruption()}));
    diagnostics.push_back(statistics::metastability(problem.model, full, check.pilot, {{}, &interruption()}));
  }
  if (common.talks()) {
    if (!check.pilot.statistics.run.backend.notice.empty())
      say(stderr, "{}\n", check.pilot.statistics.run.backend.notice);
    print_pilot(file, check, full);
  } else {
    print_failures(stderr, check.pilot.statistics.diagnostics);
  }
  common.write_json(to_json(check, problem, problem::provenance_of(problem, common.command_line)), "check.json");
  bool sound =
      check.pilot.statistics.complete() && std::ranges::all_of(check.derivatives, &symbolic::DerivativeCheck::agrees);
  return sound ? Exit::done : Exit::numbers_failed;
}

}  // namespace

void add_check(CLI::App& app, int& status, const std::string& command_line) {
  auto options = std::make_shared<CheckOptions>();
  options->common.command_line = command_line;
  CLI::App* command =
      app.add_subcommand("check", "Validate the problem and run a pilot: stability, mixing time, time step, cost");
  options->common.add_to(*command);
  command->add_flag("--derivatives", options->derivatives, "Compare the derived formulas with finite differences");
  command->group(group::model)->footer("Example: gfdt check enso.toml --derivatives");
  command->callback([options, &status] { status = check_command(*options); });
}

}  // namespace gfdt::app
