#include "man_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gfdt::app {
namespace {

/// Options that at least this many commands share are described once.
constexpr int commands_that_share = 5;

std::string roff(const std::string& text) {
  std::string result;
  bool begins = true;
  for (char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    begins = c == '\n';
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '\'':
        result += "\\(aq";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// `--backend auto|native|interpreter`, in the fonts of man pages.
std::string tag(const OptionDescription& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  return option.value == Value::none ? names : names + " \\fI" + roff(option.type) + "\\fR";
}

std::string entry_of(const OptionDescription& option) {
  std::string text = fmt::format(".TP\n{}\n{}", tag(option), roff(option.text));
  if (!option.choices.empty()) text += fmt::format(" ({})", roff(fmt::format("{}", fmt::join(option.choices, ", "))));
  return text + ".\n";
}

/// Separates the example lines of a footer from its text.
void divide(const std::string& footer, std::vector<std::string>& examples, std::string& words) {
  for (std::size_t at = 0; at < footer.size();) {
    const std::size_t end = std::min(footer.find('\n', at), footer.size());
    std::string line = footer.substr(at, end - at);
    if (line.starts_with("Example: "))
      examples.push_back(line.substr(9));
    else if (!line.empty())
      words += line + "\n";
    at = end + 1;
  }
}

std::string section_of(const CommandDescription& command, const std::vector<OptionDescription>& shared) {
  std::string synopsis = "\\fBgfdt " + roff(command.name) + "\\fR";
  for (const OptionDescription& positional : command.positionals)
    synopsis += fmt::format(" {0}\\fI{1}\\fR{2}", positional.required ? "" : "[", roff(positional.type),
                            positional.required ? "" : "]");
  std::string text = fmt::format(".SS {} [options]\n{}.\n", synopsis, roff(command.text));
  std::vector<std::string> examples;
  std::string words;
  divide(command.footer, examples, words);
  text += roff(words);
  const auto is_shared = [&](const OptionDescription& option) {
    return std::ranges::any_of(shared, [&](const OptionDescription& other) { return other.names == option.names; });
  };
  for (const OptionDescription& positional : command.positionals)
    if (!positional.text.empty())
      text += entry_of({{positional.type}, positional.text, "", Value::none, positional.choices});
  for (const OptionDescription& option : command.options)
    if (!is_shared(option)) text += entry_of(option);
  return text;
}

std::vector<OptionDescription> shared_options(const std::vector<CommandDescription>& commands) {
  std::vector<OptionDescription> shared;
  for (const CommandDescription& command : commands)
    for (const OptionDescription& option : command.options) {
      const auto has = [&](const OptionDescription& other) {
        return other.names == option.names && other.text == option.text;
      };
      const auto owns = [&](const CommandDescription& c) { return std::ranges::any_of(c.options, has); };
      if (std::ranges::count_if(commands, owns) >= commands_that_share && std::ranges::none_of(shared, has))
        shared.push_back(option);
    }
  return shared;
}

constexpr const char* description = R"(.SH DESCRIPTION
gfdt computes how the long\-run statistics of a stochastic model change with its parameters, by the generalized
fluctuation\-dissipation theorem: from one run, with error bars. With that it finds the parameters whose statistics are
those that were measured.
A model, what is observed of it and the targets are written into one problem file (TOML);
.B gfdt init
writes one to start from and
.B gfdt reference
lists all it may have.
.PP
Numbers are printed with their standard error in parentheses, in units of the last digits: 0.502(12) is 0.502 with the
error 0.012.
)";

constexpr const char* closing = R"(.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
The numbers did not work out: a run blew up or drifts, a score cannot be trusted, a calibration missed its targets or was
stopped. What was found says why.
.TP
.B 2
Bad input: a problem file, an option or a file that makes no sense.
.SH FILES
.TP
.I NAME.toml
The problem.
.TP
.IR NAME\-run/ ", " NAME\-jacobian/ ", " NAME\-reproduce/
Results, as JSON, and the page
.IR report.html ,
where \fB\-\-out\fR gives no other folder.
.TP
.I \(ti/.cache/gfdt/
Compiled models. It can be thrown away at any time.
.SH ENVIRONMENT
.TP
.B NO_COLOR
No colours when it is set to anything. Colours are for terminals only; \fB\-\-color\fR decides otherwise.
.TP
.B TERM
No colours when it is
.IR dumb .
.TP
.B COLUMNS
Tables and paragraphs are broken at this width instead of that of the terminal.
.TP
.BR LC_ALL ", " LC_CTYPE ", " LANG
Charts are drawn in block characters where these name UTF\-8, else in ASCII.
.TP
.B GFDT_CACHE
The folder of compiled models;
.I gfdt
in
.B XDG_CACHE_HOME
or in
.I \(ti/.cache
when it is not set.
.TP
.B GFDT_CXX
The compiler of models.
)";

}  // namespace

std::string man_page(const std::vector<CommandDescription>& commands, const std::string& version) {
  const std::vector<OptionDescription> shared = shared_options(commands);
  std::string page = fmt::format(".TH GFDT 1 \"\" \"gfdt {}\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\ngfdt \\- {}\n",
                                 roff(version), roff(commands.at(0).text.substr(commands[0].text.find(": ") + 2)));
  page += ".SH SYNOPSIS\n.B gfdt\n.I COMMAND\n[options]\n";
  page += description;
  page += ".SH COMMANDS\n";
  for (const CommandDescription& command : commands)
    if (!command.name.empty()) page += section_of(command, shared);
  page += ".SH OPTIONS OF MOST COMMANDS\n";
  for (const OptionDescription& option : shared) page += entry_of(option);
  page += closing;
  page += ".SH EXAMPLES\n.nf\n.RS\n";
  std::vector<std::string> examples;
  std::string words;
  for (const CommandDescription& command : commands) divide(command.footer, examples, words);
  for (const std::string& example : examples) page += roff(example) + "\n";
  return page + ".RE\n.fi\n";
}

}  // namespace gfdt::app
