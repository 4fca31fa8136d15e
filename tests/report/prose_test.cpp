#include "gfdt/report/prose.hpp"

#include <gmock/gmock.h>

namespace gfdt::report {
namespace {

TEST(Prose, LongListsAreShortenedAndCounted) {
  EXPECT_EQ(with_short_lists("a, b, c, d, e, f, g and h are correlated."), "a, b, c, … and 5 more are correlated.");
  EXPECT_EQ(with_short_lists("The errors of a, b, c, d, e, f, g, h, i"), "The errors of a, b, c, … and 6 more");
  EXPECT_EQ(with_short_lists("x and y: changes in the ratio +1 : +2 : +3 : -4 : +5 : +6 : +7 : +8 have no effect."),
            "x and y: changes in the ratio +1 : +2 : +3 : … and 5 more have no effect.");
}

TEST(Prose, ListsThatCanBeReadRemainAsTheyAre) {
  for (const char* text :
       {"a, b, c, d, e, f and g are correlated.", "No list at all.", "", ", ", "a, ", ", b",
        "If the run is short, which is rare, and cheap, as here, then, as always, repeat it, please, or not."})
    EXPECT_EQ(with_short_lists(text), text);
}

TEST(Prose, EachListOfATextIsShortenedByItself) {
  EXPECT_EQ(with_short_lists("First, the parameters a, b, c, d, e, f, g, h and i; then, later, the rest."),
            "First, the parameters a, b, c, … and 6 more; then, later, the rest.");
}

TEST(Prose, PunctuationAfterAListRemains) {
  EXPECT_EQ(with_short_lists("The ratio is +1 : +2 : +3 : +4 : +5 : +6 : +7 : -0.42. A longer run tells."),
            "The ratio is +1 : +2 : +3 : … and 5 more. A longer run tells.");
  EXPECT_EQ(with_short_lists("It depends on a, b, c, d, e, f, g, h and i."), "It depends on a, b, c, … and 6 more.");
}

TEST(Prose, CountsHaveTheirPlural) {
  EXPECT_EQ(counted(1, "target"), "1 target");
  EXPECT_EQ(counted(0, "target"), "0 targets");
}

}  // namespace
}  // namespace gfdt::report
