#include "gfdt/base/error.hpp"

#include <gtest/gtest.h>

namespace gfdt {
namespace {

TEST(Error, ReplacesControlCharacters) {
  EXPECT_STREQ(Error("'a\x1b[31m\tb\x7f' is\nno name.").what(), "'a?[31m?b?' is\nno name.");
  EXPECT_STREQ(Error("a\xC2\x85 b\xC2\x9B").what(), "a? b?");
  EXPECT_STREQ(Error("Żółć — α…").what(), "Żółć — α…");
}

TEST(Error, ReplacesInvalidUtf8) { EXPECT_STREQ(Error("a\xFF b\xC3 c\xE2\x82").what(), "a? b? c??"); }

TEST(Error, CutsVeryLongNamesInTheirMiddle) {
  std::string name;
  for (int i = 0; i < 1000; ++i) name += "αβ";
  const std::string sentence = Error("The name '" + name + "' is not known.").what();
  EXPECT_LT(sentence.size(), 300u);
  EXPECT_TRUE(sentence.starts_with("The name 'αβαβ")) << sentence;
  EXPECT_TRUE(sentence.ends_with("αβαβ' is not known.")) << sentence;
  EXPECT_NE(sentence.find("…"), std::string::npos) << sentence;
}

TEST(InputError, ShowsFileLineColumnAndCaret) {
  Origin place{.file = "a.toml", .line = 3, .column = 6, .source_line = "x = 1 +"};
  EXPECT_STREQ(InputError("a number is missing.", place).what(),
               "a.toml:3:6: a number is missing.\n  x = 1 +\n       ^");
}

TEST(InputError, CaretCountsCharactersNotBytes) {
  Origin place{.file = "f", .line = 1, .column = 3, .source_line = "αβγ"};
  EXPECT_STREQ(InputError("no.", place).what(), "f:1:3: no.\n  αβγ\n    ^");
}

TEST(InputError, CutsAVeryLongLineAroundTheCulprit) {
  Origin place{.file = "f", .line = 1, .column = 500001, .source_line = std::string(1000000, '(')};
  EXPECT_LT(std::string(InputError("no.", place).what()).size(), 600u);
}

TEST(PlaceWithin, ContinuesTheLineOfItsOrigin) {
  Origin start{.file = "f", .line = 4, .column = 10, .source_line = "drift = \"a + b\""};
  Origin place = place_within(start, "a + b", 4);
  EXPECT_EQ(place.line, 4);
  EXPECT_EQ(place.column, 14);
  EXPECT_EQ(place.source_line, start.source_line);
}

TEST(PlaceWithin, MovesToALaterLine) {
  Origin place = place_within({.file = "f", .line = 4, .column = 10, .source_line = "first"}, "a\nbcd", 3);
  EXPECT_EQ(place.line, 5);
  EXPECT_EQ(place.column, 2);
  EXPECT_EQ(place.source_line, "bcd");
}

}  // namespace
}  // namespace gfdt
