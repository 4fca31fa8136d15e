#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace gfdt::app {

/// Help whose descriptions are wrapped at the width of the terminal.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override;
  std::string make_option(const CLI::Option* option, bool positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;

 private:
  std::string line(const std::string& name, const std::string& description) const;
};

}  // namespace gfdt::app
