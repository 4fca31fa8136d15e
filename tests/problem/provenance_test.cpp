#include "gfdt/problem/provenance_of.hpp"

#include <gmock/gmock.h>

namespace gfdt::problem {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

const std::string text = "[model]\nstate = ['x']\ndrift.x = '-x'\n[simulation]\nseed = 7\n";

TEST(Provenance, RecordsTheOriginOfAResult) {
  Problem problem = parse_problem(text, "p.toml", std::vector<std::string>{"dt=0.25"});
  problem.simulation.threads = 3;
  const data::Provenance provenance = provenance_of(problem, "gfdt simulate p.toml --set dt=0.25");
  const nlohmann::ordered_json json = data::provenance_json(provenance);
  EXPECT_THAT(json["version"].get<std::string>(), MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+.*"));
  EXPECT_THAT(json["date"].get<std::string>(), MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_EQ(json["problem_text"], text);
  EXPECT_EQ(json["problem_file"], "p.toml");
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["threads"], 3);
  EXPECT_EQ(json["set"][0], "dt=0.25");
  EXPECT_EQ(json["command_line"], "gfdt simulate p.toml --set dt=0.25");
  EXPECT_THAT(json["options"].get<std::string>(), HasSubstr("dt=0.25 members=100"));
  EXPECT_NE(json["machine"], "");
}

TEST(Provenance, LinesContainTheProblemWithoutLineEnds) {
  const std::vector<std::string> lines = data::to_lines(provenance_of(parse_problem(text, "p.toml"), "gfdt\nx"));
  EXPECT_THAT(lines, Contains("seed: 7"));
  EXPECT_THAT(lines, Contains("  state = ['x']"));
  EXPECT_THAT(lines, Contains("command line: gfdt x"));
  for (const std::string& line : lines) EXPECT_THAT(line, Not(HasSubstr("\n")));
}

}  // namespace
}  // namespace gfdt::problem
