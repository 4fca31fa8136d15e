#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gfdt::data {

/// Information needed to identify the origin of a result and to reproduce it.
struct Provenance {
  std::string version;
  std::string date;  ///< UTC, ISO 8601
  std::string command_line;
  std::string problem_file;
  std::string problem_text;
  std::string model_file;  ///< if the model has a file of its own
  std::string model_text;
  std::vector<std::string> overrides;  ///< as given to --set
  std::string options;                 ///< simulation options as key=value
  std::uint64_t seed = 0;
  int threads = 0;  ///< threads per rank
  int ranks = 1;
  std::string machine;
  std::string processor;
  std::string device;  ///< GPU on which the model ran; empty if none
};

/// Version of this library.
std::string version();

/// Provenance as a JSON object.
nlohmann::ordered_json provenance_json(const Provenance& provenance);

/// Lines `key: value` without line ends; texts of files are indented below their key.
std::vector<std::string> to_lines(const Provenance& provenance);

}  // namespace gfdt::data
