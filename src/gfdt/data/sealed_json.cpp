#include "gfdt/data/sealed_json.hpp"

#include <fmt/format.h>

#include "gfdt/base/digest.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/json.hpp"

namespace gfdt::data {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* checksum_name = "checksum";

Json sealed(const Json& document) {
  Json result = document;
  result.erase(checksum_name);
  // Numbers are read back exactly, so that the text for the checksum can be reproduced.
  const std::string sum = checksum(json_line(result));
  result[checksum_name] = sum;
  return result;
}

}  // namespace

std::string checksum(std::string_view text) { return fmt::format("{:016x}", digest(text)); }

std::string sealed_text(const Json& document) { return json_text(sealed(document)); }
std::string sealed_line(const Json& document) { return json_line(sealed(document)); }

Json unsealed(std::string_view text, bool checksum_required) {
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded() || !document.is_object()) throw Error("It is not JSON, or cut off.");
  const auto sum = document.find(checksum_name);
  if (sum == document.end()) {
    if (checksum_required) throw Error("It has no checksum.");
    return document;
  }
  const Json kept = *sum;
  document.erase(checksum_name);
  if (kept != checksum(json_line(document))) throw Error("Its checksum is not that of its contents.");
  return document;
}

}  // namespace gfdt::data
