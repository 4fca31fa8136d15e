#include "help_formatter.hpp"

#include "styled_text.hpp"

namespace gfdt::app {

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return paragraph("", app->get_description(), columns_of(stdout));
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool positional) const {
  std::string name = make_option_name(option, positional);
  if (const std::size_t brace = name.find('{'); brace != std::string::npos) name.erase(brace);  // --no-report{false}
  return line(name + make_option_opts(option), make_option_desc(option));
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return line(command->get_display_name(true), command->get_description());
}

std::string HelpFormatter::line(const std::string& name, const std::string& description) const {
  const std::size_t column = get_column_width(), width = 2 + display_width(name);
  if (description.empty()) return "  " + name + "\n";
  const std::string margin(column, ' ');
  const bool beside = width < column;
  const std::string lead = beside ? "  " + name + std::string(column - width, ' ') : margin;
  return (beside ? "" : "  " + name + "\n") + paragraph(lead, description, columns_of(stdout));
}

}  // namespace gfdt::app
