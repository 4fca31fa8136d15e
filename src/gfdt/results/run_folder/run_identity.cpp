#include "gfdt/results/run_folder/run_identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "gfdt/base/digest.hpp"
#include "gfdt/codegen/native/compiler.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/data/provenance.hpp"
#include "gfdt/results/json/score_file.hpp"

namespace gfdt::results {
namespace {

using Json = nlohmann::ordered_json;

const char* backend_name(codegen::Backend backend) {
  return backend == codegen::Backend::interpreter ? "interpreter" : "native";
}

/// An excerpt of a text around the first position at which it differs from the other one.
std::string shortened(const std::string& text, const std::string& other) {
  constexpr std::size_t most = 60, before = 20;
  const auto [here, there] = std::ranges::mismatch(text, other);
  const auto place = static_cast<std::size_t>(here - text.begin());
  auto start = text.size() <= most ? 0 : std::min(place > before ? place - before : 0, text.size() - most);
  auto end = std::min(start + most, text.size());
  const auto inside_character = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  while (start > 0 && inside_character(start)) --start;
  while (inside_character(end)) ++end;
  return fmt::format("{}{}{}", start > 0 ? "… " : "", text.substr(start, end - start), end < text.size() ? " …" : "");
}

/// The first line in which two texts differ, as part of a sentence.
std::string text_difference(const std::string& what, const std::string& kept, const std::string& asked) {
  std::istringstream there(kept), here(asked);
  for (int line = 1;; ++line) {
    std::string a, b;
    const bool more_there = static_cast<bool>(std::getline(there, a)),
               more_here = static_cast<bool>(std::getline(here, b));
    if (!more_there && !more_here) return fmt::format("{} ends in another way", what);
    if (!more_there) return fmt::format("{} has no line {} there, and here it is '{}'", what, line, shortened(b, a));
    if (!more_here) return fmt::format("{} has no line {} here, and there it is '{}'", what, line, shortened(a, b));
    if (a != b)
      return fmt::format("line {} of {} is '{}' there and '{}' here", line, what, shortened(a, b), shortened(b, a));
  }
}

std::string difference(const std::string& what, const Json& kept, const Json& asked) {
  if (kept == asked) return {};
  if (what == "problem" || what == "model")
    if (kept.is_string() && asked.is_string())
      return text_difference(fmt::format("the text of the {}", what), kept.get<std::string>(),
                             asked.get<std::string>());
  if (!kept.is_object() || !asked.is_object()) {
    const std::string there = data::json_line(kept), here = data::json_line(asked);
    return fmt::format("{} is {} there and {} here", what, shortened(there, here), shortened(here, there));
  }
  const std::string prefix = what.empty() ? "" : what + ".";
  for (const auto& [key, value] : kept.items()) {
    if (!asked.contains(key))
      return fmt::format("{}{} is {} there and not given here", prefix, key, shortened(data::json_line(value), {}));
    if (std::string found = difference(prefix + key, value, asked.at(key)); !found.empty()) return found;
  }
  for (const auto& [key, value] : asked.items())
    if (!kept.contains(key))
      return fmt::format("{}{} is not given there and {} here", prefix, key, shortened(data::json_line(value), {}));
  return {};
}

}  // namespace

Json run_identity(const problem::Problem& problem, const Json& extra) {
  Json identity{{"version", data::version()},
                {"problem", problem.text},
                {"model", problem.model_text},
                {"set", problem.overrides},
                {"simulation", run_json(problem.simulation)},
                {"score", score::name(problem.score.method)},
                {"response", jacobian::name(problem.response.method)},
                {"backend", backend_name(codegen::choose_backend(problem.simulation.backend).backend)}};
  if (identity["backend"] != backend_name(codegen::Backend::interpreter))
    identity["compiler"] = codegen::compiler_description();
  if (extra.is_object()) identity.update(extra);
  return identity;
}

std::string identity_hash(const Json& identity) { return fmt::format("{:016x}", digest(data::json_line(identity))); }

std::string identity_difference(const Json& kept, const Json& asked) { return difference("", kept, asked); }

}  // namespace gfdt::results
