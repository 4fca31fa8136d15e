#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "gfdt/api/jacobian_task.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/input_files.hpp"
#include "gfdt/data/write_atomically.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "jacobian_table.hpp"
#include "progress_bar.hpp"
#include "result_page.hpp"
#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using jacobian::GfdtJacobian;

constexpr const char* jacobian_name = "jacobian.json";
constexpr const char* kept_score_name = "fitted-score.json";

struct JacobianCommand {
  CommonOptions common;
  std::string method;
  std::string score;
  std::vector<std::string> compare;
  std::vector<std::string> parameters;
  std::vector<double> window;
  std::string trajectory;
  std::string save;
};

std::vector<api::JacobianMethod> methods_of(const JacobianCommand& command, const problem::Problem& problem) {
  api::refuse_repetition(command.compare, "--compare");
  if (!command.compare.empty() && (!command.method.empty() || !command.score.empty()))
    throw Error("--compare names its methods itself; leave out --method and --score.");
  std::vector<api::JacobianMethod> methods;
  for (const std::string& name : command.compare) methods.push_back(api::jacobian_method(name));
  if (!methods.empty()) return methods;
  // A score can be saved only if one is fitted.
  const bool keeps =
      !command.save.empty() && command.method.empty() && problem.response.method == jacobian::Method::automatic;
  return {
      api::jacobian_method(problem, keeps ? jacobian::name(jacobian::Method::gfdt) : command.method, command.score)};
}

bool fits_a_score(const api::JacobianMethod& method) {
  return method.method == jacobian::Method::gfdt && method.score_file.empty();
}

/// File for the fitted score; empty if not requested. Fails early if it could not be written.
std::filesystem::path place_of_score(const JacobianCommand& command, const std::vector<api::JacobianMethod>& methods) {
  const CommonOptions& common = command.common;
  const bool fits = std::ranges::any_of(methods, fits_a_score);
  if (!command.save.empty() && !fits)
    throw Error(
        "--save keeps the score that is fitted, and here none is: leave it out, or ask for a method of scores.");
  if (!common.out.empty() && common.place(command.save) == common.place(jacobian_name))
    throw Error(
        fmt::format("'{}' is the file of the results in the folder of --out; give --save another name.", command.save));
  if (!fits || (command.save.empty() && common.out.empty())) return {};
  const std::filesystem::path place = common.place(command.save.empty() ? kept_score_name : command.save);
  data::PendingFile probe(place);
  return place;
}

/// After Ctrl-C: prints the completed results and writes nothing.
int stopped(const CommonOptions& common, const std::vector<NamedJacobian>& complete) {
  if (common.talks()) print_jacobians(common.text(), complete);
  say(stderr, "The run was stopped before its end: there is no {}Jacobian, and no JSON was written.\n",
      complete.empty() ? "" : "further ");
  return Exit::numbers_failed;
}

int jacobian_command(const JacobianCommand& command) {
  const CommonOptions& common = command.common;
  problem::Problem problem = common.read();
  data::protect_input(command.trajectory);
  common.check_writable();
  if (!command.window.empty()) {
    problem.response.window = {command.window[0], command.window[1]};
    if (const std::string wrong = problem.response.problem(); !wrong.empty()) throw Error(wrong);
  }
  const std::vector<api::JacobianMethod> methods = methods_of(command, problem);
  for (const api::JacobianMethod& method : methods) data::protect_input(method.score_file);
  const std::unique_ptr<api::JacobianTask> task =
      api::jacobian_task(std::move(problem), command.parameters, command.trajectory, {{}, &interruption()});
  const data::Provenance provenance = problem::provenance_of(task->problem, common.command_line);
  const std::filesystem::path keep = place_of_score(command, methods);

  ProgressBar bar(common.quiet);
  std::vector<NamedJacobian> results;
  nlohmann::ordered_json document;
  bool usable = true, kept = false;
  for (const api::JacobianMethod& method : methods) {
    const GfdtJacobian result =
        api::estimate(*task, method, {.progress = bar.listener(), .cancellation = &interruption()});
    bar.clear();
    if (interruption().requested() && !result.jacobian.usable()) return stopped(common, results);
    usable &= result.jacobian.complete();
    nlohmann::ordered_json json = api::document_of(result, method.name);
    if (methods.size() == 1)
      document = std::move(json);
    else
      document["comparison"].push_back(std::move(json));
    if (!keep.empty() && fits_a_score(method) && !result.score.fits.empty() && !kept) {
      if (const std::string text = api::score_text(result, *task, provenance); !text.empty())
        data::write_file_atomically(keep, text);
      kept = true;
    }
    results.push_back({.name = method.name,
                       .jacobian = result.jacobian,
                       .correction_degree = result.basis ? result.basis->degree() : 0,
                       .recorded = task->recorded});
  }
  document["seed"] = task->problem.simulation.seed;
  document["provenance"] = data::provenance_json(provenance);
  if (common.talks())
    print_jacobians(common.text(), results);
  else
    for (const NamedJacobian& result : results) print_failures(stderr, result.jacobian.diagnostics);
  common.write_json(document, jacobian_name);
  write_page(common, document, jacobian_name, folder_beside(common.problem_file, "jacobian"));
  return usable ? Exit::done : Exit::numbers_failed;
}

}  // namespace

void add_jacobian(CLI::App& app, int& status, const std::string& command_line) {
  auto options = std::make_shared<JacobianCommand>();
  options->common.command_line = command_line;
  CLI::App* command = app.add_subcommand(
      "jacobian",
      "Estimate the derivatives of all statistics with respect to all parameters, with error bars, from one run");
  options->common.add_to(*command);
  options->common.add_report_to(*command);
  command->add_option("--method", options->method, "Instead of response.method")
      ->type_name("METHOD")
      ->check(CLI::IsMember(jacobian::method_names()));
  command->add_option("--score", options->score, "A method instead of score.method, or the file of a kept score")
      ->type_name("METHOD|FILE")
      ->check(CLI::Validator(offered(score::method_names())));
  command
      ->add_option("--compare", options->compare,
                   "Several side by side: auto, finite-difference, …, methods of scores, score files")
      ->type_name("LIST")
      ->delimiter(',')
      ->check(CLI::Validator(offered(api::jacobian_method_names())));
  command->add_option("--parameters", options->parameters, "Columns to estimate (default: all parameters)")
      ->type_name("LIST")
      ->delimiter(',');
  command->add_option("--window", options->window, "Instead of response.window: average the step response over it")
      ->type_name("START,END")
      ->delimiter(',')
      ->expected(2);
  command->add_option("--trajectory", options->trajectory, "States from another program instead of a run: .nc or .csv")
      ->type_name("FILE");
  command->add_option("--save", options->save, "Keep the fitted score in this file, for --score")->type_name("FILE");
  command->callback([options, &status] { status = jacobian_command(*options); });
  command->group(group::answer)
      ->footer(
          "Results and report.html go to the folder of --out, by default NAME-jacobian for NAME.toml.\n"
          "Example: gfdt jacobian enso.toml --compare kgmm,finite-difference");
}

}  // namespace gfdt::app
