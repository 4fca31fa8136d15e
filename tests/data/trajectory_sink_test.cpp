#include <gmock/gmock.h>

#include <thread>

#include "../temporary_folder.hpp"
#include "gfdt/data/csv/csv.hpp"
#include "gfdt/data/netcdf/netcdf_trajectory.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "trajectories.hpp"

namespace gfdt::data {
namespace {

const std::string lattice = R"toml([model]
state = ["u", "Y[j,k]"]
sites = { k = 2, j = 3 }
[model.drift]
u = "-u"
Y = "-Y[j,k] + u"
[model.diffusion]
u = 1
Y = 0.5
[simulation]
dt = 0.01
members = 21
length = 3
cadence = 10
)toml";

TEST(TrajectorySink, BothFormatsContainTheSameRun) {
  const TemporaryFolder folder;
  problem::Problem problem = problem::parse_problem(lattice, "p.toml");
  problem.simulation.backend = codegen::Backend::interpreter;
  problem.simulation.threads = 2;
  const TrajectoryLayout layout = trajectory_layout(problem.model, problem.simulation);
  EXPECT_EQ(layout.times, 30u);
  EXPECT_EQ(layout.variables(), 7u);
  const Provenance provenance = problem::provenance_of(problem);
  const auto csv = write_csv(folder / "t.csv", layout, provenance);
  const auto netcdf = write_netcdf(folder / "t.nc", layout, provenance);
  TrajectorySink csv_sink(*csv), netcdf_sink(*netcdf);
  std::vector<simulate::Sink*> sinks{&csv_sink, &netcdf_sink};
  ASSERT_EQ(simulate::run(problem.model, problem.simulation, sinks).status, simulate::Status::done);
  csv->finish();
  netcdf->finish();

  const Trajectory a = read_trajectory(folder / "t.csv"), b = read_trajectory(folder / "t.nc");
  EXPECT_EQ(a.variables, b.variables);
  EXPECT_EQ(a.variables[2], "Y[1,0]");
  EXPECT_EQ(a.members, 21u);
  EXPECT_EQ(b.members, 21u);
  EXPECT_EQ(a.values, b.values);
  EXPECT_NEAR(a.interval, 0.1, 1e-12);
  EXPECT_NEAR(a.start, 0.1, 1e-12);
  EXPECT_NE(a.at(0, 0, 0), a.at(20, 0, 0));
}

TEST(TrajectorySink, WritersAcceptBlocksFromManyThreads) {
  const TemporaryFolder folder;
  const TrajectoryLayout layout = small_layout(8, 400);
  const auto csv = write_csv(folder / "t.csv", layout, {});
  const auto first = write_netcdf(folder / "a.nc", layout, {}), second = write_netcdf(folder / "b.nc", layout, {});
  std::vector<std::jthread> threads;
  for (std::uint32_t block = 0; block < 4; ++block)
    threads.emplace_back([&, block] {
      for (std::size_t time = 0; time < 400; time += 40)
        for (TrajectoryWriter* writer : {csv.get(), first.get(), second.get()})
          append_times<double>(*writer, {2 * block, 2 * block + 1}, time, 40);
    });
  threads.clear();
  for (TrajectoryWriter* writer : {csv.get(), first.get(), second.get()}) writer->finish();
  const Trajectory t = read_netcdf(folder / "b.nc");
  EXPECT_EQ(t.values, read_netcdf(folder / "a.nc").values);
  EXPECT_EQ(t.values, read_csv(folder / "t.csv").values);
  EXPECT_EQ(t.at(5, 123, 4), value_at(5, 123, 4));
}

}  // namespace
}  // namespace gfdt::data
