#include "gfdt/codegen/native/code_cache.hpp"
#include "gfdt/codegen/native/compiler.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "gfdt/base/error.hpp"
#include "surroundings.hpp"

namespace gfdt::codegen {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string source = "extern \"C\" int answer() { return 42; }\n";

int answer(const LoadedCode& code) { return reinterpret_cast<int (*)()>(code.function("answer"))(); }

/// Uses its own cache folder and a compiler that counts its calls.
class CodeCache : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path real = find_compiler();
    if (real.empty()) GTEST_SKIP() << "there is no compiler";
    write_script(folder / "compiler",
                 "echo called >> " + (folder / "calls").string() + "\nexec " + real.string() + " \"$@\"");
    compiler.emplace("GFDT_CXX", (folder / "compiler").string());
  }

  std::size_t calls() const {
    const std::string text = text_of(folder / "calls");
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }

  fs::path cached(const std::string& extension) const {
    for (const auto& entry : fs::directory_iterator(cache))
      if (entry.path().extension() == extension) return entry.path();
    return {};
  }

  /// Installs a shell script as compiler.
  void compile_with(const std::string& script) {
    compiler.reset();
    compiler.emplace("GFDT_CXX", write_script(folder / "other", script).string());
  }

  TemporaryFolder folder;
  fs::path cache = folder / "cache";
  Variable variable{"GFDT_CACHE", cache.string()};
  std::optional<Variable> compiler;
};

TEST_F(CodeCache, CompilesOnceAndThenLoads) {
  EXPECT_EQ(answer(*compile_and_load(source)), 42);
  EXPECT_EQ(answer(*compile_and_load(source)), 42);
  EXPECT_EQ(calls(), 1u);
  EXPECT_EQ(count_files(cache), 2u);
  EXPECT_EQ(answer(*compile_and_load("extern \"C\" int answer() { return 43; }\n")), 43);
  EXPECT_EQ(calls(), 2u);
}

TEST_F(CodeCache, SharesLoadedCode) {
  auto first = compile_and_load(source), second = compile_and_load(source);
  EXPECT_EQ(first, second);
}

TEST_F(CodeCache, LoadsFromAFolderThatCannotBeWritten) {
  compile_and_load(source);
  chmod(cache.c_str(), 0500);
  EXPECT_EQ(answer(*compile_and_load(source)), 42);
  EXPECT_EQ(calls(), 1u);
  chmod(cache.c_str(), 0700);
}

TEST_F(CodeCache, ADifferentCompilerCompilesAgain) {
  compile_and_load(source);
  compile_with("exec " + (folder / "compiler").string() + " \"$@\"");
  compile_and_load(source);
  EXPECT_EQ(calls(), 2u);
}

/// Damages the cached files. The next call must detect this and compile again; the call after that must use the cache.
class DamagedCache : public CodeCache {
 protected:
  template <class Damage>
  void expect_recompilation(const Damage& damage) {
    compile_and_load(source);
    damage();
    EXPECT_EQ(answer(*compile_and_load(source)), 42);
    EXPECT_EQ(calls(), 2u);
    EXPECT_EQ(answer(*compile_and_load(source)), 42);
    EXPECT_EQ(calls(), 2u);
    EXPECT_EQ(count_files(cache), 2u);
  }
};

TEST_F(DamagedCache, TruncatedCode) {
  expect_recompilation([&] { fs::resize_file(cached(".so"), fs::file_size(cached(".so")) / 2); });
}
TEST_F(DamagedCache, EmptyCode) {
  expect_recompilation([&] { fs::resize_file(cached(".so"), 0); });
}
TEST_F(DamagedCache, CodeWithAFlippedBit) {
  expect_recompilation([&] {
    std::string code = text_of(cached(".so"));
    code[code.size() / 2] = static_cast<char>(code[code.size() / 2] ^ 1);
    write_text(cached(".so"), code);
  });
}
TEST_F(DamagedCache, NoCode) {
  expect_recompilation([&] { fs::remove(cached(".so")); });
}
TEST_F(DamagedCache, NoText) {
  expect_recompilation([&] { fs::remove(cached(".cpp")); });
}
TEST_F(DamagedCache, TextOfSomethingElse) {
  expect_recompilation([&] { write_text(cached(".cpp"), "// something else\n" + source); });
}
TEST_F(DamagedCache, TruncatedText) {
  expect_recompilation([&] { fs::resize_file(cached(".cpp"), fs::file_size(cached(".cpp")) - 1); });
}

TEST_F(CodeCache, ThreadsCompileTheSameSourceOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { right += answer(*compile_and_load(source)) == 42; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
  EXPECT_EQ(calls(), 1u);
}

TEST_F(CodeCache, ProcessesMayCompileTheSameSourceAtOnce) {
  std::vector<pid_t> children;
  for (int i = 0; i < 6; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      int result = 1;
      try {
        result = answer(*compile_and_load(source)) == 42 ? 0 : 2;
      } catch (const std::exception&) {
      }
      _exit(result);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(count_files(cache), 2u);
  const std::size_t before = calls();
  EXPECT_EQ(answer(*compile_and_load(source)), 42);
  EXPECT_EQ(calls(), before) << "what the processes left does not fit together";
}

TEST_F(CodeCache, SourceErrorReportsTheOutputOfTheCompiler) {
  EXPECT_THAT([] { compile_and_load("this is not C++\n"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("failed on generated code"), HasSubstr("error"))));
  EXPECT_EQ(count_files(cache), 0u);
}

TEST_F(CodeCache, FailingCompilerReportsItsOutput) {
  compile_with("echo the licence has run out >&2; exit 3");
  EXPECT_THAT([] { compile_and_load(source); },
              ThrowsMessage<Error>(AllOf(HasSubstr("ended with status 3"), HasSubstr("the licence has run out"))));
  EXPECT_EQ(count_files(cache), 0u);
}

TEST_F(CodeCache, KilledCompilerIsAnError) {
  compile_with("kill -9 $$");
  EXPECT_THAT([] { compile_and_load(source); }, ThrowsMessage<Error>(HasSubstr("failed on generated code")));
  EXPECT_EQ(count_files(cache), 0u);
}

TEST_F(CodeCache, CompilerWithoutOutputFileIsAnError) {
  compile_with("exit 0");
  EXPECT_THAT([] { compile_and_load(source); }, ThrowsMessage<Error>(HasSubstr("left no code")));
  EXPECT_EQ(count_files(cache), 0u);
}

TEST_F(CodeCache, InvalidOutputFileIsAnErrorEveryTime) {
  compile_with("while [ \"$1\" != -o ]; do shift; done; echo nonsense > \"$2\"");
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT([] { compile_and_load(source); }, ThrowsMessage<Error>(HasSubstr("Compiled code cannot be loaded")));
}

TEST_F(CodeCache, CompilerThatCannotBeStartedIsAnError) {
  write_text(folder / "broken", "#!/no/such/shell\n");
  fs::permissions(folder / "broken", fs::perms::owner_all);
  Variable broken("GFDT_CXX", (folder / "broken").string());
  EXPECT_THAT([] { compile_and_load(source); }, ThrowsMessage<Error>(HasSubstr("failed on generated code")));
  EXPECT_EQ(count_files(cache), 0u);
}

TEST_F(CodeCache, MissingCompilerIsAnError) {
  Variable missing("GFDT_CXX", (folder / "missing").string());
  EXPECT_THAT([] { compile_and_load(source); }, ThrowsMessage<Error>(HasSubstr("No C++ compiler was found")));
}

TEST_F(CodeCache, MissingFunctionIsAnError) {
  auto code = compile_and_load(source);
  EXPECT_THAT([&] { code->function("question"); }, ThrowsMessage<Error>(HasSubstr("lacks the function 'question'")));
}

/// Prints the error message of a compilation and exits with status 0.
[[noreturn]] void complain_and_exit(const std::string& text, const fs::path& cache) {
  try {
    compile_and_load(text);
    fprintf(stderr, "no complaint\n");
  } catch (const Error& error) {
    fprintf(stderr, "%s\nfiles left: %zu\n", error.what(), count_files(cache));
  }
  _exit(0);
}

using CodeCacheDeathTest = CodeCache;

TEST_F(CodeCacheDeathTest, FolderThatCannotBeWrittenIsAnError) {
  if (geteuid() == 0) {  // root ignores file permissions
    constexpr uid_t nobody = 65534;
    chmod(folder.path().c_str(), 0755);
    fs::create_directory(cache);
    ASSERT_EQ(chown(cache.c_str(), nobody, nobody), 0);
    chmod((folder / "compiler").c_str(), 0755);
  } else {
    private_cache_folder();
  }
  chmod(cache.c_str(), 0500);
  auto act = [&] {
    if (geteuid() == 0 && setuid(65534) != 0) _exit(1);
    complain_and_exit(source, cache);
  };
  EXPECT_EXIT(act(), testing::ExitedWithCode(0), "cannot be written \\(Permission denied\\).*\nfiles left: 0\n");
  chmod(cache.c_str(), 0700);
}

/// Limits the size of files written by this process and its children, to simulate a full disk.
void fill_the_disk(rlim_t size) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{size, size};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

TEST_F(CodeCacheDeathTest, FullDiskIsAnErrorWhenTheSourceIsWritten) {
  auto act = [&] {
    fill_the_disk(1000);
    complain_and_exit(source + std::string(100'000, '\n'), cache);
  };
  EXPECT_EXIT(act(), testing::ExitedWithCode(0), "cannot be written \\(File too large\\).*\nfiles left: 0\n");
}

TEST_F(CodeCacheDeathTest, FullDiskIsAnErrorWhenTheCodeIsWritten) {
  auto act = [&] {
    fill_the_disk(12'000);
    complain_and_exit(source + "extern \"C\" { int big[50000] = {1}; }\n", cache);
  };
  EXPECT_EXIT(act(), testing::ExitedWithCode(0), "failed on generated code(.|\n)*files left: 0\n");
}

}  // namespace
}  // namespace gfdt::codegen
