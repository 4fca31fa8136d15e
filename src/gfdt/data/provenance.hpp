#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gfdt::data {

/// What is needed to tell where a result came from and to make it again.
struct Provenance {
  std::string version;
  std::string date;  ///< UTC, ISO 8601
  std::string command_line;
  std::string problem_file;
  std::string problem_text;
  std::string model_file;  ///< of a model kept apart
  std::string model_text;
  std::vector<std::string> overrides;  ///< as given to --set
  std::string options;                 ///< of the simulation, as key=value
  std::uint64_t seed = 0;
  int threads = 0;  ///< of a rank
  int ranks = 1;
  std::string machine;
  std::string processor;
  std::string device;  ///< the GPU that the model ran on; empty without
};

/// The version of this library.
std::string version();

nlohmann::ordered_json provenance_json(const Provenance& provenance);

/// Lines `key: value`, without line ends; texts of files are indented below their key.
std::vector<std::string> to_lines(const Provenance& provenance);

}  // namespace gfdt::data
