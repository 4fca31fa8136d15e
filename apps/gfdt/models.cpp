#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/base/nearest.hpp"
#include "shipped_models.hpp"
#include "styled_text.hpp"

namespace gfdt::app {
namespace {

/// The first line of the comment at the head of a model's file.
std::string summary(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.starts_with("# ")) line.remove_prefix(2);
  return std::string(line);
}

int list_models() {
  for (const ShippedModel& model : shipped_models()) say(stdout, "  {:<20} {}\n", model.name, summary(model.text));
  say(stdout, "\n  gfdt models NAME prints the file; save it, or name a copy in [model] file = \"...\".\n");
  return Exit::done;
}

int print_model(const std::string& name) {
  std::vector<std::string> names;
  for (const ShippedModel& model : shipped_models()) {
    if (model.name == name) {
      say(stdout, "{}", model.text);
      return Exit::done;
    }
    names.emplace_back(model.name);
  }
  throw Error(fmt::format("There is no model '{}'.{} 'gfdt models' lists them.", name, suggestion(name, names)));
}

}  // namespace

void add_models(CLI::App& app, int& status) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("models", "List the models that come with the program, or print one");
  std::vector<std::string> names;
  for (const ShippedModel& model : shipped_models()) names.emplace_back(model.name);
  command->add_option("name", *name, "Model to print")->type_name("NAME")->check(CLI::Validator(offered(names)));
  command->group(group::begin)->footer("Example: gfdt models triad > triad.toml");
  command->callback([name, &status] { status = name->empty() ? list_models() : print_model(*name); });
}

}  // namespace gfdt::app
