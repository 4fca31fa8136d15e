#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "command.hpp"
#include "command_description.hpp"
#include "completion.hpp"
#include "gfdt/data/provenance.hpp"
#include "man_page.hpp"
#include "styled_text.hpp"

namespace gfdt::app {
namespace {

std::string completion(const CLI::App& app, const std::string& shell) {
  const std::vector<CommandDescription> commands = describe(app);
  if (shell == "bash") return bash_completion(commands);
  return shell == "zsh" ? zsh_completion(commands) : fish_completion(commands);
}

}  // namespace

void add_completion(CLI::App& app, int& status) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print the completion script for a shell");
  command->add_option("shell", *shell, "The shell")
      ->required()
      ->type_name("SHELL")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&app, shell, &status] {
    say(stdout, "{}", completion(app, *shell));
    status = Exit::done;
  });
  command->group(group::shell)
      ->footer(
          "Example: source <(gfdt completion bash)\n"
          "Example: gfdt completion zsh > ~/.zfunc/_gfdt\n"
          "Example: gfdt completion fish > ~/.config/fish/completions/gfdt.fish");
}

void add_man(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page, for man");
  command->callback([&app, &status] {
    say(stdout, "{}", man_page(describe(app), data::version()));
    status = Exit::done;
  });
  command->group(group::shell)->footer("Example: gfdt man | man -l -");
}

}  // namespace gfdt::app
