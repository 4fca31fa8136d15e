#include "gfdt/io/run_identity.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <sstream>

#include "gfdt/io/provenance.hpp"
#include "gfdt/io/score_file.hpp"

namespace gfdt::io {
namespace {

using Json = nlohmann::ordered_json;

const char* backend_name(kernel::Backend backend) {
  return backend == kernel::Backend::interpreter ? "interpreter" : "native";
}

std::string one_line(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string shortened(const std::string& line) {
  constexpr std::size_t most = 60;
  return line.size() > most ? line.substr(0, most) + " …" : line;
}

/// Where two texts part, by lines.
std::string text_difference(const std::string& what, const std::string& kept, const std::string& asked) {
  std::istringstream there(kept), here(asked);
  for (int line = 1;; ++line) {
    std::string a, b;
    const bool more_there = static_cast<bool>(std::getline(there, a)),
               more_here = static_cast<bool>(std::getline(here, b));
    if (!more_there && !more_here) return fmt::format("{} ends in another way", what);
    if (!more_there) return fmt::format("{} has no line {} there, and here it is '{}'", what, line, shortened(b));
    if (!more_here) return fmt::format("{} has no line {} here, and there it is '{}'", what, line, shortened(a));
    if (a != b) return fmt::format("line {} of {} is '{}' there and '{}' here", line, what, shortened(a), shortened(b));
  }
}

std::string difference(const std::string& what, const Json& kept, const Json& asked) {
  if (kept == asked) return {};
  if (what == "problem" || what == "model")
    if (kept.is_string() && asked.is_string())
      return text_difference(fmt::format("the text of the {}", what), kept.get<std::string>(),
                             asked.get<std::string>());
  if (!kept.is_object() || !asked.is_object())
    return fmt::format("{} is {} there and {} here", what, shortened(one_line(kept)), shortened(one_line(asked)));
  const std::string prefix = what.empty() ? "" : what + ".";
  for (const auto& [key, value] : kept.items()) {
    if (!asked.contains(key))
      return fmt::format("{}{} is {} there and not given here", prefix, key, shortened(one_line(value)));
    if (std::string found = difference(prefix + key, value, asked.at(key)); !found.empty()) return found;
  }
  for (const auto& [key, value] : asked.items())
    if (!kept.contains(key))
      return fmt::format("{}{} is not given there and {} here", prefix, key, shortened(one_line(value)));
  return {};
}

}  // namespace

Json run_identity(const Problem& problem, const Json& extra) {
  Json identity{{"version", version()},
                {"problem", problem.text},
                {"model", problem.model_text},
                {"set", problem.overrides},
                {"simulation", run_json(problem.simulation)},
                {"score", scoring::name(problem.score.method)},
                {"response", response::name(problem.response.method)},
                {"backend", backend_name(kernel::choose_backend(problem.simulation.backend).backend)}};
  if (extra.is_object()) identity.update(extra);
  return identity;
}

std::string identity_hash(const Json& identity) {
  // FNV-1a: against mistakes, not against anybody.
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : one_line(identity)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

std::string identity_difference(const Json& kept, const Json& asked) { return difference("", kept, asked); }

}  // namespace gfdt::io
