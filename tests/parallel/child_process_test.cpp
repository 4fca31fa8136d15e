#include "gfdt/parallel/child_process.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "../temporary_folder.hpp"
#include "gfdt/base/error.hpp"

namespace gfdt {
namespace {

using End = ChildOutcome::End;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

ChildProcess shell(const std::string& command) { return {.command = {"/bin/sh", "-c", command}}; }

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Whether the condition becomes true within five seconds.
bool eventually(const std::function<bool()>& happens) {
  for (int i = 0; i < 500; ++i) {
    if (happens()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

bool is_alive(pid_t process) { return ::kill(process, 0) == 0; }

TEST(ChildProcess, ReportsItsStatusAndOutput) {
  const ChildOutcome well = run_child(shell("echo out; echo err >&2"));
  EXPECT_TRUE(well.well());
  EXPECT_EQ(well.printed, "out\nerr\n");
  EXPECT_EQ(run_child(shell("exit 3")).words(), "it ended with status 3");
  EXPECT_THAT(run_child(shell("kill -SEGV $$")).words(), HasSubstr("signal 11"));
  EXPECT_FALSE(run_child({.command = {"/nowhere/program"}}).well());
  EXPECT_THROW(run_child({.command = {"/bin/true"}, .folder = "/nowhere"}), Error);
}

TEST(ChildProcess, ReceivesArgumentsInputAndFolder) {
  const TemporaryFolder folder;
  folder.file("input", "read me");
  const ChildOutcome outcome = run_child({.command = {"/bin/sh", "-c", "cat; pwd; echo \"$1\"", "sh", "a 'b' $c\n"},
                                          .folder = folder.path(),
                                          .input = folder / "input"});
  EXPECT_EQ(outcome.printed,
            fmt::format("read me{}\na 'b' $c\n\n", std::filesystem::canonical(folder.path()).string()));
}

TEST(ChildProcess, KeepsTheBeginningAndTheEndOfLongOutput) {
  const ChildOutcome outcome = run_child(shell("echo first; yes | head -c 300000000; echo last"));
  EXPECT_TRUE(outcome.well());
  EXPECT_THAT(outcome.printed, StartsWith("first\ny\n"));
  EXPECT_THAT(outcome.printed, HasSubstr("bytes are left out"));
  EXPECT_THAT(outcome.printed, EndsWith("y\nlast\n"));
  EXPECT_LT(outcome.printed.size(), 200'000u);
}

TEST(ChildProcess, IsKilledWithItsDescendantsAtTheTimeLimit) {
  ChildProcess endless = shell("trap '' TERM; sleep 1000 & echo $!; yes");
  endless.timeout = 0.3;
  ChildOutcome outcome;
  EXPECT_LT(seconds_of([&] { outcome = run_child(endless); }), 5);
  EXPECT_EQ(outcome.end, End::timed_out);
  const auto sleeper = static_cast<pid_t>(std::stol(outcome.printed));
  EXPECT_TRUE(eventually([&] { return !is_alive(sleeper); }));
}

TEST(ChildProcess, DescendantsAreKilledWhenItEnds) {
  const ChildOutcome outcome = run_child(shell("sleep 1000 & echo $!"));
  EXPECT_TRUE(outcome.well());
  EXPECT_TRUE(eventually([&] { return !is_alive(static_cast<pid_t>(std::stol(outcome.printed))); }));
}

TEST(ChildProcess, StopsOnCancellation) {
  Cancellation cancellation;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancellation.request();
  });
  EXPECT_EQ(run_child(shell("sleep 1000"), &cancellation).end, End::cancelled);
  later.join();
}

TEST(ChildProcess, RespectsTheMemoryLimit) {
  ChildProcess hungry = shell("head -c 400000000 /dev/zero | tail -c 300000000 > /dev/null || exit 5");
  EXPECT_TRUE(run_child(hungry).well());
  hungry.memory = 100'000'000;
  EXPECT_FALSE(run_child(hungry).well());
}

// A parent killed by SIGKILL cannot end its children itself.
TEST(ChildProcess, EndsWithItsParent) {
  const TemporaryFolder folder;
  const pid_t parent = ::fork();
  if (parent == 0) {
    run_child(shell(fmt::format("echo $$ > '{0}/new'; mv '{0}/new' '{0}/number'; sleep 1000", folder.path().string())));
    ::_exit(0);
  }
  const auto number = folder / "number";
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(number); }));
  const auto program = static_cast<pid_t>(std::stol(text_of(number)));
  EXPECT_TRUE(is_alive(program));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  EXPECT_TRUE(eventually([&] { return !is_alive(program); }));
}

}  // namespace
}  // namespace gfdt
