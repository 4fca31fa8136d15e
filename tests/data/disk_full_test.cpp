#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <iostream>

#include "../temporary_folder.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/write_atomically.hpp"
#include "trajectories.hpp"

namespace gfdt::data {
namespace {

/// Limits the size of files written by this process to 100 kB, to simulate a full disk.
void fill_the_disk() {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{100'000, 100'000};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

/// Performs an action on the full disk, prints its error message, and exits with status 0.
template <class Action>
[[noreturn]] void complain_and_exit(const TemporaryFolder& folder, const Action& action) {
  fill_the_disk();
  std::cerr << complaint<Error>(action) << "\nfiles left: " << folder.count() << std::endl;
  std::exit(0);
}

const TrajectoryLayout long_layout{
    .fields = {{{"x", {}}, {}}}, .members = 1, .times = 100'000, .start = 0, .interval = 1};

void append_all(TrajectoryWriter& writer) {
  for (std::size_t first = 0; first < long_layout.times; first += 1000) append_times<double>(writer, {0}, first, 1000);
  writer.finish();
}

void write_long(const std::filesystem::path& file) { append_all(*make_trajectory_writer(file, long_layout, {})); }

/// After a failure, the library must remain usable and the process must be able to end.
void write_short() {
  const TemporaryFolder folder;
  write_small(*make_trajectory_writer(folder / "t.nc", small_layout(), {}));
  expect_small(read_trajectory(folder / "t.nc"));
}

const char* cannot = "cannot be written: .*\n.*files left: 0\n";

TEST(DiskFullDeathTest, TextFile) {
  const TemporaryFolder folder;
  EXPECT_EXIT(complain_and_exit(folder, [&] { write_file_atomically(folder / "t.txt", std::string(200'000, 'x')); }),
              testing::ExitedWithCode(0), cannot);
}

TEST(DiskFullDeathTest, Csv) {
  const TemporaryFolder folder;
  EXPECT_EXIT(complain_and_exit(folder, [&] { write_long(folder / "t.csv"); }), testing::ExitedWithCode(0), cannot);
}

TEST(DiskFullDeathTest, Netcdf) {
  const TemporaryFolder folder;
  EXPECT_EXIT(complain_and_exit(folder, [&] { write_long(folder / "t.nc"); }), testing::ExitedWithCode(0), cannot);
}

/// The disk becomes full after the writer has been opened and its space reserved.
void fill_later(const TemporaryFolder& folder, const std::string& name) {
  auto writer = make_trajectory_writer(folder / name, long_layout, {});
  fill_the_disk();
  std::cerr << complaint<Error>([&] { append_all(*writer); }) << "\n";
  writer.reset();
  write_short();
  std::cerr << "files left: " << folder.count() << std::endl;
  std::exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST(DiskFullDeathTest, FullAfterOpeningCsv) {
  const TemporaryFolder folder;
  EXPECT_EXIT(fill_later(folder, "t.csv"), testing::ExitedWithCode(0), cannot);
}

TEST(DiskFullDeathTest, FullAfterOpeningNetcdf) {
  const TemporaryFolder folder;
  EXPECT_EXIT(fill_later(folder, "t.nc"), testing::ExitedWithCode(0), cannot);
}

}  // namespace
}  // namespace gfdt::data
