#include <gmock/gmock.h>
#include <netcdf.h>

#include <cmath>
#include <numeric>
#include <random>

#include "../temporary_folder.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/netcdf/netcdf_trajectory.hpp"
#include "trajectories.hpp"

namespace gfdt::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Netcdf : public testing::Test {
 protected:
  std::string failure(const std::filesystem::path& file) const {
    return complaint<Error>([&] { read_netcdf(file); });
  }

  /// A file written by another program: temperature (time), packed and with a missing value.
  std::filesystem::path foreign(int format, const std::vector<double>& times, bool with_time = true) const {
    const std::filesystem::path file = folder_ / "foreign.nc";
    int id = 0, dimension = 0, time = 0, variable = 0, text = 0;
    EXPECT_EQ(nc_create(file.c_str(), format | NC_CLOBBER, &id), NC_NOERR);
    nc_def_dim(id, "time", times.size(), &dimension);
    if (with_time) nc_def_var(id, "time", NC_DOUBLE, 1, &dimension, &time);
    nc_def_var(id, "remark", NC_CHAR, 1, &dimension, &text);
    nc_def_var(id, "temperature", NC_SHORT, 1, &dimension, &variable);
    const double scale = 0.5, offset = 10;
    const short fill = -999;
    nc_put_att_double(id, variable, "scale_factor", NC_DOUBLE, 1, &scale);
    nc_put_att_double(id, variable, "add_offset", NC_DOUBLE, 1, &offset);
    nc_put_att_short(id, variable, "_FillValue", NC_SHORT, 1, &fill);
    nc_enddef(id);
    if (with_time) nc_put_var_double(id, time, times.data());
    std::vector<short> values(times.size(), 4);
    values[1] = fill;
    nc_put_var_short(id, variable, values.data());
    EXPECT_EQ(nc_close(id), NC_NOERR);
    return file;
  }

  const TemporaryFolder folder_;
};

TEST_F(Netcdf, RoundTripIsExact) {
  const auto writer = write_netcdf(folder_ / "t.nc", small_layout(), {});
  write_small(*writer);
  expect_small(read_trajectory(folder_ / "t.nc"));
  EXPECT_EQ(folder_.count(), 1u);
}

TEST_F(Netcdf, SinglePrecisionTakesHalfTheSpace) {
  std::size_t sizes[2];
  for (bool single : {false, true}) {
    TrajectoryLayout layout{.fields = {{{"x", {}}, {}}}, .members = 2, .times = 10000, .single_precision = single};
    const auto writer = write_netcdf(folder_ / "t.nc", layout, {});
    append_times<float>(*writer, {0, 1}, 0, 10000);
    writer->finish();
    EXPECT_EQ(read_netcdf(folder_ / "t.nc").at(1, 77, 0), static_cast<float>(value_at(1, 77, 0)));
    sizes[single] = std::filesystem::file_size(folder_ / "t.nc");
  }
  EXPECT_EQ(sizes[0] - sizes[1], 2u * 10000 * 4);
}

TEST_F(Netcdf, FieldsHaveNamedDimensionsAndTheFileHasProvenance) {
  Provenance provenance;
  provenance.version = "1.2.3";
  provenance.problem_text = std::string(300'000, 'x');
  provenance.seed = 99;
  const auto writer = write_netcdf(folder_ / "t.nc", small_layout(), provenance);
  write_small(*writer);
  int id = 0, variable = 0, rank = 0, shape[4];
  ASSERT_EQ(nc_open((folder_ / "t.nc").c_str(), NC_NOWRITE, &id), NC_NOERR);
  ASSERT_EQ(nc_inq_varid(id, "Y", &variable), NC_NOERR);
  nc_inq_varndims(id, variable, &rank);
  ASSERT_EQ(rank, 4);
  nc_inq_vardimid(id, variable, shape);
  std::vector<std::string> names;
  for (int dimension : shape) {
    char name[NC_MAX_NAME + 1];
    nc_inq_dimname(id, dimension, name);
    names.emplace_back(name);
  }
  EXPECT_THAT(names, ElementsAre("member", "time", "k", "j"));
  std::size_t length = 0;
  EXPECT_EQ(nc_inq_attlen(id, NC_GLOBAL, "problem_text", &length), NC_NOERR);
  EXPECT_EQ(length, 300'000u);
  char version[6] = {};
  EXPECT_EQ(nc_get_att_text(id, NC_GLOBAL, "version", version), NC_NOERR);
  EXPECT_STREQ(version, "1.2.3");
  nc_close(id);
}

TEST_F(Netcdf, AnUnfinishedFileNeverAppears) {
  {
    const auto writer = write_netcdf(folder_ / "t.nc", small_layout(), {});
    append_times<double>(*writer, {0, 1, 2}, 0, 4);
    EXPECT_THAT(complaint<Error>([&] { writer->finish(); }), HasSubstr("member 0 has 4 of 5 times"));
  }
  EXPECT_EQ(folder_.count(), 0u);
}

TEST_F(Netcdf, RejectsNamesThatAreTaken) {
  TrajectoryLayout layout = small_layout();
  layout.fields[0].field.name = "time";
  EXPECT_THAT(complaint<Error>([&] { write_netcdf(folder_ / "t.nc", layout, {}); }), HasSubstr("named 'time'"));
  layout.fields[0].field.name = "k";
  EXPECT_THAT(complaint<Error>([&] { write_netcdf(folder_ / "t.nc", layout, {}); }), HasSubstr("sites named 'k'"));
  EXPECT_EQ(folder_.count(), 0u);
}

TEST_F(Netcdf, TheExtensionDeterminesTheFormat) {
  EXPECT_THAT(complaint<Error>([&] { make_trajectory_writer(folder_ / "t.txt", small_layout(), {}); }),
              HasSubstr("must end in .csv or .nc"));
  for (const char* name : {"a.csv", "a.nc"}) write_small(*make_trajectory_writer(folder_ / name, small_layout(), {}));
  EXPECT_EQ(text_of(folder_ / "a.nc").substr(1, 3), "HDF");
  EXPECT_EQ(text_of(folder_ / "a.csv").substr(0, 2), "# ");
}

TEST_F(Netcdf, ReadsFilesOfOtherPrograms) {
  for (int format : {0, NC_64BIT_OFFSET, NC_NETCDF4, NC_NETCDF4 | NC_CLASSIC_MODEL}) {
    const Trajectory t = read_netcdf(foreign(format, {1, 2, 3}));
    EXPECT_THAT(t.variables, ElementsAre("temperature"));
    EXPECT_EQ(t.members, 1u);
    EXPECT_EQ(t.start, 1);
    EXPECT_EQ(t.interval, 1);
    EXPECT_EQ(t.values[0], 12);
    EXPECT_TRUE(std::isnan(t.values[1]));
  }
}

TEST_F(Netcdf, RejectsFilesWithoutATrajectory) {
  EXPECT_THAT(failure(foreign(NC_NETCDF4, {1, 2, 3}, false)), HasSubstr("has no variable 'time'"));
  EXPECT_THAT(failure(foreign(NC_NETCDF4, {1, 2, 4, 5, 6})), HasSubstr("4 follows 2"));
  EXPECT_THAT(failure(foreign(NC_NETCDF4, {1, std::nan(""), 3})), HasSubstr("not evenly spaced"));
  int id = 0;
  ASSERT_EQ(nc_create((folder_ / "bare.nc").c_str(), NC_NETCDF4, &id), NC_NOERR);
  int dimension = 0, time = 0;
  nc_def_dim(id, "time", 1, &dimension);
  nc_def_var(id, "time", NC_DOUBLE, 1, &dimension, &time);
  const double zero = 0;
  nc_put_var_double(id, time, &zero);
  nc_close(id);
  EXPECT_THAT(failure(folder_ / "bare.nc"), HasSubstr("has no variable over the dimensions"));
}

TEST_F(Netcdf, RejectsTruncatedFiles) {
  const auto writer = write_netcdf(folder_ / "t.nc", small_layout(), {});
  write_small(*writer);
  std::vector<double> times(1000);
  std::iota(times.begin(), times.end(), 0.0);
  for (const std::filesystem::path& file : {folder_ / "t.nc", foreign(0, times)}) {
    const std::string whole = text_of(file);
    for (std::size_t keep : {whole.size() - 1, whole.size() * 9 / 10, whole.size() / 2, std::size_t{100},
                             std::size_t{8}, std::size_t{3}, std::size_t{0}}) {
      const auto cut = folder_.file("cut.nc", whole.substr(0, keep));
      EXPECT_NE(failure(cut), "") << file << " " << keep;
    }
  }
}

TEST_F(Netcdf, RejectsRandomBytes) {
  std::mt19937 generator(1);
  std::string bytes(10000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(generator());
  EXPECT_THAT(complaint<Error>([&] { read_trajectory(folder_.file("r.nc", bytes)); }), HasSubstr("is not netCDF"));
  for (const std::string magic : {"CDF\x01", "CDF\x05", "\x89HDF\r\n\x1a\n"})
    EXPECT_THAT(failure(folder_.file("r.nc", magic + bytes)), HasSubstr("damaged")) << magic;
}

TEST_F(Netcdf, ReportsUnreadableFiles) {
  EXPECT_THAT(failure(folder_ / "none.nc"), HasSubstr("No such file"));
  EXPECT_THAT(failure(folder_.path()), HasSubstr("is a folder"));
  EXPECT_THAT(complaint<Error>([&] { write_netcdf(folder_ / "no/t.nc", small_layout(), {}); }),
              HasSubstr("does not exist"));
}

}  // namespace
}  // namespace gfdt::data
