#include "gfdt/problem/external_simulator.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "../temporary_folder.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::problem {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string ornstein_uhlenbeck = R"toml([model]
state = ["x"]
parameters = { a = 0.8, s = 1.3, "σ" = 0.1 }
drift.x = "-a*x"
diffusion.x = "s"
[observables]
x1 = "x"
x2 = "x^2"
[simulation]
dt = 0.25
members = 20
length = 250
)toml";

/// Exact steps of the Ornstein–Uhlenbeck process, starting from its stationary distribution.
const std::string in_python = R"(import json, math, random, sys
parameters, output, seed, members, steps, dt = sys.argv[1:]
values = json.load(open(parameters))
a, s = values["a"], values["s"]
random.seed(int(seed))
decay = math.exp(-a * float(dt))
std = s / math.sqrt(2 * a)
kick = std * math.sqrt(1 - decay ** 2)
with open(output, "w") as file:
    file.write("member,time,x\n")
    for member in range(int(members)):
        x = random.gauss(0, std)
        for step in range(int(float(steps) / float(dt))):
            x = decay * x + random.gauss(0, kick)
            file.write(f"{member},{step * float(dt)!r},{x!r}\n")
)";

const std::string in_awk =
    "awk -v a={a} -v s={s} -v seed={seed} -v members={members} -v length_={length} -v dt={dt} 'BEGIN { srand(seed); "
    "pi = atan2(0, -1); decay = exp(-a * dt); std = s / sqrt(2 * a); kick = std * sqrt(1 - decay^2); "
    "print \"member,time,x\"; for (m = 0; m < members; m++) { x = 0; for (i = -40; i < length_ / dt; i++) { "
    "x = decay * x + kick * sqrt(-2 * log(1 - rand())) * cos(2 * pi * rand()); "
    "if (i >= 0) printf(\"%d,%.17g,%.17g\\n\", m, i * dt, x) } } }' > {output}";

/// Prints 120 valid rows.
const std::string good = "awk 'BEGIN { print \"time,x\"; for (i = 0; i < 120; i++) print i \",\" i % 7 }'";

/// A folder for the user's programs, and a separate folder for temporary files.
class ExternalSimulator : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "temporary files");
    std::filesystem::create_directories(folder_ / "pro blem");
    const char* old = std::getenv("TMPDIR");
    old_ = old ? old : "";
    ::setenv("TMPDIR", (folder_ / "temporary files").c_str(), 1);
  }
  void TearDown() override { old_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", old_.c_str(), 1); }

  std::filesystem::path here() const { return folder_ / "pro blem"; }
  std::string file_text(const std::string& name) const { return text_of(here() / name); }
  bool nothing_left() const { return std::filesystem::is_empty(folder_ / "temporary files"); }

  std::unique_ptr<simulate::Source> run(const std::string& command, int retries = 0, double timeout = 20,
                                        const simulate::Control& control = {}) const {
    return run_external({command, timeout, retries}, problem_.model, problem_.simulation, here(), control);
  }
  std::string failure(const std::string& command, int retries = 0, double timeout = 20) const {
    return complaint<simulate::SimulationFailed>([&] { run(command, retries, timeout); });
  }

  Problem problem_ = parse_problem(ornstein_uhlenbeck, "p.toml");
  TemporaryFolder folder_;

 private:
  std::string old_;
};

/// Within 4.5 standard errors of <x> = 0 and <x²> = s²/2a: a false-alarm rate of 1/50 000.
void expect_right_statistics(const Problem& problem, const simulate::Source& source) {
  const auto run = statistics::simulate_statistics(problem.model, source);
  ASSERT_EQ(run.observables.size(), 2u);
  const double expected[] = {0, 1.3 * 1.3 / 1.6};
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(run.observables[i].standard_error, 0.06);
    EXPECT_NEAR(run.observables[i].mean, expected[i], 4.5 * run.observables[i].standard_error);
  }
}

TEST_F(ExternalSimulator, AProgramInPythonHasTheStatisticsOfItsProcess) {
  folder_.file("pro blem/ou.py", in_python);
  const auto source = run("python3 ou.py {parameters} {output} {seed} {members} {length} {dt}");
  EXPECT_EQ(source->options().members, 20);
  EXPECT_EQ(source->options().samples(), 1000u);
  EXPECT_NEAR(source->options().dt, 0.25, 1e-12);
  expect_right_statistics(problem_, *source);
  EXPECT_TRUE(nothing_left());
}

TEST_F(ExternalSimulator, AProgramInAwkHasTheStatisticsOfItsProcess) {
  expect_right_statistics(problem_, *run(in_awk));
}

TEST_F(ExternalSimulator, ReplacesAllPlaceholders) {
  problem_.simulation.seed = 5;
  problem_.simulation.cadence = 3;
  problem_.model.parameters[0].value = 1.0 / 3;
  run("cp {parameters} p.json; echo {a} {σ} {seed} {length} {dt} {members} {burn_in} {cadence} {{a}} > said; " + good +
      " > \"$(echo {output})\"");
  EXPECT_EQ(file_text("said"), "0.3333333333333333 0.1 5 250 0.25 20 25 3 {a}\n");
  EXPECT_EQ(nlohmann::json::parse(file_text("p.json")), (nlohmann::json{{"a", 1.0 / 3}, {"s", 1.3}, {"σ", 0.1}}));
}

TEST_F(ExternalSimulator, MembersAreCutOnlyOnRequest) {
  EXPECT_EQ(run(good + " > {output}")->options().members, 1);
  const auto cut = run_external({good + " > {output}", 20, 0}, problem_.model, problem_.simulation, here(), {}, 0);
  EXPECT_EQ(cut->options().members, 16);
}

TEST_F(ExternalSimulator, SeedsCanBeReadByEveryProgram) {
  EXPECT_EQ(seed_for_program(1, 0), 1u);
  EXPECT_EQ(seed_for_program(0x7fffffff, 0), 0x7fffffffu);
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{1} << 31, ~std::uint64_t{0}})
    for (int attempt = 0; attempt < 4; ++attempt) {
      EXPECT_LT(seed_for_program(seed, attempt), std::uint64_t{1} << 31);
      seen.insert(seed_for_program(seed, attempt));
    }
  EXPECT_EQ(seen.size(), 12u);
}

TEST_F(ExternalSimulator, AFailureIsRetriedWithAnotherSeed) {
  const std::string command = "echo {seed} >> seeds; test $(wc -l < seeds) -gt 1 && " + good + " > {output}";
  EXPECT_NE(run(command, 1), nullptr);
  EXPECT_EQ(file_text("seeds"), fmt::format("1\n{}\n", seed_for_program(1, 1)));
  EXPECT_TRUE(nothing_left());
}

TEST_F(ExternalSimulator, RetriesAreLimitedAndTheLastFailureIsReported) {
  const std::string why = failure("echo {seed} >> seeds; echo out; echo 'no licence' >&2; exit 3", 2);
  EXPECT_THAT(why, AllOf(HasSubstr("failed 3 times"), HasSubstr("it ended with status 3."),
                         HasSubstr("  out\n  no licence\n"), HasSubstr("The command was: echo ")));
  EXPECT_EQ(std::ranges::count(file_text("seeds"), '\n'), 3);
  const std::size_t kept = why.find("kept in '") + 9;
  const std::filesystem::path folder = why.substr(kept, why.find('\'', kept) - kept);
  EXPECT_EQ(text_of(folder / "printed.txt"), "out\nno licence\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "temporary files"), {}), 1) << "the last one";
}

TEST_F(ExternalSimulator, OnlyTheLastLinesAreShown) {
  const std::string why = failure("seq 1 5000; printf 'end\\tof it'; exit 1");
  EXPECT_THAT(why, AllOf(HasSubstr("  4992\n"), HasSubstr("  5000\n  end of it\n"), Not(HasSubstr("4991"))));
  EXPECT_THAT(failure("head -c 9000 /dev/zero | tr '\\0' 'x'; exit 1"), HasSubstr("xxxxxxxxx"));
  EXPECT_THAT(failure("exit 1"), HasSubstr("It printed nothing."));
}

TEST_F(ExternalSimulator, TrajectoriesThatCannotBeUsedAreFailures) {
  EXPECT_THAT(failure("true {output}"), HasSubstr("wrote nothing to"));
  EXPECT_THAT(failure("echo garbage > {output}"), HasSubstr("what it wrote cannot be used."));
  EXPECT_THAT(failure("head -c 5000 /dev/urandom > {output.nc}"), HasSubstr("what it wrote cannot be used."));
  EXPECT_THAT(failure(good + " | sed 's/^60,.*/60,nan/' > {output}"), HasSubstr("what it wrote cannot be used."));
  EXPECT_THAT(failure(good + " | sed 's/time,x/time,y/' > {output}"), HasSubstr("has no variable 'x'"));
  EXPECT_THAT(failure(good + " | head -50 > {output}"), HasSubstr("has 49 times"));
}

TEST_F(ExternalSimulator, TerminationByASignalIsReported) {
  EXPECT_THAT(failure("kill -SEGV $$"), HasSubstr("it was killed by signal 11 (Segmentation fault)."));
  EXPECT_THAT(failure("sh -c 'kill -9 $$'; exit $?"), HasSubstr("it was killed by signal 9 (Killed)."));
}

/// Whether the process with the number in the text is still running.
bool runs(const std::string& number) {
  const std::string status = text_of("/proc/" + number.substr(0, number.find('\n')) + "/stat");
  return !status.empty() && status.substr(status.rfind(')') + 2, 1) != "Z";
}

TEST_F(ExternalSimulator, AProgramThatHangsIsKilledWithItsChildren) {
  const auto start = std::chrono::steady_clock::now();
  const std::string why = failure(
      "echo $$ > leader; sleep 60 & echo $! > child; sh -c 'trap \"\" TERM; echo $$ > deaf; while :; do sleep 1; done'",
      0, 0.5);
  EXPECT_THAT(why, HasSubstr("it did not end within 0.5 seconds and was killed."));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  for (const char* name : {"leader", "child", "deaf"}) {
    ASSERT_NE(file_text(name), "") << name;
    EXPECT_FALSE(runs(file_text(name))) << name;
  }
}

TEST_F(ExternalSimulator, RemainingChildrenAreKilled) {
  EXPECT_NE(run("sleep 60 & echo $! > child; " + good + " > {output}"), nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(runs(file_text("child")));
}

TEST_F(ExternalSimulator, CancellationIsImmediate) {
  Cancellation cancellation;
  simulate::Control control;
  control.cancellation = &cancellation;
  const auto start = std::chrono::steady_clock::now();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancellation.request();
  });
  EXPECT_EQ(run("sleep 60 & echo $! > child; wait; true {output}", 1, 60, control), nullptr);
  other.join();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_FALSE(runs(file_text("child")));
  EXPECT_TRUE(nothing_left());
}

TEST_F(ExternalSimulator, AMissingFolderIsAnError) {
  EXPECT_THAT(complaint<Error>([&] {
                run_external({"true", 1, 0}, problem_.model, problem_.simulation, folder_ / "nowhere");
              }),
              AllOf(HasSubstr("could not be started in the folder"), HasSubstr("nowhere': No such file")));
}

}  // namespace
}  // namespace gfdt::problem
