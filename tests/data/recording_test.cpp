#include "gfdt/data/recording.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netcdf.h>

#include "../temporary_folder.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/trajectory_writer.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string lattice = R"toml([model]
state = ["u", "Y[j,k]"]
sites = { k = 3, j = 2 }
[model.drift]
u = "-u"
Y = "-Y[j,k] + u + Y[j,k+1]/2"
[model.diffusion]
u = 1
Y = "0.5"
[observables]
u2 = "u^2"
uneven = "sum(j, sum(k, Y[j,k]*Y[j,k+1]^2))"
[simulation]
dt = 0.01
members = 21
length = 30
cadence = 10
)toml";

symbolic::Model two_states() {
  return problem::parse_problem("model.state = ['x', 'y']\nmodel.drift = { x = '-x', y = '-y' }\n", "p").model;
}

/// A table of `times` rows at intervals of 0.5: x is the row index, y its negative, w is ignored.
std::string table(std::size_t times, const std::string& header = "time,w,y,x") {
  std::string text = header + "\n";
  for (std::size_t i = 0; i < times; ++i)
    text += fmt::format("{},7,{},{}\n", 10 + 0.5 * static_cast<double>(i), -static_cast<double>(i), i);
  return text;
}

std::string failure(const std::string& text, const symbolic::Model& model = two_states()) {
  const TemporaryFolder folder;
  const auto file = folder.file("t.csv", text);
  return complaint<Error>([&] { read_recording(file, model); });
}

class Formats : public testing::TestWithParam<const char*> {};

TEST_P(Formats, ARecordedRunHasTheSameStatistics) {
  const TemporaryFolder folder;
  problem::Problem problem = problem::parse_problem(lattice, "p.toml");
  problem.simulation.backend = codegen::Backend::interpreter;
  problem.simulation.burn_in = 60;  // long enough to make the bias of the initial state negligible
  const auto writer = make_trajectory_writer(folder / GetParam(), trajectory_layout(problem.model, problem.simulation),
                                             problem::provenance_of(problem));
  TrajectorySink sink(*writer);
  simulate::Sink* sinks[] = {&sink};
  const auto run = statistics::simulate_statistics(problem.model, problem.simulation, {}, sinks);
  writer->finish();

  const simulate::RecordedSource source(read_recording(folder / GetParam(), problem.model), problem.simulation);
  EXPECT_EQ(source.options().members, 21);
  EXPECT_EQ(source.options().samples(), problem.simulation.samples());
  EXPECT_NEAR(source.options().dt, 0.1, 1e-12);
  const auto back = statistics::simulate_statistics(problem.model, source);
  ASSERT_EQ(back.observables.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(back.observables[i].mean, run.observables[i].mean);
    EXPECT_EQ(back.observables[i].standard_error, run.observables[i].standard_error);
    EXPECT_NEAR(back.observables[i].autocorrelation_time, run.observables[i].autocorrelation_time, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Formats, testing::Values("t.nc", "t.csv"));

TEST(Recording, FindsStatesByName) {
  const TemporaryFolder folder;
  const simulate::Recording recording = read_recording(folder.file("t.csv", table(120)), two_states());
  EXPECT_EQ(recording.members, 1u);
  EXPECT_EQ(recording.times, 120u);
  EXPECT_EQ(recording.rows, 2u);
  EXPECT_DOUBLE_EQ(recording.interval, 0.5);
  ASSERT_EQ(recording.values.size(), 240u);
  EXPECT_THAT(std::vector(recording.values.end() - 4, recording.values.end()), ElementsAre(118, -118, 119, -119));
}

TEST(Recording, FindsSitesNamedWithSpaces) {
  const symbolic::Model model =
      problem::parse_problem("[model]\nstate = ['Y[j,k]']\nsites = { j = 1, k = 2 }\ndrift.Y = '-Y[j,k]'\n", "p").model;
  const TemporaryFolder folder;
  const auto file = folder.file("t.csv", table(100, "time,w,\"Y[0, 1]\",\"Y[0,0]\""));
  EXPECT_EQ(read_recording(file, model).values[3], -1);
  EXPECT_EQ(read_recording(file, model).values[2], 1);
}

/// A netCDF file with Y over (time, first, second), values 10·(first index) + second index, and a variable to be
/// ignored.
std::filesystem::path foreign(const TemporaryFolder& folder, const char* first, const char* second) {
  const std::filesystem::path file = folder / "foreign.nc";
  int id = 0, dimensions[3] = {}, time = 0, y = 0, other = 0;
  nc_create(file.c_str(), NC_NETCDF4 | NC_CLOBBER, &id);
  nc_def_dim(id, "time", 100, &dimensions[0]);
  nc_def_dim(id, first, 2, &dimensions[1]);
  nc_def_dim(id, second, 2, &dimensions[2]);
  nc_def_var(id, "time", NC_DOUBLE, 1, dimensions, &time);
  nc_def_var(id, "Y", NC_DOUBLE, 3, dimensions, &y);
  nc_def_var(id, "rain", NC_DOUBLE, 1, dimensions, &other);
  nc_enddef(id);
  std::vector<double> times, values;
  for (int t = 0; t < 100; ++t) {
    times.push_back(t);
    for (const double value : {0, 1, 10, 11}) values.push_back(value);
  }
  nc_put_var_double(id, time, times.data());
  nc_put_var_double(id, y, values.data());
  nc_put_var_double(id, other, times.data());
  nc_close(id);
  return file;
}

TEST(Recording, NamedDimensionsMayHaveAnyOrder) {
  const symbolic::Model model =
      problem::parse_problem("[model]\nstate = ['Y[j,k]']\nsites = { j = 2, k = 2 }\ndrift.Y = '-Y[j,k]'\n", "p").model;
  const auto sites = [&](const char* first, const char* second) {
    const TemporaryFolder folder;
    const simulate::Recording recording = read_recording(foreign(folder, first, second), model);
    EXPECT_EQ(recording.rows, 4u);
    return std::vector(recording.values.begin(), recording.values.begin() + 4);
  };
  // The rows of a run: Y[0,0], Y[0,1], Y[1,0], Y[1,1].
  EXPECT_THAT(sites("j", "k"), ElementsAre(0, 1, 10, 11));
  EXPECT_THAT(sites("k", "j"), ElementsAre(0, 10, 1, 11));
  EXPECT_THAT(sites("row", "column"), ElementsAre(0, 1, 10, 11));
}

TEST(Recording, TheTimeOfAModelIsTakenFromTheRows) {
  const auto last_row = [](const std::string& header, const std::string& states, const std::string& drift) {
    const TemporaryFolder folder;
    const symbolic::Model model =
        problem::parse_problem("[model]\nstate = " + states + "\ntime = true\ndrift = { " + drift + " }\n", "p").model;
    const simulate::Recording recording = read_recording(folder.file("t.csv", table(100, header)), model);
    return std::vector(recording.values.end() - static_cast<std::ptrdiff_t>(recording.rows), recording.values.end());
  };
  EXPECT_THAT(last_row("time,w,y,x", "['x']", "x = '-x*t'"), ElementsAre(99, 59.5));
  EXPECT_THAT(last_row("time,w,y,x", "['x', 'y', 'w']", "x = '-x*t', y = '-y', w = '-w'"),
              ElementsAre(99, -99, 7, 59.5))
      << "more rows than columns";
  EXPECT_THAT(last_row("time,t,y,x", "['x']", "x = '-x*t'"), ElementsAre(99, 7)) << "a column of its own";
}

TEST(Recording, MissingStatesAreReportedWithASuggestion) {
  EXPECT_THAT(failure(table(120, "time,w,Y,x")),
              HasSubstr("has no variable 'y', a state of the model. Did you mean 'Y'? It has w, Y, x."));
  const symbolic::Model ring =
      problem::parse_problem("[model]\nstate = ['X[k]']\nsites.k = 2\ndrift.X = '-X[k]'\n", "p").model;
  EXPECT_THAT(failure(table(120, "time,w,X[1],X[2]"), ring),
              HasSubstr("no variable 'X[0]', a state of the model. Sites are counted from 0. It has w, X[1], X[2]."));
  EXPECT_THAT(failure(table(120, "time,X[0],X[1],X[2]"), ring),
              HasSubstr("has a variable 'X[2]', but the field X[k] of the model has 2 sites."));
}

TEST(Recording, MissingValuesAreReported) {
  std::string text = table(120);
  text.replace(text.find(",-30,"), 5, ",nan,");
  EXPECT_THAT(failure(text), HasSubstr("is incomplete: y of member 0 at time 25 is not a number."));
  text = table(120);
  text.replace(text.find(",-30,"), 5, ",inf,");
  EXPECT_THAT(failure(text), HasSubstr("A finite number is expected, not 'inf'."));
  text = table(120);
  text.replace(text.find(",7,-30,"), 7, ",nan,-30,");
  EXPECT_EQ(failure(text), "") << "of no interest";
}

TEST(Recording, InfiniteValuesAreReportedWithMemberAndTime) {
  Trajectory trajectory{.variables = {"x", "y"},
                        .fields = {},
                        .start = 1,
                        .interval = 0.5,
                        .members = 2,
                        .times = 100,
                        .values = std::vector<double>(400, 1.0)};
  trajectory.values[2 * 100 + 2 * 7] = -std::numeric_limits<double>::infinity();
  EXPECT_THAT(complaint<Error>([&] { recording_of(trajectory, two_states(), "a run"); }),
              HasSubstr("The trajectory 'a run' is incomplete: x of member 1 at time 4.5 is infinite."));
}

TEST(Recording, TooFewTimesAreRejected) {
  EXPECT_THAT(failure(table(1)), HasSubstr("holds a single time"));
  EXPECT_THAT(failure(table(99)), HasSubstr("has 99 times; 100 are the fewest that can be used."));
  EXPECT_EQ(failure(table(100)), "");
}

TEST(Recording, TimesMustExistAndBeEven) {
  EXPECT_THAT(failure(table(120, "Time,w,y,x")),
              HasSubstr("no column 'time', which says how far apart the rows are. Did you mean 'Time'?"));
  std::string gap = table(120);
  gap.erase(gap.find("25,7"), gap.find("25.5,7") - gap.find("25,7"));
  EXPECT_THAT(failure(gap), HasSubstr("The times are not evenly spaced: 25.5 follows 24.5."));
}

}  // namespace
}  // namespace gfdt::data
