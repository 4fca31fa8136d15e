#include "gfdt/data/measurements.hpp"

#include <gmock/gmock.h>
#include <netcdf.h>

#include <limits>

#include "../temporary_folder.hpp"
#include "gfdt/data/time_grid.hpp"

namespace gfdt::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;

Measurements read(const std::string& text, std::optional<double> missing = {}) {
  const TemporaryFolder folder;
  return read_measurements(folder.file("t.csv", text), missing);
}

std::string failure(const std::string& text) {
  return complaint<Error>([&] { read(text); });
}

TEST(Measurements, MissingValuesHaveSeveralForms) {
  const Measurements table = read("a,b\n1,2\n,NA\nnan,-99.9\nNaN, 5\n", -99.9);
  EXPECT_EQ(table.rows, 4u);
  EXPECT_EQ(table.absent_rows, 0u);
  EXPECT_THAT(table.find("a")->values, ElementsAre(1, IsNan(), IsNan(), IsNan()));
  EXPECT_THAT(table.find("b")->values, ElementsAre(2, IsNan(), IsNan(), 5));
  EXPECT_EQ(table.find("c"), nullptr);
}

TEST(Measurements, OmittedRowsAreGaps) {
  for (const std::string text :
       {"time,x\n1950-01,1\n1950-02,2\n1950-03,3\n1950-04,4\n1950-09,9\n1950-10,10\n",
        "Date,x\n1950-01-31,1\n1950-02-28,2\n1950-03-31,3\n1950-04-30,4\n1950-09-30,9\n1950-10-31,10\n",
        "time,x\n0.1,1\n0.2,2\n0.3,3\n0.4,4\n0.9,9\n1,10\n",
        "time,x\n1999-12-31T06:00,1\n1999-12-31 12:00:00Z,2\n1999-12-31T18:00,3\n2000-01-01,4\n2000-01-02T06:00,9\n"
        "2000-01-02T12:00,10\n"}) {
    const Measurements table = read(text);
    ASSERT_EQ(table.rows, 10u) << text;
    EXPECT_EQ(table.absent_rows, 4u);
    EXPECT_THAT(table.columns[0].values, ElementsAre(1, 2, 3, 4, IsNan(), IsNan(), IsNan(), IsNan(), 9, 10)) << text;
  }
}

TEST(Measurements, ADecadeOfOmittedMonthsIsCountedCorrectly) {
  std::string text = "time,x\n";
  for (int year : {1950, 1951, 1962, 1963})
    for (int month = 1; month <= 12; ++month)
      text += std::to_string(year) + (month < 10 ? "-0" : "-") + std::to_string(month) + "-15," +
              std::to_string(month) + "\n";
  EXPECT_EQ(read(text).rows, 14u * 12);
}

TEST(Measurements, ColumnsOfTextCanBeIgnored) {
  const Measurements table = read("time,season,x,\n1,DJF,1,a\n2,MAM,inf,b\n");
  EXPECT_THAT(table.names(), ElementsAre("season", "x"));
  EXPECT_THAT(table.find("season")->unreadable->what(), HasSubstr("t.csv:2:3: 'DJF' in the column 'season'"));
  EXPECT_THAT(table.find("x")->unreadable->what(), HasSubstr("t.csv:3:7: 'inf'"));
}

TEST(Measurements, ErrorsReportTheirPosition) {
  EXPECT_THAT(failure(""), HasSubstr("empty"));
  EXPECT_THAT(failure("time,x\n"), HasSubstr("no rows"));
  EXPECT_THAT(failure("time\n1\n"), HasSubstr("no column besides the time"));
  EXPECT_THAT(failure("x,x\n1,2\n"), HasSubstr("t.csv:1:3: Two columns are named 'x'"));
  EXPECT_THAT(failure("time,x\n1,2\n2\n"), HasSubstr("t.csv:3:2: This line has 1 cells"));
  EXPECT_THAT(failure("time,x\n1950-13,2\n"), HasSubstr("t.csv:2:1: '1950-13' is neither a number nor a date"));
  EXPECT_THAT(failure("time,x\n1950-02-30,2\n"), HasSubstr("neither"));
  EXPECT_THAT(failure("time,x\n1,2\n1950-01,2\n"), HasSubstr("t.csv:3:1: The times before this one are numbers"));
  EXPECT_THAT(failure("time,x\n2,2\n1,2\n"), HasSubstr("t.csv:3:1: The time 1 does not come after 2: rows are"));
  EXPECT_THAT(failure("time,x\n1,2\n2,2\n2,3\n"), HasSubstr("t.csv:4:1: The time 2 stands twice"));
  EXPECT_THAT(failure("time,x\n1950-01,2\n1950-01-01,3\n"), HasSubstr("t.csv:3:1: The time 1950-01-01 stands twice"));
  EXPECT_THAT(failure("time,x\n1,2\n2,2\n3,2\n3.5,2\n4.5,1\n"),
              HasSubstr("t.csv:5:1: The times are not evenly spaced: 3.5 follows 3"));
  EXPECT_THAT(failure("time,x\n1,2\n2,2\n3,2\n4e9,1\n"), HasSubstr("not evenly spaced"));
  EXPECT_THAT(complaint<Error>([] { read_measurements("/nowhere/a.csv"); }), HasSubstr("cannot be opened"));
}

TEST(Measurements, FilesWrittenBySpreadsheetsAreRead) {
  for (const std::string text : {"\xEF\xBB\xBFtime,x\r\n1,0.5\r\n2,-1.5\r\n3,\r\n", "time;x\n1;0,5\n2;-1,5\n3;\n",
                                 "\xEF\xBB\xBFtime;x\r\n1,0;0.5\r\n2,0;-1.5\r\n3,0;NA\r\n",
                                 "time\tx\n1\t0,5\n2\t-1,5\n3\t\n", "\"time\";\"x\"\n1;\"0,5\"\n2;-1,5\n3;\n"}) {
    const Measurements table = read(text);
    EXPECT_THAT(table.names(), ElementsAre("x")) << text;
    ASSERT_FALSE(table.columns[0].unreadable) << text << table.columns[0].unreadable->what();
    EXPECT_THAT(table.columns[0].values, ElementsAre(0.5, -1.5, IsNan())) << text;
    EXPECT_EQ(table.interval, 1.0);
  }
}

TEST(Measurements, DecimalCommasBetweenCommasAreReported) {
  EXPECT_THAT(failure("time,x\n1,0,5\n2,1,5\n"), HasSubstr("t.csv:2:5: This line has 3 cells, the header 2. A number "
                                                           "with a decimal comma counts as two"));
  const Measurements quoted = read("time,x\n1,\"0,5\"\n2,\"1,5\"\n");
  EXPECT_THAT(quoted.columns[0].unreadable->what(), HasSubstr("t.csv:2:4: '0,5' in the column 'x'"));
  EXPECT_THAT(quoted.columns[0].unreadable->what(), HasSubstr("Decimals are written with a point"));
}

TEST(Measurements, OtherEncodingsAndLineEndsAreReported) {
  EXPECT_THAT(failure(std::string("\xFF\xFEt\0i\0m\0e\0\n\0", 12)), HasSubstr("UTF-16"));
  EXPECT_THAT(failure("time,x\r1,2\r2,3\r"), HasSubstr("carriage returns alone"));
}

TEST(Measurements, FilesThatAreNotTextAreReported) {
  EXPECT_THAT(failure("\x1f\x8b\x08 and more\n"), HasSubstr("compressed by gzip"));
  EXPECT_THAT(failure("PK\x03\x04 and more\n"), HasSubstr("a spreadsheet"));
  EXPECT_THAT(failure(std::string("\x7f"
                                  "ELF\0\r\1\n",
                                  8)),
              HasSubstr("This is a binary file"));
}

TEST(Measurements, AMissingFinalLineEndIsReported) {
  EXPECT_FALSE(read("time,x\n1,2\n2,3.25\n").cut_short);
  EXPECT_TRUE(read("time,x\n1,2\n2,3.2").cut_short);
}

TEST(Measurements, NumericTimesGiveTheInterval) {
  EXPECT_EQ(read("time,x\n1,2\n1.25,3\n2,4\n2.25,5\n2.5,1\n").interval, 0.25);
  EXPECT_FALSE(read("time,x\n1950-01,2\n1950-02,3\n").interval);
  EXPECT_FALSE(read("x\n2\n3\n").interval);
}

TEST(Measurements, NetcdfColumnsAreTheVariablesOverTime) {
  const TemporaryFolder folder;
  const std::string file = (folder / "d.nc").string();
  int id = 0, time = 0, site = 0, time_variable = 0, x = 0, field = 0;
  ASSERT_EQ(nc_create(file.c_str(), NC_CLOBBER, &id), NC_NOERR);
  nc_def_dim(id, "time", 4, &time);
  nc_def_dim(id, "k", 2, &site);
  nc_def_var(id, "time", NC_DOUBLE, 1, &time, &time_variable);
  nc_def_var(id, "x", NC_FLOAT, 1, &time, &x);
  const int both[] = {time, site};
  nc_def_var(id, "X", NC_DOUBLE, 2, both, &field);
  const float fill = -1e30f;
  nc_put_att_float(id, x, "_FillValue", NC_FLOAT, 1, &fill);
  nc_enddef(id);
  const double times[] = {0, 31, 59, 120};
  const float values[] = {1, -1e30f, -99.9f, 4};
  nc_put_var_double(id, time_variable, times);
  nc_put_var_float(id, x, values);
  ASSERT_EQ(nc_close(id), NC_NOERR);
  const Measurements table = read_measurements(file, -99.9);
  EXPECT_THAT(table.names(), ElementsAre("x"));
  EXPECT_EQ(table.absent_rows, 1u);
  EXPECT_THAT(table.columns[0].values, ElementsAre(1, IsNan(), IsNan(), IsNan(), 4));
  EXPECT_FALSE(table.columns[0].infinite);
  // The number for missing values may be infinite; other infinite values are errors.
  ASSERT_EQ(nc_open(file.c_str(), NC_WRITE, &id), NC_NOERR);
  const std::size_t third = 2;
  const double infinity = std::numeric_limits<double>::infinity();
  nc_put_var1_double(id, x, &third, &infinity);
  ASSERT_EQ(nc_close(id), NC_NOERR);
  EXPECT_EQ(read_measurements(file).columns[0].infinite, 3u);
  EXPECT_FALSE(read_measurements(file, infinity).columns[0].infinite);
}

TEST(TimeGrid, DatesAreConvertedToDays) {
  EXPECT_EQ(days_of_date("1970-01-01"), 0);
  EXPECT_EQ(days_of_date("2000-03"), 11017);
  EXPECT_EQ(days_of_date("1969-12-31T12:00"), -0.5);
  for (const char* text : {"1970", "70-01-01", "1970-1", "1970-01-", "1970-01-01T", "1970-01-01T25:00", "1970-01x",
                           "-970-01", "1970-01-01T10:00x", "1970-00"})
    EXPECT_FALSE(days_of_date(text)) << text;
}

}  // namespace
}  // namespace gfdt::data
