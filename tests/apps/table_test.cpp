#include "table.hpp"

#include <gmock/gmock.h>

namespace gfdt::app {
namespace {

using testing::ElementsAre;

std::vector<std::string> plain_lines(const Table& table, std::size_t limit) {
  std::vector<std::string> lines = table.lines(limit);
  for (std::string& line : lines) line = without_styles(line);
  return lines;
}

TEST(Table, AlignsByWhatIsSeen) {
  Table table({"name", "σ", "value"});
  table.add({"x²", "1", styled(Style::dim, "0.50(12)")});
  table.add({"energy", "10.5", "2"});
  EXPECT_THAT(plain_lines(table, 0), ElementsAre("  name        σ      value",  //
                                                 "  x²          1   0.50(12)",  //
                                                 "  energy   10.5          2"));
}

TEST(Table, IsCutIntoBlocksThatFit) {
  Table table({"row", "by", "a", "b", "c"}, 2);
  table.add({"mean", "kgmm", "1.0(1.0)", "2.0(1.0)", "3.0(1.0)"});
  // The keys take 13 columns, each other column 11.
  EXPECT_THAT(plain_lines(table, 35), ElementsAre("  row      by          a          b",  //
                                                  "  mean   kgmm   1.0(1.0)   2.0(1.0)",  //
                                                  "",                                     //
                                                  "  row      by          c",             //
                                                  "  mean   kgmm   3.0(1.0)"));
  EXPECT_THAT(plain_lines(table, 46), ElementsAre("  row      by          a          b          c",  //
                                                  "  mean   kgmm   1.0(1.0)   2.0(1.0)   3.0(1.0)"));
}

TEST(Table, HasAColumnABlockWhereNoneFits) {
  Table table({"a long key", "b", "c"});
  table.add({"x", "1", "2"});
  EXPECT_THAT(plain_lines(table, 5), ElementsAre("  a long key   b", "  x            1", "",  //
                                                 "  a long key   c", "  x            2"));
}

}  // namespace
}  // namespace gfdt::app
