#include "gfdt/problem/reference.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "styled_text.hpp"

namespace gfdt::app {

void add_reference(CLI::App& app, int& status) {
  auto section = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("reference", "Print every key of the problem file: value, default, meaning");
  command->add_option("section", *section, "One section; all when left out")
      ->type_name("SECTION")
      ->check(CLI::Validator(offered({"model", "targets", "simulation", "score", "response", "calibration"})));
  command->group(group::begin)->footer("Example: gfdt reference simulation");
  command->callback([section, &status] {
    say(stdout, "{}", problem::reference(*section));
    status = Exit::done;
  });
}

}  // namespace gfdt::app
