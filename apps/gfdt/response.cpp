#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "gfdt/api/response_task.hpp"
#include "gfdt/data/csv/csv.hpp"
#include "gfdt/data/input_files.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "progress_bar.hpp"
#include "response_output.hpp"
#include "result_page.hpp"
#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

struct ResponseCommand {
  CommonOptions common;
  api::ResponseRequest request;
  std::string forcing;
};

int response_command(const ResponseCommand& command) {
  const CommonOptions& common = command.common;
  const problem::Problem problem = common.read();
  api::ResponseRequest request = command.request;
  for (const std::string& file : {command.forcing, request.trajectory, request.score}) data::protect_input(file);
  if (!command.forcing.empty()) {
    data::Series series = data::read_series(command.forcing);
    request.series.emplace(std::move(series.time), std::move(series.value));
  }
  api::check(request, problem);
  common.check_writable();
  const data::Provenance provenance = problem::provenance_of(problem, common.command_line);
  ProgressBar bar(common.quiet);
  const api::ResponseResult result =
      api::respond(request, problem, {.progress = bar.listener(), .cancellation = &interruption()});
  bar.clear();
  if (common.talks()) {
    if (result.curves) print(common.text(), *result.curves);
    if (result.last) print(common.text(), *result.last, observable_names(problem.model));
    say(common.text(), "\n");
    print_diagnostics(common.text(), result.diagnostics);
  } else {
    print_failures(stderr, result.diagnostics);
  }
  common.write_json(api::document_of(result, problem, provenance), "response.json");
  if (!common.out.empty()) write_page(common, common.out);
  return result.usable() ? Exit::done : Exit::numbers_failed;
}

}  // namespace

void add_response(CLI::App& app, int& status, const std::string& command_line) {
  auto options = std::make_shared<ResponseCommand>();
  options->common.command_line = command_line;
  CLI::App* command = app.add_subcommand(
      "response", "Responses of the statistics in time: kernels, and answers to a step or a series of a parameter");
  options->common.add_to(*command);
  options->common.add_report_to(*command);
  command
      ->add_option("--parameter", options->request.parameter,
                   "The parameter that changes; kernels of all when left out")
      ->type_name("NAME");
  command->add_option("--size", options->request.size, "It is changed by this much from time 0 on (1)")
      ->type_name("NUMBER");
  command->add_option("--forcing", options->forcing, "It is changed by this series: CSV with columns time, value")
      ->type_name("FILE");
  command->add_option("--until", options->request.until, "The last time after the change begins")->type_name("TIME");
  command
      ->add_option("--score", options->request.score, "A method instead of score.method, or the file of a kept score")
      ->type_name("METHOD|FILE")
      ->check(CLI::Validator(offered(score::method_names())));
  command
      ->add_option("--trajectory", options->request.trajectory,
                   "Samples of another program instead of runs of the model")
      ->type_name("FILE");
  command->add_flag(
      "--transient", options->request.transient,
      "Start from the distribution in [model.initial], without burn-in (always so for models that depend on time)");
  command->add_flag("--check", options->request.check, "Run the change as well: two perturbed ensembles");
  command->group(group::answer)
      ->footer("Example: gfdt response enso.toml --parameter F0 --size 0.1 --until 20 --check");
  command->callback([options, &status] { status = response_command(*options); });
}

}  // namespace gfdt::app
