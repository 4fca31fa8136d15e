#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/input_files.hpp"
#include "gfdt/report/report.hpp"
#include "styled_text.hpp"

namespace gfdt::app {
namespace {

struct ReportCommand {
  std::string folder;
  std::string output;
};

/// The documents of a run, and those of the methods of a comparison, which have folders in it.
void protect_documents(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (auto entry = std::filesystem::recursive_directory_iterator(folder, ignored);
       entry != std::filesystem::recursive_directory_iterator(); entry.increment(ignored)) {
    if (entry.depth() > 0) entry.disable_recursion_pending();
    if (entry->path().filename() != "report.html") data::protect_input(entry->path());
  }
}

int report_command(const ReportCommand& command) {
  protect_documents(command.folder);
  try {
    say(stdout, "{}\n", report::write_report(command.folder, command.output).string());
  } catch (const nlohmann::json::exception&) {
    throw Error(
        fmt::format("A document in '{}' is damaged: an entry is missing or of the wrong kind.", command.folder));
  }
  return Exit::done;
}

}  // namespace

void add_report(CLI::App& app, int& status) {
  auto options = std::make_shared<ReportCommand>();
  CLI::App* command = app.add_subcommand("report", "Make one page of figures and tables from the folder of a run");
  command->add_option("run", options->folder, "Folder that --out of another command has filled")
      ->required()
      ->type_name("RUN");
  command->add_option("--output", options->output, "File of the page (default: report.html in the folder)")
      ->type_name("FILE");
  command->callback([options, &status] { status = report_command(*options); });
  command->group(group::show)->footer("Example: gfdt report enso-run");
}

}  // namespace gfdt::app
