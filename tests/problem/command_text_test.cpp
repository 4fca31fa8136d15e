#include "gfdt/problem/command_text.hpp"

#include <gmock/gmock.h>

namespace gfdt::problem {
namespace {

using testing::ElementsAre;

std::vector<std::string> names(const std::string& command) {
  std::vector<std::string> result;
  for (const CommandPlace& place : places_of(command)) {
    EXPECT_EQ(command.substr(place.offset, place.name.size() + 2), "{" + place.name + "}");
    result.push_back(place.name);
  }
  return result;
}

TEST(CommandText, PlaceholdersAreNamesInBraces) {
  EXPECT_THAT(names("run {seed} > {output.nc}"), ElementsAre("seed", "output.nc"));
  EXPECT_THAT(names("{a}{b_1}{σ}"), ElementsAre("a", "b_1", "σ"));
}

TEST(CommandText, OtherBracesAreLeftToTheShell) {
  EXPECT_THAT(names("awk '{print $1}' ${HOME} {} {1..3} {a,b} { x; } {a {b"), ElementsAre());
  EXPECT_THAT(names("{{a}} {b}"), ElementsAre("b"));
  EXPECT_THAT(names(""), ElementsAre());
}

TEST(CommandText, ReplacesPlaceholders) {
  const std::map<std::string, std::string> values{{"a", "1"}, {"b", "{a}"}};
  EXPECT_EQ(fill_in("x {a} {{a}} ${a} {b}{a} awk '{a+1}' {c}", values), "x 1 {a} ${a} {a}1 awk '{a+1}' {c}");
}

TEST(CommandText, QuantitiesOfTheRunPrecedeParametersOfTheSameName) {
  symbolic::Model model;
  model.parameters = {{"alpha", 1}, {"seed", 2}};
  const std::vector<std::string> known = place_names(model);
  EXPECT_EQ(std::ranges::count(known, "seed"), 1);
  EXPECT_EQ(known.back(), "alpha");
}

TEST(CommandText, WordsAreQuotedIfNecessary) {
  EXPECT_EQ(shell_word("/tmp/a-b_1.csv"), "/tmp/a-b_1.csv");
  EXPECT_EQ(shell_word("/tmp/a b"), "'/tmp/a b'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace gfdt::problem
