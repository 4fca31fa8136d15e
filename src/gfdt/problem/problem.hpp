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

/// The target value of an observable's mean, and the standard error of that value.
struct Target {
  std::string observable;
  double value = 0;
  std::optional<double> std;  ///< absent if the covariance of all targets is given
  Origin origin;
};

/// Measurements from which targets are computed.
struct TargetData {
  std::filesystem::path file;                  ///< CSV or netCDF
  std::map<std::string, std::string> columns;  ///< state or observable -> name of its column
  std::optional<double> missing;               ///< the number that marks a missing value, in addition to nan and blanks
  std::optional<double> interval;              ///< between rows, in time units of the model; default: from a time
                                               ///< column
  Origin origin;
};

/// A run of the model itself, at other parameters, from which targets are computed.
struct TargetReference {
  std::map<std::string, double> parameters;  ///< those that differ from the model
  std::optional<double> length;              ///< per member; default: length of the simulation
  Origin origin;
};

/// The contents of [targets]. Explicit values have priority; the other sources provide targets for the remaining
/// observables.
struct TargetTable {
  std::vector<Target> values;
  std::vector<double> covariance;  ///< of the values, [row][column]; empty if each has its std
  std::optional<TargetData> data;
  std::optional<TargetReference> reference;
  Origin origin;

  bool empty() const { return values.empty() && !data && !reference; }
};

/// The user's own simulator, which replaces the built-in one.
struct ExternalCommand {
  std::string command;    ///< with {parameters}, {output} and other placeholders (external_simulator.hpp)
  double timeout = 3600;  ///< seconds
  int retries = 1;        ///< additional attempts after a failure, each with another seed
};

/// The validated contents of a problem file.
struct Problem {
  std::string file;  ///< path as given
  std::string text;  ///< exactly as read
  symbolic::Description description;
  symbolic::Model model;
  simulate::Options simulation;
  score::Options score;
  jacobian::Options response;
  std::optional<ExternalCommand> command;
  TargetTable targets;
  calibrate::Options calibration;
  std::map<std::string, calibrate::Prior> priors;
  std::vector<std::string> free;  ///< names of the parameters to calibrate; empty: all
  std::string model_file;         ///< path of a separate model file, or empty
  std::string model_text;
  std::vector<std::string> overrides;  ///< as given to --set
};

/// Reads a problem file. `overrides` are texts `key=value` as given to --set. Throws InputError with the source
/// position for an error in a file or an override, and Error if a file cannot be read.
Problem read_problem(const std::filesystem::path& file, std::span<const std::string> overrides = {});

/// Returns the text of a file. Throws Error if it cannot be read.
using TextReader = std::function<std::string(const std::filesystem::path& file)>;
/// Reads the file from disk.
std::string read_model_text(const std::filesystem::path& file);

/// Parses the text of a problem file. `folder` is the folder to which the path of a model file is relative; `read`
/// returns the text of that file. Throws like read_problem.
Problem parse_problem(std::string text, const std::string& file_name, std::span<const std::string> overrides = {},
                      const std::filesystem::path& folder = {}, const TextReader& read = read_model_text);

}  // namespace gfdt::problem
