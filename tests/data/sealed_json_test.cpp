#include "gfdt/data/sealed_json.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "gfdt/base/error.hpp"

namespace gfdt::data {
namespace {

using Json = nlohmann::ordered_json;

Json document() {
  return {{"name", "a \"name\" with \xC3\xA9 and \xFF"},
          {"numbers", {0.1, -0.0, 1e-300, 12345678901234567890u, std::numeric_limits<double>::infinity()}},
          {"nested", {{"empty", Json::object()}, {"null", nullptr}}}};
}

TEST(SealedJson, ReadsBackUnchanged) {
  for (const std::string& written : {sealed_text(document()), sealed_line(document())}) {
    const Json back = unsealed(written, true);
    EXPECT_FALSE(back.contains("checksum"));
    EXPECT_EQ(sealed_text(back), sealed_text(document()));
  }
}

TEST(SealedJson, SealingAgainReplacesTheChecksum) {
  Json sealed = Json::parse(sealed_text(document()));
  sealed["numbers"][0] = 0.2;
  EXPECT_EQ(unsealed(sealed_text(sealed), true)["numbers"][0], 0.2);
}

TEST(SealedJson, EveryFlippedBitIsDetectedOrHasNoEffect) {
  const std::string written = sealed_text(document());
  const Json whole = unsealed(written, true);
  int unnoticed = 0;
  for (std::size_t i = 0; i < written.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = written;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      try {
        if (unsealed(damaged, true) != whole) ++unnoticed;
      } catch (const Error&) {
      }
    }
  EXPECT_EQ(unnoticed, 0);
}

TEST(SealedJson, AChecksumCanBeRequired) {
  EXPECT_EQ(unsealed(R"({"a": 1})", false), (Json{{"a", 1}}));
  EXPECT_THROW(unsealed(R"({"a": 1})", true), Error);
  for (const char* other : {"", "[1]", "{\"a\": 1", "null", "\xFF"})
    EXPECT_THROW(unsealed(other, false), Error) << other;
}

}  // namespace
}  // namespace gfdt::data
