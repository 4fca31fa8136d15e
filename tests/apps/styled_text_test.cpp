#include "styled_text.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

namespace gfdt::app {
namespace {

using testing::HasSubstr;

/// What goes into a file, which is no terminal.
template <class Work>
std::string written(Work work) {
  std::FILE* file = std::tmpfile();
  work(file);
  std::string text(static_cast<std::size_t>(std::ftell(file)), ' ');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

class Layout : public testing::Test {
 protected:
  void SetUp() override { unsetenv("COLUMNS"); }
  void TearDown() override {
    unsetenv("COLUMNS");
    set_colours(Colours::automatic);
  }
};

TEST_F(Layout, WidthIsThatOnTheScreen) {
  EXPECT_EQ(display_width("sigma"), 5U);
  EXPECT_EQ(display_width("σ_x"), 3U);
  EXPECT_EQ(display_width("∂<x²>"), 5U);
  EXPECT_EQ(display_width("x̂"), 1U);  // a letter and a mark upon it
  EXPECT_EQ(display_width("温度"), 4U);
  EXPECT_EQ(display_width(styled(Style::bad, "✗") + " no"), 4U);
  EXPECT_EQ(display_width("\xff\xc3"), 2U);  // no characters at all
}

TEST_F(Layout, StylesAreForTerminalsUnlessAskedFor) {
  const auto work = [](std::FILE* file) { say(file, "{} {}", styled(Style::good, "✓"), "well"); };
  EXPECT_EQ(written(work), "✓ well");
  set_colours(Colours::always);
  EXPECT_EQ(written(work), "\033[32m✓\033[0m well");
  set_colours(Colours::never);
  EXPECT_EQ(written(work), "✓ well");
}

TEST_F(Layout, ParagraphsAreBrokenBetweenWordsAndHang) {
  const auto work = [](std::FILE* file) { put_paragraph(file, "  ! ", "one two three four five six seven"); };
  EXPECT_EQ(written(work), "  ! one two three four five six seven\n");
  setenv("COLUMNS", "24", 1);
  EXPECT_EQ(written(work), "  ! one two three four\n    five six seven\n");
  setenv("COLUMNS", "10", 1);  // too narrow for anything
  EXPECT_EQ(written(work), "  ! one two three four five six seven\n");
}

TEST_F(Layout, LongWordsStandAlone) {
  setenv("COLUMNS", "24", 1);
  EXPECT_EQ(written([](std::FILE* file) { put_paragraph(file, "  ", "see /a/folder/with/a/long/name there"); }),
            "  see\n  /a/folder/with/a/long/name\n  there\n");
}

TEST_F(Layout, UnicodeIsByTheLocale) {
  const char* kept[] = {std::getenv("LC_ALL"), std::getenv("LC_CTYPE"), std::getenv("LANG")};
  const std::string all = kept[0] ? kept[0] : "";
  setenv("LC_ALL", "de_DE.UTF-8", 1);
  EXPECT_TRUE(shows_unicode());
  setenv("LC_ALL", "C.utf8", 1);
  EXPECT_TRUE(shows_unicode());
  setenv("LC_ALL", "C", 1);
  EXPECT_FALSE(shows_unicode());
  if (kept[0])
    setenv("LC_ALL", all.c_str(), 1);
  else
    unsetenv("LC_ALL");
}

}  // namespace
}  // namespace gfdt::app
