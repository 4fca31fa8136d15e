#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/options.hpp"
#include "gfdt/jacobian/options.hpp"
#include "gfdt/score/selection/options.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/symbolic/model/description.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::problem {

/// The value an observable's mean should have, and the standard error of that value.
struct Target {
  std::string observable;
  double value = 0;
  std::optional<double> std;  ///< absent where the covariance of all targets is given
  Origin origin;
};

/// Measurements that targets are computed from.
struct TargetData {
  std::filesystem::path file;                  ///< CSV or netCDF
  std::map<std::string, std::string> columns;  ///< state or observable -> the column that holds it
  std::optional<double> missing;               ///< the number that stands for a missing value, besides nan and blanks
  std::optional<double> interval;              ///< time of the model between rows; else as a column of times says
  Origin origin;
};

/// A run of the model itself, at other parameters, that targets are computed from.
struct TargetReference {
  std::map<std::string, double> parameters;  ///< those that differ
  std::optional<double> length;              ///< of a member; that of the simulation when left out
  Origin origin;
};

/// What [targets] says. Values come first: what else is named is computed for the other observables.
struct TargetTable {
  std::vector<Target> values;
  std::vector<double> covariance;  ///< of the values, [row][column]; empty where each has its std
  std::optional<TargetData> data;
  std::optional<TargetReference> reference;
  Origin origin;

  bool empty() const { return values.empty() && !data && !reference; }
};

/// The user's own simulator, run instead of ours.
struct ExternalCommand {
  std::string command;    ///< with {parameters}, {output} and other places to be filled in (external_simulator.hpp)
  double timeout = 3600;  ///< seconds
  int retries = 1;        ///< after a failure, each with another seed
};

/// What a problem file says, checked.
struct Problem {
  std::string file;  ///< path as given
  std::string text;  ///< exactly what was read
  symbolic::Description description;
  symbolic::Model model;
  simulate::Options simulation;
  score::Options score;
  jacobian::Options response;
  std::optional<ExternalCommand> command;
  TargetTable targets;
  calibrate::Options calibration;
  std::map<std::string, calibrate::Prior> priors;
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

}  // namespace gfdt::problem
