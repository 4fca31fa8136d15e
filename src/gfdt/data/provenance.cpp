#include "gfdt/data/provenance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace gfdt::data {
namespace {

/// Adds the lines of a text, indented below its key.
void add_text(std::vector<std::string>& lines, const std::string& key, const std::string& text) {
  if (text.empty()) return;
  lines.push_back(key + ":");
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back("  " + line);
  }
}

}  // namespace

std::string version() { return GFDT_VERSION; }

nlohmann::ordered_json provenance_json(const Provenance& provenance) {
  nlohmann::ordered_json result{{"version", provenance.version},
                                {"date", provenance.date},
                                {"command_line", provenance.command_line},
                                {"problem_file", provenance.problem_file},
                                {"problem_text", provenance.problem_text}};
  if (!provenance.model_file.empty()) {
    result["model_file"] = provenance.model_file;
    result["model_text"] = provenance.model_text;
  }
  result["set"] = provenance.overrides;
  result["options"] = provenance.options;
  result["seed"] = provenance.seed;
  result["threads"] = provenance.threads;
  if (provenance.ranks > 1) result["ranks"] = provenance.ranks;
  result["machine"] = provenance.machine;
  result["processor"] = provenance.processor;
  if (!provenance.device.empty()) result["device"] = provenance.device;
  return result;
}

std::vector<std::string> to_lines(const Provenance& provenance) {
  std::vector<std::string> lines{"version: gfdt " + provenance.version, "date: " + provenance.date};
  const auto add = [&](const char* key, std::string value) {
    for (char& c : value)
      if (c == '\n' || c == '\r') c = ' ';
    if (!value.empty()) lines.push_back(fmt::format("{}: {}", key, value));
  };
  add("command line", provenance.command_line);
  add("seed", fmt::format("{}", provenance.seed));
  add("options", provenance.options);
  add("set", fmt::format("{}", fmt::join(provenance.overrides, " ")));
  add("threads", fmt::format("{}", provenance.threads));
  if (provenance.ranks > 1) add("ranks", fmt::format("{}", provenance.ranks));
  add("machine", provenance.machine);
  add("processor", provenance.processor);
  add("device", provenance.device);
  add("problem file", provenance.problem_file);
  add_text(lines, "problem", provenance.problem_text);
  add("model file", provenance.model_file);
  add_text(lines, "model", provenance.model_text);
  return lines;
}

}  // namespace gfdt::data
