#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/base/nearest.hpp"
#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/data/provenance.hpp"
#include "gfdt/simulate/source.hpp"
#include "help_formatter.hpp"
#include "on_ranks.hpp"
#include "styled_text.hpp"

namespace {

void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::ranges::find(names, argv[1]) != names.end()) return;
  throw gfdt::Error(
      fmt::format("gfdt has no command '{}'.{} 'gfdt --help' lists them.", argv[1], gfdt::suggestion(argv[1], names)));
}

/// A sentence about an argument that no command takes, with the nearest option; empty if there is none.
std::string unknown_option(const CLI::App& app) {
  if (app.get_subcommands().empty()) return "";
  const CLI::App& command = *app.get_subcommands().front();
  const std::vector<std::string> left = app.remaining(true);
  const auto unknown = std::ranges::find_if(left, [](const std::string& word) { return word.starts_with('-'); });
  if (unknown == left.end()) return "";
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return fmt::format("'gfdt {0}' has no option '{1}'.{2} 'gfdt {0} --help' lists its options.\n", command.get_name(),
                     *unknown, gfdt::suggestion(*unknown, names));
}

/// --color, on every command.
void add_colours(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({}))
    command
        ->add_option_function<std::string>(
            "--color",
            [](const std::string& when) {
              using gfdt::app::Colours;
              gfdt::app::set_colours(when == "always"  ? Colours::always
                                     : when == "never" ? Colours::never
                                                       : Colours::automatic);
            },
            "Colours; auto: on a terminal, unless NO_COLOR is set")
        ->type_name("WHEN")
        ->check(CLI::IsMember({"auto", "always", "never"}));
}

gfdt::ranks::Outcome run(const std::string& command_line, int argc, char** argv) {
  using namespace gfdt::app;
  CLI::App app("gfdt: calibration of stochastic models by the generalized fluctuation-dissipation theorem", "gfdt");
  app.set_version_flag("--version", "gfdt " + gfdt::data::version(), "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  int status = Exit::done;
  add_init(app, status);
  add_models(app, status);
  add_reference(app, status);
  add_check(app, status, command_line);
  add_simulate(app, status, command_line);
  add_score(app, status, command_line);
  add_jacobian(app, status, command_line);
  add_response(app, status, command_line);
  add_calibrate(app, status, command_line);
  add_report(app, status);
  add_reproduce(app, status, command_line);
  add_completion(app, status);
  add_man(app, status);
  add_colours(app);
  app.footer(
      "'gfdt COMMAND --help' describes a command, with an example.\n"
      "Example: gfdt init enso && gfdt check enso.toml && gfdt calibrate enso.toml");
  try {
    refuse_unknown_command(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream help, complaint;
    const int code = app.exit(error, help, complaint);
    const std::string option = dynamic_cast<const CLI::ExtrasError*>(&error) ? unknown_option(app) : "";
    put(stdout, help.str());
    put(stderr, gfdt::fit_for_a_terminal(option.empty() ? complaint.str() : option));
    return {code == 0 ? Exit::done : Exit::bad_input, {}};
  } catch (const gfdt::codegen::NativeGivenUp& given_up) {
    gfdt::app::say(stderr, "{}\n", given_up.what());
    return run(command_line, argc, argv);
  } catch (const gfdt::simulate::SimulationFailed& error) {
    return {Exit::numbers_failed, error.what()};
  } catch (const gfdt::Error& error) {
    return {interruption().requested() ? Exit::numbers_failed : Exit::bad_input, error.what()};
  } catch (const nlohmann::json::exception&) {
    return {Exit::bad_input, "A file that was read is damaged: an entry is missing or of the wrong kind."};
  } catch (const std::filesystem::filesystem_error& error) {
    return {Exit::bad_input,
            gfdt::Error(fmt::format("'{}': {}.", error.path1().string(), error.code().message())).what()};
  } catch (const std::bad_alloc&) {
    return {Exit::bad_input,
            "There is not enough memory. Smaller simulation.members, fewer sites or fewer observables take less."};
  } catch (const std::exception& error) {
    return {Exit::bad_input, gfdt::Error(fmt::format("gfdt: {}", error.what())).what()};
  }
  return {status, {}};
}

/// Formulas are traversed recursively, which takes some megabytes of stack. If the system provides less, the work runs
/// on a separate stack.
int with_enough_stack(const std::function<int()>& work) {
  constexpr rlim_t enough = rlim_t{8} << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= enough) return work();
  struct Job {
    const std::function<int()>& work;
    int status = 0;
  } job{work};
  pthread_attr_t attributes;
  pthread_t thread{};
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, enough);
  const auto run = [](void* given) -> void* {
    Job& own = *static_cast<Job*>(given);
    own.status = own.work();
    return nullptr;
  };
  const bool started = ::pthread_create(&thread, &attributes, run, &job) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!started) return work();
  ::pthread_join(thread, nullptr);
  return job.status;
}

/// Detects errors when buffered output is written at the end.
int after_writing(int status) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int reason = errno;
  if (flushed && std::ferror(stdout) == 0) return status;
  gfdt::app::say(stderr, "The output cannot be written to the end{}.\n",
                 reason != 0 ? fmt::format(": {}", std::strerror(reason)) : "");
  return gfdt::app::Exit::bad_input;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // writing beyond the limit of a file's size then fails as on a full disk
  std::string command_line = "gfdt";
  for (int i = 1; i < argc; ++i) command_line += fmt::format(" {}", argv[i]);
  return with_enough_stack(
      [&] { return after_writing(gfdt::app::on_ranks(command_line, [&] { return run(command_line, argc, argv); })); });
}
