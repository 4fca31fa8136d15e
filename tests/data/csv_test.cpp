#include "gfdt/data/csv/csv.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "../temporary_folder.hpp"
#include "gfdt/base/error.hpp"
#include "trajectories.hpp"

namespace gfdt::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Csv : public testing::Test {
 protected:
  Trajectory read(const std::string& text) const { return read_csv(folder_.file("t.csv", text)); }

  void expect_error(const std::string& text, int line, int column, const std::string& part) const {
    try {
      read(text);
      ADD_FAILURE() << text << " was read";
    } catch (const InputError& error) {
      EXPECT_THAT(error.message(), HasSubstr(part)) << text;
      EXPECT_EQ(error.place().line, line) << error.what();
      EXPECT_EQ(error.place().column, column) << error.what();
    }
  }

  const TemporaryFolder folder_;
};

TEST_F(Csv, ReadsColumns) {
  const Trajectory t = read("time,x,y\n0,1,2\n0.5,3,4\n1,5,6\n");
  EXPECT_THAT(t.variables, ElementsAre("x", "y"));
  EXPECT_EQ(t.members, 1u);
  EXPECT_EQ(t.times, 3u);
  EXPECT_EQ(t.start, 0);
  EXPECT_EQ(t.interval, 0.5);
  EXPECT_THAT(t.values, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(Csv, ReadsMembersInAnyColumnOrder) {
  const Trajectory t = read("x,time,member\n1,0,7\n2,1,7\n3,0,2\n4,1,2\n");
  EXPECT_EQ(t.members, 2u);
  EXPECT_THAT(t.values, ElementsAre(1, 2, 3, 4));
}

TEST_F(Csv, ReadsFilesWrittenBySpreadsheets) {
  const Trajectory t = read("\xEF\xBB\xBF# comment\r\n\r\n time , \"Y[3,7]\" \r\n 0 , +1e3 \r\n1, NaN\r\n\r\n2,-.5");
  EXPECT_THAT(t.variables, ElementsAre("Y[3,7]"));
  EXPECT_EQ(t.values[0], 1000);
  EXPECT_TRUE(std::isnan(t.values[1]));
  EXPECT_EQ(t.values[2], -0.5);
}

TEST_F(Csv, OnlySeparatorsOutsideQuotesCount) {
  const Trajectory semicolons = read("\"time\";\"SST, K\"\n0;1,5\n1;2,5\n");
  EXPECT_THAT(semicolons.variables, ElementsAre("SST, K"));
  EXPECT_THAT(semicolons.values, ElementsAre(1.5, 2.5));
  EXPECT_THAT(read("\"time\",\"a;b\"\n0,1.5\n1,2.5\n").variables, ElementsAre("a;b"));
}

TEST_F(Csv, ToleratesRoundedTimesAndMonths) {
  EXPECT_NEAR(read("time,x\n0.08,1\n0.17,1\n0.25,1\n0.33,1\n").interval, 1.0 / 12, 1e-3);
  EXPECT_NEAR(read("time,x\n0,1\n31,1\n59,1\n90,1\n120,1\n").interval, 30, 1e-9);
  EXPECT_EQ(read("time,x\n3,1\n").interval, 0);
}

TEST_F(Csv, RejectsUnevenTimes) {
  expect_error("time,x\n0,1\n1,1\n2,1\n4,1\n5,1\n", 5, 1, "4 follows 2");
  expect_error("time,x\n0,1\n1,1\n1,1\n", 4, 1, "does not come after 1");
  expect_error("time,x\n0,1\nnan,1\n", 3, 1, "finite");
}

TEST_F(Csv, RejectsInvalidCells) {
  expect_error("time,x,y\n0,1,2\n1,abc,3\n", 3, 3, "'abc' is not a number");
  expect_error("time,x,y\n0,1,2\n1,,3\n", 3, 3, "write nan");
  expect_error("time,x,y\n0,1,2x\n", 2, 5, "'2x' is not a number");
  expect_error("time,x\n0,inf\n", 2, 3, "finite");
  expect_error("time,x\n0,1e999\n", 2, 3, "double precision");
  expect_error("time,x\n0,1,2\n", 2, 5, "3 cells, the header 2");
  expect_error("time,x,y\n0,1\n1,2,3\n", 2, 4, "2 cells, the header 3");
  expect_error("time,x\n0,\"1\n", 2, 3, "never closed");
  expect_error("time,x\n0,\"1\"2\n", 2, 6, "comma");
}

TEST_F(Csv, RejectsATruncatedLastLine) {
  expect_error("time,x,y\n0,1,2\n1,3", 3, 4, "the file was cut off");
  expect_error("time,x,y\n0,1,2\n1,3,", 3, 5, "write nan");
}

TEST_F(Csv, RejectsInvalidHeaders) {
  expect_error("", 1, 1, "empty");
  expect_error("# only a comment\n", 1, 1, "empty");
  expect_error("time,x\n", 1, 1, "no rows");
  expect_error("tme,x\n0,1\n", 1, 1, "no column 'time', which says how far apart the rows are. Did you mean 'tme'?");
  expect_error("time\n0\n", 1, 1, "besides the time");
  expect_error("time,x,x\n0,1,1\n", 1, 8, "Two columns are named 'x'");
  expect_error("time,,x\n0,1,1\n", 1, 6, "no name");
}

TEST_F(Csv, RejectsInvalidMembers) {
  expect_error("member,time,x\n0,0,1\n1,0,1\n0,1,1\n", 4, 1, "do not stand together");
  expect_error("member,time,x\n0,0,1\n0,1,1\n1,0,1\n", 4, 1, "Member 1 has 1 rows, the first member 2");
  expect_error("member,time,x\n0,0,1\n1,0,1\n1,1,1\n", 4, 3, "more rows");
  expect_error("member,time,x\n0,0,1\n0,1,1\n1,0,1\n1,2,1\n", 5, 3, "not the first member's");
}

TEST_F(Csv, ReportsUnreadableFiles) {
  EXPECT_THAT(complaint<Error>([&] { read_csv(folder_ / "none.csv"); }), HasSubstr("No such file"));
  EXPECT_THAT(complaint<Error>([&] { read_csv(folder_.path()); }), HasSubstr("is a folder"));
}

TEST_F(Csv, RoundTripIsExact) {
  Provenance provenance;
  provenance.problem_text = "[model]\n# x,y\n";
  const auto writer = write_csv(folder_ / "t.csv", small_layout(), provenance);
  write_small(*writer);
  expect_small(read_trajectory(folder_ / "t.csv"));
  EXPECT_THAT(text_of(folder_ / "t.csv"), HasSubstr("#   # x,y\nmember,time,x,X[0],X[1],\"Y[0,0]\""));
  EXPECT_EQ(folder_.count(), 1u);
}

TEST_F(Csv, SinglePrecisionIsWrittenShort) {
  TrajectoryLayout layout = small_layout();
  layout.single_precision = true;
  const auto writer = write_csv(folder_ / "t.csv", layout, {});
  write_small<float>(*writer);
  expect_small<float>(read_csv(folder_ / "t.csv"));
  EXPECT_LT(std::filesystem::file_size(folder_ / "t.csv"), 15u * 9 * 14 + 400);
}

TEST_F(Csv, AnUnfinishedFileNeverAppears) {
  {
    const auto writer = write_csv(folder_ / "t.csv", small_layout(), {});
    append_times<double>(*writer, {0, 1, 2}, 0, 4);
    EXPECT_THAT(complaint<Error>([&] { writer->finish(); }), HasSubstr("member 0 has 4 of 5 times"));
  }
  EXPECT_EQ(folder_.count(), 0u);
}

TEST_F(Csv, NanIsPreserved) {
  TrajectoryLayout layout{.fields = {{{"x", {}}, {}}}, .members = 1, .times = 2, .start = 0, .interval = 1};
  const auto writer = write_csv(folder_ / "t.csv", layout, {});
  append_times<double>(*writer, {0}, 0, 2, std::nan(""));
  writer->finish();
  EXPECT_TRUE(std::isnan(read_csv(folder_ / "t.csv").values[1]));
}

}  // namespace
}  // namespace gfdt::data
