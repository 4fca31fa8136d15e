#include "gfdt/problem/external_simulator.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <optional>
#include <variant>

#include "gfdt/base/error.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/data/recording.hpp"
#include "gfdt/data/write_atomically.hpp"
#include "gfdt/parallel/child_process.hpp"
#include "gfdt/parallel/parcel.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/problem/command_text.hpp"

namespace gfdt::problem {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A temporary folder that only this user can read. The destructor removes it, unless keep() was called.
class PrivateFolder {
 public:
  PrivateFolder() {
    std::error_code error;
    const fs::path place = fs::absolute(fs::temp_directory_path(error), error);
    std::string name = (place / "gfdt-simulator-XXXXXX").string();
    if (error || !::mkdtemp(name.data()))
      throw Error(fmt::format("No temporary folder can be made in '{}': set TMPDIR to one that can be written.",
                              place.string()));
    path_ = name;
  }
  ~PrivateFolder() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const fs::path& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  fs::path path_;
  bool kept_ = false;
};

/// The last lines of the program's output, indented.
std::string last_lines(std::string text) {
  constexpr std::size_t most_bytes = 2000;
  constexpr long most_lines = 10;
  const std::size_t begin = text.size() > most_bytes ? text.size() - most_bytes : 0;
  text.erase(0, begin);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  if (const std::size_t line = text.find('\n'); begin > 0 && line != std::string::npos) text.erase(0, line + 1);
  while (std::ranges::count(text, '\n') >= most_lines) text.erase(0, text.find('\n') + 1);
  if (text.empty()) return {};
  std::string indented = "\n  ";
  for (const char c : text) {
    if (c == '\n')
      indented += "\n  ";
    else
      indented += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  }
  return indented;
}

Json parameters_json(const symbolic::Model& model) {
  Json result = Json::object();
  for (const symbolic::Parameter& parameter : model.parameters) result[parameter.name] = parameter.value;
  return result;
}

/// One run of the program in a folder of its own.
struct Attempt {
  const ExternalCommand& command;
  const symbolic::Model& model;
  const simulate::Options& options;
  std::uint64_t seed = 0;
  PrivateFolder folder = {};

  fs::path output() const {
    const bool netcdf = std::ranges::count(places_of(command.command), "output.nc", &CommandPlace::name) > 0;
    return folder.path() / (netcdf ? "trajectory.nc" : "trajectory.csv");
  }

  std::string filled_in() const {
    std::map<std::string, std::string> values;
    for (const symbolic::Parameter& parameter : model.parameters)
      values[parameter.name] = fmt::format("{}", parameter.value);
    values["parameters"] = shell_word((folder.path() / "parameters.json").string());
    for (const char* name : {"output", "output.csv", "output.nc"}) values[name] = shell_word(output().string());
    values["seed"] = fmt::format("{}", seed);
    values["length"] = fmt::format("{}", options.length);
    values["dt"] = fmt::format("{}", options.dt);
    values["members"] = fmt::format("{}", options.members);
    values["burn_in"] = fmt::format("{}", options.burn_in_time());
    values["cadence"] = fmt::format("{}", options.cadence);
    return fill_in(command.command, values);
  }

  /// The trajectory that the program wrote, or the reason why it cannot be used.
  std::variant<simulate::Recording, std::string> recording() const {
    std::error_code ignored;
    if (!fs::exists(output(), ignored))
      return fmt::format("it ended well but wrote nothing to '{}'", output().string());
    if (!fs::is_regular_file(output(), ignored)) return fmt::format("'{}' is not a file", output().string());
    try {
      return data::read_recording(output(), model);
    } catch (const Error& error) {
      return fmt::format("what it wrote cannot be used. {}", error.what());
    }
  }

  [[noreturn]] void fail(const std::string& why, int attempts, const std::string& words) {
    folder.keep();
    data::write_file_atomically(folder.path() / "printed.txt", words);
    const std::string printed = last_lines(words);
    const char* stop = why.ends_with('.') ? "" : ".";
    throw simulate::SimulationFailed(fmt::format(
        "The simulator failed{}: {}{}\nThe command was: {}\n{}\nIts files are kept in '{}'.",
        attempts > 1 ? fmt::format(" {} times, the last time so", attempts) : "", why, stop, filled_in(),
        printed.empty() ? "It printed nothing." : "The last that it printed:" + printed, folder.path().string()));
  }
};

}  // namespace

std::uint64_t seed_for_program(std::uint64_t seed, int attempt) {
  constexpr int bits = 31;
  if (attempt == 0 && seed >> bits == 0) return seed;
  // The finalizer of SplitMix64.
  std::uint64_t z = seed + (static_cast<std::uint64_t>(attempt) + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (z ^ (z >> 31)) >> (64 - bits);
}

namespace {

/// Returns nothing if cancelled.
std::optional<simulate::Recording> run_here(const ExternalCommand& command, const symbolic::Model& at,
                                            const simulate::Options& options, const fs::path& working_folder,
                                            const simulate::Control& control) {
  for (int number = 0;; ++number) {
    Attempt attempt{command, at, options, seed_for_program(options.seed, number)};
    if (control.progress) control.progress({"simulator", 0});
    data::write_file_atomically(attempt.folder.path() / "parameters.json", data::json_text(parameters_json(at)));
    const ChildOutcome outcome = run_child(
        {.command = {"/bin/sh", "-c", attempt.filled_in()}, .folder = working_folder, .timeout = command.timeout},
        control.cancellation);
    if (outcome.end == ChildOutcome::End::cancelled) return {};
    std::variant<simulate::Recording, std::string> result = outcome.words();
    if (outcome.end == ChildOutcome::End::timed_out)
      result = fmt::format("it did not end within {:g} seconds and was killed", command.timeout);
    if (outcome.well()) result = attempt.recording();
    if (auto* recording = std::get_if<simulate::Recording>(&result)) {
      if (control.progress) control.progress({"simulator", 1});
      return std::move(*recording);
    }
    if (number >= command.retries) attempt.fail(std::get<std::string>(result), number + 1, outcome.printed);
  }
}

/// Runs the program on the root rank and returns its recording on all ranks.
std::optional<simulate::Recording> run_on_first(const std::function<std::optional<simulate::Recording>()>& run) {
  if (ranks::count() == 1) return run();
  const std::string bytes = ranks::broadcast_from_root("a run of the simulator", [&] {
    Packer packer;
    try {
      const std::optional<simulate::Recording> found = run();
      packer.put(std::string());
      packer.put(found.has_value());
      if (found) {
        for (const std::size_t size : {found->members, found->times, found->rows}) packer.put(size);
        packer.put(found->interval);
        packer.put(found->values);
      }
    } catch (const simulate::SimulationFailed& failure) {
      packer.put(std::string(failure.what()));
    }
    return packer.take();
  });
  Unpacker unpacker(bytes);
  if (const auto failure = unpacker.get<std::string>(); !failure.empty()) throw simulate::SimulationFailed(failure);
  if (!unpacker.get<bool>()) return {};
  simulate::Recording found;
  for (std::size_t* size : {&found.members, &found.times, &found.rows}) unpacker.get(*size);
  unpacker.get(found.interval);
  unpacker.get(found.values);
  return found;
}

}  // namespace

std::unique_ptr<simulate::Source> run_external(const ExternalCommand& command, const symbolic::Model& at,
                                               const simulate::Options& options, const fs::path& working_folder,
                                               const simulate::Control& control, double shortest) {
  std::optional<simulate::Recording> recording =
      run_on_first([&] { return run_here(command, at, options, working_folder, control); });
  if (!recording) return nullptr;
  return std::make_unique<simulate::RecordedSource>(std::move(*recording), options, shortest);
}

}  // namespace gfdt::problem
