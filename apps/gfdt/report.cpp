#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "gfdt/report/report.hpp"

namespace gfdt::app {
namespace {

struct ReportCommand {
  std::string folder;
  std::string output;
};

int report_command(const ReportCommand& command) {
  fmt::print("{}\n", report::write_report(command.folder, command.output).string());
  return Exit::done;
}

}  // namespace

void add_report(CLI::App& app, int& status) {
  auto options = std::make_shared<ReportCommand>();
  CLI::App* command = app.add_subcommand("report", "Make one page of figures and tables from the folder of a run");
  command->add_option("run", options->folder, "Folder that --out of another command has filled")
      ->required()
      ->type_name("RUN");
  command->add_option("--output", options->output, "The page; report.html in the folder when left out")
      ->type_name("FILE");
  command->callback([options, &status] { status = report_command(*options); });
  command->group(group::show)->footer("Example: gfdt report enso-run");
}

}  // namespace gfdt::app
