#include "gfdt/results/run_folder/run_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../data/abandoned_file.hpp"
#include "evaluations.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/data/sealed_json.hpp"
#include "gfdt/problem/provenance_of.hpp"
#include "gfdt/results/json/evaluation_json.hpp"
#include "gfdt/results/run_folder/run_identity.hpp"

namespace gfdt::results {
namespace {

using calibrate::Request;
using testing::AllOf;
using testing::HasSubstr;
using Mode = RunFolder::Mode;

const std::string text = "[model]\nstate = ['x']\nparameters.a = 1\ndrift.x = '-a*x'\ndiffusion.x = 1\n";

RunDescription description(const std::string& problem_text = text, const std::vector<std::string>& overrides = {}) {
  const problem::Problem problem = problem::parse_problem(problem_text, "p.toml", overrides);
  return {run_identity(problem), problem::provenance_of(problem)};
}

std::string failure(const std::filesystem::path& folder, const RunDescription& run, Mode mode) {
  return complaint<Error>([&] { RunFolder(folder, run, mode); });
}

Stage stage(std::uint64_t seed, Request::Purpose purpose = Request::Purpose::jacobian) {
  return {Request{purpose, {0.5}, 10, seed}, some_evaluation(seed), {}, {}};
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

TEST(RunFolder, StoresTheTextsAndStages) {
  const TemporaryFolder folder;
  const auto path = folder / "a/run";
  {
    const RunFolder run(path, description(), Mode::fresh);
    EXPECT_EQ(text_of(path / "problem.toml"), text);
    EXPECT_FALSE(std::filesystem::exists(path / "model.toml"));
    Stage first = stage(1);
    first.scores = {"one", "two"};
    run.write_stage(0, first);
    run.write_stage(1, stage(2, Request::Purpose::stability));
  }
  for (const char* name : {"stages/0000-jacobian.json", "stages/0000-score-0.json", "stages/0000-score-1.json",
                           "stages/0001-stability.json", "run.json", "lock"})
    EXPECT_TRUE(std::filesystem::exists(path / name)) << name;
  const RunFolder run(path, description(), Mode::resume);
  const auto first = run.read_stage(0), second = run.read_stage(1);
  ASSERT_TRUE(first && second);
  EXPECT_THAT(first->scores, testing::ElementsAre("one", "two"));
  expect_same(first->evaluation, some_evaluation(1));
  EXPECT_TRUE(same_request(second->request, stage(2, Request::Purpose::stability).request));
  EXPECT_FALSE(run.read_stage(2));
}

TEST(RunFolder, CopiesASeparateModelFile) {
  const TemporaryFolder folder;
  folder.file("m.toml", text);
  const problem::Problem problem =
      problem::read_problem(folder.file("p.toml", "[model]\nfile = 'm.toml'\n[observables]\nx2 = 'x^2'\n"));
  const RunFolder run(folder / "run", {run_identity(problem), problem::provenance_of(problem)}, Mode::fresh);
  EXPECT_EQ(text_of(folder / "run/model.toml"), text);
}

TEST(RunFolder, StartsOnlyInAFolderWithoutARun) {
  const TemporaryFolder folder;
  { const RunFolder run(folder / "run", description(), Mode::fresh); }
  EXPECT_THAT(
      failure(folder / "run", description(), Mode::fresh),
      AllOf(HasSubstr("holds an unfinished run"), HasSubstr("--resume continues it"), HasSubstr("another --out")));
  {
    const RunFolder run(folder / "run", description(), Mode::resume);
    EXPECT_FALSE(run.finished());
    run.write("result.json", nlohmann::ordered_json::object());
    EXPECT_TRUE(run.finished());
  }
  EXPECT_THAT(failure(folder / "run", description(), Mode::fresh), HasSubstr("holds a finished run"));
  EXPECT_EQ(failure(folder / "run", description(), Mode::resume), "");
}

TEST(RunFolder, DoesNotOverwriteFilesOfTheUser) {
  const TemporaryFolder folder;
  folder.file("problem.toml", "mine");
  EXPECT_THAT(failure(folder.path(), description(), Mode::fresh), HasSubstr("would be overwritten"));
  EXPECT_EQ(text_of(folder / "problem.toml"), "mine");
  folder.file("problem.toml", text);
  EXPECT_EQ(failure(folder.path(), description(), Mode::fresh), "");
  EXPECT_THAT(failure(folder.file("file", ""), description(), Mode::fresh), HasSubstr("cannot be made"));
}

TEST(RunFolder, ResumesOnlyAnExistingRun) {
  const TemporaryFolder folder;
  EXPECT_THAT(failure(folder / "none", description(), Mode::resume), HasSubstr("holds no run"));
  EXPECT_FALSE(std::filesystem::exists(folder / "none"));
  EXPECT_THAT(failure(folder.path(), description(), Mode::resume), HasSubstr("holds no run"));
}

TEST(RunFolder, ResumesOnlyTheSameRunAndReportsDifferences) {
  const TemporaryFolder folder;
  const auto path = folder / "run";
  { const RunFolder run(path, description(), Mode::fresh); }
  std::string other = text;
  other.replace(other.find("-a*x"), 4, "-2*x");
  EXPECT_THAT(failure(path, description(other), Mode::resume),
              HasSubstr("line 4 of the text of the problem is 'drift.x = '-a*x'' there and 'drift.x = '-2*x'' here"));
  EXPECT_THAT(failure(path, description(text + "# more\n"), Mode::resume),
              HasSubstr("has no line 6 there, and here it is '# more'"));
  EXPECT_THAT(failure(path, description(text, {"dt=0.02"}), Mode::resume), HasSubstr("set is [] there"));
  const auto changed = [&](auto change) {
    problem::Problem problem = problem::parse_problem(text, "p.toml");
    change(problem);
    return failure(path, {run_identity(problem), problem::provenance_of(problem)}, Mode::resume);
  };
  EXPECT_THAT(changed([](problem::Problem& problem) { problem.simulation.seed = 7; }),
              HasSubstr("simulation.seed is 1 there and 7 here"));
  EXPECT_THAT(changed([](problem::Problem& problem) { problem.simulation.members = 7; }),
              HasSubstr("simulation.members"));
  EXPECT_THAT(changed([](problem::Problem& problem) { problem.score.method = score::Method::kgmm; }),
              HasSubstr("score is \"auto\" there and \"kgmm\" here"));
  EXPECT_THAT(changed([](problem::Problem& problem) { problem.response.method = jacobian::Method::finite_difference; }),
              HasSubstr("response is"));
  EXPECT_EQ(changed([](problem::Problem& problem) { problem.simulation.threads = 7; }), "");
  RunDescription run = description();
  run.identity["version"] = "0.0.1";
  EXPECT_THAT(failure(path, run, Mode::resume),
              AllOf(HasSubstr("begun by gfdt " + data::version()), HasSubstr("0.0.1")));
  run = description();
  run.identity["budget"] = 3;
  EXPECT_THAT(failure(path, run, Mode::resume), HasSubstr("budget is not given there and 3 here"));
}

TEST(RunFolder, RejectsOtherFormatsAndDamagedDescriptions) {
  const TemporaryFolder folder;
  { const RunFolder run(folder.path(), description(), Mode::fresh); }
  const std::string whole = text_of(folder / "run.json");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = whole;
    changed.replace(changed.find(from), from.size(), to);
    folder.file("run.json", data::sealed_text(nlohmann::ordered_json::parse(changed)));
    return failure(folder.path(), description(), Mode::resume);
  };
  EXPECT_EQ(with("gfdt run", "gfdt run"), "");
  EXPECT_THAT(with("\"format_version\": 2", "\"format_version\": 9"), HasSubstr("version 9"));
  EXPECT_THAT(with("gfdt run", "a picture"), HasSubstr("does not describe a run"));
  EXPECT_THAT(with("\"members\": 100", "\"members\": 101"), HasSubstr("damaged"));
  folder.file("run.json", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(failure(folder.path(), description(), Mode::resume), HasSubstr("damaged"));
}

TEST(RunFolder, AllowsOnlyOneProcess) {
  const TemporaryFolder folder;
  int ready[2] = {}, leave[2] = {};
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(leave), 0);
  const RunDescription run = description();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(leave[1]);
    const RunFolder held(folder.path(), run, Mode::fresh);
    char byte = 'x';
    static_cast<void>(::write(ready[1], &byte, 1) == 1);
    static_cast<void>(::read(leave[0], &byte, 1) == 1);
    ::_exit(0);  // as if it were killed: nothing is cleaned up
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_THAT(failure(folder.path(), run, Mode::resume), HasSubstr(fmt::format("in use by process {} on", child)));
  EXPECT_THAT(failure(folder.path(), run, Mode::fresh), HasSubstr("in use"));
  ::close(leave[1]);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(failure(folder.path(), run, Mode::resume), "");
  for (int end : {ready[0], ready[1], leave[0]}) ::close(end);
}

TEST(RunFolder, RemovesPartialFilesOfAKilledRun) {
  const TemporaryFolder folder;
  { RunFolder(folder.path(), description(), Mode::fresh).write_stage(0, stage(1)); }
  const auto half = folder.file("stages/" + data::abandoned_name(), "{"), own = folder.file("notes.txt", "mine");
  const RunFolder run(folder.path(), description(), Mode::resume);
  EXPECT_FALSE(std::filesystem::exists(half));
  EXPECT_TRUE(std::filesystem::exists(own));
  EXPECT_TRUE(run.read_stage(0));
}

TEST(RunFolder, ReportsDamagedStages) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path(), description(), Mode::fresh);
  Stage kept = stage(1);
  kept.scores = {"one"};
  run.write_stage(0, kept);
  const std::string whole = text_of(folder / "stages/0000-jacobian.json");
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.size() - 3}) {
    folder.file("stages/0000-jacobian.json", whole.substr(0, size));
    EXPECT_THAT(complaint<Error>([&] { run.read_stage(0); }),
                AllOf(HasSubstr("0000-jacobian.json' is damaged"), HasSubstr("--resume computes that stage again")))
        << size;
  }
  folder.file("stages/0000-jacobian.json", "{}");
  EXPECT_THAT(complaint<Error>([&] { run.read_stage(0); }), HasSubstr("is damaged"));
  folder.file("stages/0000-jacobian.json", whole);
  EXPECT_TRUE(run.read_stage(0));
  std::filesystem::remove(folder / "stages/0000-score-0.json");
  EXPECT_THAT(complaint<Error>([&] { run.read_stage(0); }),
              AllOf(HasSubstr("0000-score-0.json' is damaged"), HasSubstr("0000-jacobian.json' and --resume")));
}

// A flipped bit in a number would change the result of a resumed run.
TEST(RunFolder, DetectsFlippedBitsInStages) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path(), description(), Mode::fresh);
  Stage kept = stage(1);
  kept.scores = {"one"};
  run.write_stage(0, kept);
  const auto as_text = [](const Stage& stage) {
    return data::json_line(to_json(stage.request)) + data::json_line(to_json(stage.evaluation)) + stage.scores[0];
  };
  const std::string intact = as_text(*run.read_stage(0));
  int refused = 0, same = 0;
  for (const char* name : {"stages/0000-jacobian.json", "stages/0000-score-0.json"}) {
    const std::string whole = text_of(folder / name);
    for (std::size_t byte = 0; byte < whole.size(); ++byte) {
      std::string flipped = whole;
      flipped[byte] = static_cast<char>(flipped[byte] ^ (1 << byte % 8));
      folder.file(name, flipped);
      try {
        EXPECT_EQ(as_text(*run.read_stage(0)), intact) << name << ", byte " << byte;
        ++same;
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("is damaged"));
        ++refused;
      }
    }
    folder.file(name, whole);
  }
  EXPECT_GT(refused, 9 * same);
}

TEST(RunFolder, ClearsOnlyItsOwnFiles) {
  const TemporaryFolder folder;
  {
    const RunFolder run(folder.path(), description(), Mode::fresh);
    run.write_stage(0, stage(1));
    run.write("result.json", nlohmann::ordered_json::object());
  }
  folder.file("notes.txt", "mine");
  folder.file("stages/notes.txt", "mine");
  folder.file("stages/" + data::abandoned_name(), "begun by a process that was killed");
  constexpr const char* names[] = {"result.json", "report.html"};
  RunFolder::clear(folder.path(), names);
  EXPECT_THAT(names_in(folder.path()), testing::UnorderedElementsAre("lock", "notes.txt", "stages"));
  EXPECT_THAT(names_in(folder / "stages"), testing::ElementsAre("notes.txt"));
  const RunFolder again(folder.path(), description(), Mode::fresh);
}

TEST(RunFolder, DoesNotClearAModifiedProblemFile) {
  const TemporaryFolder folder;
  { const RunFolder run(folder.path(), description(), Mode::fresh); }
  folder.file("problem.toml", "mine");
  EXPECT_THAT(complaint<Error>([&] { RunFolder::clear(folder.path(), {}); }), HasSubstr("is not deleted"));
  EXPECT_THAT(names_in(folder.path()), testing::UnorderedElementsAre("lock", "problem.toml", "run.json"));
}

TEST(RunFolder, DoesNotClearForeignFolders) {
  const TemporaryFolder folder;
  for (const char* foreign : {"{}", "{\"format\": \"another\"}", "[1, 2]", "not JSON"}) {
    folder.file("run.json", foreign);
    folder.file("problem.toml", "mine");
    EXPECT_THAT(complaint<Error>([&] { RunFolder::clear(folder.path(), {}); }), HasSubstr("nothing in '"));
    EXPECT_THAT(names_in(folder.path()), testing::UnorderedElementsAre("problem.toml", "run.json"));
  }
}

TEST(RunFolder, DoesNotReplaceAForeignFileNamedLock) {
  const TemporaryFolder folder;
  folder.file("lock", "my own notes");
  EXPECT_THAT(complaint<Error>([&] { RunFolder(folder.path(), description(), Mode::fresh); }),
              HasSubstr("is not a lock file of gfdt"));
  EXPECT_EQ(text_of(folder / "lock"), "my own notes");
}

TEST(RunFolder, RejectsStagesOfAnotherRun) {
  const TemporaryFolder folder;
  const RunFolder one(folder / "one", description(), Mode::fresh);
  const RunFolder other(folder / "other", description(text, {"a=2"}), Mode::fresh);
  one.write_stage(0, stage(1));
  std::filesystem::copy(folder / "one/stages", folder / "other/stages");
  EXPECT_THAT(complaint<Error>([&] { other.read_stage(0); }), HasSubstr("does not belong to this calibration"));
}

}  // namespace
}  // namespace gfdt::results
