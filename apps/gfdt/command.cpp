#include "command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gfdt/base/error.hpp"
#include "gfdt/data/input_files.hpp"
#include "gfdt/data/sealed_json.hpp"
#include "gfdt/data/write_atomically.hpp"
#include "gfdt/parallel/ranks.hpp"

namespace gfdt::app {
namespace {

void on_interrupt(int signal) {
  ranks::request_stop();
  std::signal(signal, SIG_DFL);
}

}  // namespace

const Cancellation& interruption() {
  static bool installed = [] {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    return true;
  }();
  (void)installed;
  return ranks::stopping();
}

std::string offered(const std::vector<std::string>& choices) { return fmt::format("{{{}}}", fmt::join(choices, ",")); }

void CommonOptions::add_to(CLI::App& app) {
  app.add_option("file", problem_file, "Problem file")->required()->type_name("FILE");
  add_settings_to(app);
}

void CommonOptions::add_report_to(CLI::App& app) {
  app.add_flag("!--no-report", report, "Make no report page at the end");
}

void CommonOptions::add_settings_to(CLI::App& app) {
  app.add_option("--set", set, "Change an entry of the problem file, as in simulation.dt=0.005 or F0=0.7")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_option("--seed", seed, "Seed of all random numbers, from 0 to 2^64 - 1")
      ->type_name("N")
      ->check([](const std::string& text) {
        std::uint64_t number = 0;
        auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
        bool whole = problem == std::errc() && end == text.data() + text.size();
        return whole ? std::string() : fmt::format("'{}' is not a whole number from 0 to 2^64 - 1.", text);
      });
  app.add_option("--threads", threads, "Number of threads; all there are when left out")
      ->check([](const std::string& text) {
        int count = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
        const bool whole = problem == std::errc() && end == text.data() + text.size();
        if (whole && count < 1) return fmt::format("There must be at least one thread, not '{}'.", text);
        return whole ? std::string() : fmt::format("'{}' is not a number of threads.", text);
      })
      ->type_name("N");
  app.add_option("--out", out, "Folder for results")->type_name("DIR");
  app.add_option("--json", json, "File for the result as JSON; - for standard output")->type_name("FILE");
  app.add_option("--backend", backend, "How the model is run: generated code where there is a compiler")
      ->check(CLI::IsMember({"auto", "native", "interpreter"}));
  app.add_option("--device", device, "Where the model is run: auto takes a GPU where there is one")
      ->check(CLI::IsMember({"cpu", "cuda", "auto"}));
  app.add_flag_function(
      "--control-variate,!--no-control-variate", [this](std::int64_t times) { control_variate = times > 0; },
      "Reduce the variance of statistics and Jacobians with control variates");
  app.add_flag("--quiet", quiet, "Print nothing but errors");
}

problem::Problem CommonOptions::read() const {
  problem::Problem problem = problem::read_problem(problem_file, set);
  ranks::require_same("problem file", problem.text);
  ranks::require_same("model file", problem.model_text);
  for (const std::string& file : {problem.file, problem.model_file}) data::protect_input(file);
  if (problem.targets.data) data::protect_input(problem.targets.data->file);
  apply_to(problem);
  return problem;
}

void CommonOptions::apply_to(problem::Problem& problem) const {
  if (seed) problem.simulation.seed = *seed;
  if (threads > 0) problem.simulation.threads = threads;
  if (control_variate) problem.response.control_variate = *control_variate;
  if (backend == "native") problem.simulation.backend = codegen::Backend::native;
  if (backend == "interpreter") problem.simulation.backend = codegen::Backend::interpreter;
  if (device == "cuda" || (device == "auto" && codegen::device_missing().empty()))
    problem.simulation.backend = codegen::choose_backend(codegen::Backend::cuda).backend;
}

std::FILE* CommonOptions::text() const { return json == "-" ? stderr : stdout; }

std::filesystem::path CommonOptions::place(const std::string& name) const {
  const std::filesystem::path file = name;
  return !out.empty() && file.is_relative() ? std::filesystem::path(out) / file : file;
}

void CommonOptions::check_writable() const {
  namespace fs = std::filesystem;
  ranks::run_on_root("a look at the place of results", [&] {
    if (!out.empty()) {
      std::error_code error;
      fs::create_directories(out, error);
      if (error || !fs::is_directory(out) || access(out.c_str(), W_OK | X_OK) != 0)
        throw Error(fmt::format("The folder '{}' cannot be written{}.", out, error ? ": " + error.message() : ""));
    }
    if (!json.empty() && json != "-") data::PendingFile probe(json);
  });
}

void CommonOptions::write_json(const nlohmann::ordered_json& result, const std::string& name) const {
  ranks::run_on_root("the writing of results", [&] {
    const std::string document = data::sealed_text(result);
    if (json == "-") {
      if (std::fputs(document.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
        throw Error("The result cannot be written to standard output.");
    } else if (!json.empty()) {
      data::write_file_atomically(json, document);
    }
    if (!out.empty()) data::write_file_atomically(std::filesystem::path(out) / name, document);
  });
}

}  // namespace gfdt::app
