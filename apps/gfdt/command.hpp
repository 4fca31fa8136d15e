#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/problem/problem.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace CLI {
class App;
}

namespace gfdt::app {

/// Exit status of the command.
enum Exit { done = 0, numbers_failed = 1, bad_input = 2 };

/// Options of every command that reads a problem file.
struct CommonOptions {
  std::string problem_file;
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  int threads = 0;
  std::string out;   ///< folder for results
  std::string json;  ///< file for the result as JSON, `-` for standard output
  std::string backend = "auto";
  std::string device = "cpu";
  bool quiet = false;
  std::optional<bool> control_variate;  ///< instead of response.control_variate
  bool report = true;                   ///< whether to write a report page
  std::string command_line;

  void add_to(CLI::App& app);
  /// --no-report, for commands that write a report page.
  void add_report_to(CLI::App& app);
  /// All options except the problem file.
  void add_settings_to(CLI::App& app);

  /// The problem with everything given on the command line applied.
  problem::Problem read() const;
  /// Seed, threads, back end and device.
  void apply_to(problem::Problem& problem) const;
  /// Stream for human-readable text: standard output, or standard error if JSON goes there.
  std::FILE* text() const;
  /// Whether human-readable text is printed.
  bool talks() const { return !quiet; }

  /// Path of a named output file: inside the folder of --out, unless the name has a folder of its own.
  std::filesystem::path place(const std::string& name) const;

  /// Fails early if a result could not be written at the end.
  void check_writable() const;
  /// Writes a result as requested by --json and --out; `name` is the file in the folder.
  void write_json(const nlohmann::ordered_json& result, const std::string& name) const;
};

/// Choices as shown by help and shell completions: `{a,b}`. The command itself validates the value and suggests the
/// nearest name.
std::string offered(const std::vector<std::string>& choices);

/// Headings of commands in `gfdt --help`, in the order of work.
namespace group {
constexpr const char* begin = "To begin";
constexpr const char* model = "To know the model";
constexpr const char* answer = "To get answers";
constexpr const char* show = "To see and compare";
constexpr const char* shell = "For the shell";
}  // namespace group

/// Each registers a subcommand; its callback sets `status`.
void add_init(CLI::App& app, int& status);
void add_models(CLI::App& app, int& status);
void add_reference(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status, const std::string& command_line);
void add_simulate(CLI::App& app, int& status, const std::string& command_line);
void add_jacobian(CLI::App& app, int& status, const std::string& command_line);
void add_score(CLI::App& app, int& status, const std::string& command_line);
void add_response(CLI::App& app, int& status, const std::string& command_line);
void add_calibrate(CLI::App& app, int& status, const std::string& command_line);
void add_reproduce(CLI::App& app, int& status, const std::string& command_line);
void add_report(CLI::App& app, int& status);
void add_completion(CLI::App& app, int& status);
void add_man(CLI::App& app, int& status);

/// Requested by Ctrl-C; a second Ctrl-C ends the program.
const Cancellation& interruption();

}  // namespace gfdt::app
