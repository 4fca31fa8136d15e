#include "gfdt/report/marginals_text.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace gfdt::report {
namespace {

using score::Marginal;
using testing::HasSubstr;

Marginal marginal(const std::string& name, double distance = 0.125, Verdict verdict = Verdict::passed) {
  return {name, distance, 0.02, verdict, {0, 1, 2, 3, 4}, {0.1, 0.2, 0.4, 0.3}, {0, 0.4, 0.4, 0.2}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(MarginalsText, DrawsBlocksOnOneScale) {
  EXPECT_EQ(marginals_text({marginal("x")}),
            "x from 0 to 4: distance 0.125 (noise 0.020), passed\n"
            "  data     ▂▄█▆\n"
            "  Langevin  ██▄\n");
}

TEST(MarginalsText, OfManySaysHowManyAreShown) {
  const std::string text = marginals_text(std::vector<Marginal>(30, marginal("x")));
  EXPECT_EQ(count(text, "\n"), 3u * 24 + 1);
  EXPECT_THAT(text, HasSubstr("The 24 of 30 marginals"));
}

TEST(MarginalsText, OfManyShowsTheFarthestInTheirOwnOrder) {
  std::vector<Marginal> many;
  for (int i = 0; i < 30; ++i) many.push_back(marginal(fmt::format("x{}", i), 0.01 * i));
  const std::string text = marginals_text(many);
  EXPECT_THAT(text, HasSubstr("x6 from"));
  EXPECT_THAT(text, testing::Not(HasSubstr("x5 from")));
  EXPECT_LT(text.find("x6 from"), text.find("x29 from"));
}

}  // namespace
}  // namespace gfdt::report
