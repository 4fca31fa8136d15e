#include <gmock/gmock.h>

#include "formulas.hpp"
#include "gfdt/base/error.hpp"
#include "surroundings.hpp"

namespace gfdt::codegen {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(ChooseBackend, FallsBackWithANoticeIfThereIsNoCompiler) {
  TemporaryFolder folder;
  Variable compiler("GFDT_CXX", (folder / "missing").string());
  BackendChoice choice = choose_backend(Backend::automatic);
  EXPECT_EQ(choice.backend, Backend::interpreter);
  EXPECT_THAT(choice.notice, HasSubstr("GFDT_CXX). The formulas are interpreted, which is slower."));
  EXPECT_THAT([] { choose_backend(Backend::native); }, ThrowsMessage<Error>(HasSubstr("GFDT_CXX")));
  EXPECT_EQ(choose_backend(Backend::interpreter).notice, "");

  Formulas f;
  f.state("x").output("x^2");
  f.compare<double>(Backend::automatic, 1);
  EXPECT_THROW(make_evaluator<double>(f.plan(), {}, Backend::native), Error);
}

TEST(ChooseBackend, FallsBackWithANoticeIfThereIsNoCacheFolder) {
  if (find_compiler().empty()) GTEST_SKIP() << "there is no compiler";
  TemporaryFolder folder;
  std::ofstream(folder / "file") << "in the way";
  Variable cache("GFDT_CACHE", (folder / "file/cache").string());
  const BackendChoice choice = choose_backend(Backend::automatic);
  EXPECT_EQ(choice.backend, Backend::interpreter);
  EXPECT_THAT(choice.notice, HasSubstr("cannot be created"));
  EXPECT_THAT([] { choose_backend(Backend::native); }, ThrowsMessage<Error>(HasSubstr("cannot be created")));
}

TEST(FindCompiler, SkipsRelativeFoldersOfTheSearchPath) {
  TemporaryFolder folder;
  write_script(folder / "c++", "exit 1");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder / ".");
  Variable none("GFDT_CXX", "");
  for (const char* path : {".", "", ":", "./", "../"}) {
    Variable search("PATH", path);
    EXPECT_EQ(find_compiler(), std::filesystem::path()) << "'" << path << "'";
  }
  std::filesystem::current_path(before);
}

TEST(ChooseBackend, IsNativeIfThereIsACompiler) {
  if (find_compiler().empty()) GTEST_SKIP() << "there is no compiler";
  EXPECT_EQ(choose_backend(Backend::automatic).backend, Backend::native);
  EXPECT_EQ(choose_backend(Backend::native).backend, Backend::native);
  EXPECT_EQ(choose_backend(Backend::interpreter).backend, Backend::interpreter);
  EXPECT_EQ(choose_backend(Backend::automatic).notice, "");
}

TEST(FindCompiler, AcceptsAPathOrANameOnTheSearchPath) {
  TemporaryFolder folder;
  write_script(folder / "my-compiler", "exit 1");
  {
    Variable compiler("GFDT_CXX", (folder / "my-compiler").string());
    EXPECT_EQ(find_compiler(), folder / "my-compiler");
  }
  Variable search("PATH", "/nowhere:" + folder.path().string());
  {
    Variable compiler("GFDT_CXX", "my-compiler");
    EXPECT_EQ(find_compiler(), folder / "my-compiler");
  }
  Variable compiler("GFDT_CXX", std::nullopt);
  EXPECT_EQ(find_compiler(), "");
  write_script(folder / "clang++", "exit 1");
  EXPECT_EQ(find_compiler(), folder / "clang++");
  write_script(folder / "c++", "exit 1");
  EXPECT_EQ(find_compiler(), folder / "c++");
  Variable empty("GFDT_CXX", "");
  EXPECT_EQ(find_compiler(), folder / "c++");
}

TEST(FindCompiler, IgnoresFoldersAndFilesThatAreNotExecutable) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "c++");
  write_text(folder / "g++", "text");
  Variable search("PATH", folder.path().string());
  Variable none("GFDT_CXX", std::nullopt);
  EXPECT_EQ(find_compiler(), "");
  Variable compiler("GFDT_CXX", folder.path().string());
  EXPECT_EQ(find_compiler(), "");
}

}  // namespace
}  // namespace gfdt::codegen
