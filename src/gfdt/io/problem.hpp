#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/model/description.hpp"
#include "gfdt/model/model.hpp"
#include "gfdt/response/options.hpp"
#include "gfdt/scoring/options.hpp"
#include "gfdt/simulate/options.hpp"

namespace gfdt::io {

/// The value an observable's mean should have, and the standard error of that value.
struct Target {
  std::string observable;
  double value = 0;
  double std = 0;
  Origin origin;
};

/// What a problem file says, checked.
struct Problem {
  std::string file;  ///< path as given
  std::string text;  ///< exactly what was read
  model::Description description;
  model::Model model;
  simulate::Options simulation;
  scoring::Options score;
  response::Options response;
  std::vector<Target> targets;
  std::vector<std::string> free;  ///< parameters to calibrate; all when empty
  std::string model_file;         ///< of a model kept apart, else empty
  std::string model_text;
  std::vector<std::string> overrides;  ///< as given to --set
};

/// Reads a problem file. `overrides` are texts `key=value` as given to --set. Throws InputError with the place of
/// whatever is wrong in a file or an override, Error when a file cannot be read.
Problem read_problem(const std::filesystem::path& file, std::span<const std::string> overrides = {});

/// Gives the text of a file. Throws Error when it cannot.
using TextReader = std::function<std::string(const std::filesystem::path& file)>;
/// From the disk.
std::string read_model_text(const std::filesystem::path& file);

/// The same for a text; `folder` is where a model kept apart is looked for, `read` gives its text.
Problem parse_problem(std::string text, const std::string& file_name, std::span<const std::string> overrides = {},
                      const std::filesystem::path& folder = {}, const TextReader& read = read_model_text);

}  // namespace gfdt::io
