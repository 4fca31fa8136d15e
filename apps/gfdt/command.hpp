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

/// What every command that works on a problem file takes.
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
  bool report = true;                   ///< whether a page is made of the results
  std::string command_line;

  void add_to(CLI::App& app);
  /// --no-report, of commands that make a page at their end.
  void add_report_to(CLI::App& app);
  /// All but the problem file.
  void add_settings_to(CLI::App& app);

  /// The problem with everything given on the command line applied.
  problem::Problem read() const;
  /// Seed, threads, back end and device.
  void apply_to(problem::Problem& problem) const;
  /// Where text for people goes: standard output, unless that carries JSON.
  std::FILE* text() const;
  /// Whether anything for people is wanted.
  bool talks() const { return !quiet; }

  /// Where a file that is asked for by name goes: into the folder of --out, unless it has a place of its own.
  std::filesystem::path place(const std::string& name) const;

  /// Fails early when a result could not be written in the end.
  void check_writable() const;
  /// Writes a result where --json and --out ask for it; `name` is the file in the folder.
  void write_json(const nlohmann::ordered_json& result, const std::string& name) const;
};

/// Names as help and shells offer them: `{a,b}`. The command itself judges what it is given, and names the nearest.
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
