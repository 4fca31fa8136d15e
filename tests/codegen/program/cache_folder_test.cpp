#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gfdt/base/code_store.hpp"
#include "gfdt/base/error.hpp"
#include "surroundings.hpp"

namespace gfdt::codegen {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

class CacheFolder : public testing::Test {
 protected:
  void expect_refusal(const std::string& sentence) {
    EXPECT_THAT([] { private_cache_folder(); }, ThrowsMessage<Error>(HasSubstr(sentence)));
  }
  static mode_t mode(const fs::path& path) {
    struct stat status {};
    stat(path.c_str(), &status);
    return status.st_mode & 07777;
  }
  TemporaryFolder folder;
  fs::path cache = folder / "cache";
  Variable variable{"GFDT_CACHE", cache.string()};
};

TEST_F(CacheFolder, IsCreatedWithAccessForTheUserOnly) {
  const mode_t old = umask(0);
  EXPECT_EQ(private_cache_folder(), cache);
  umask(old);
  EXPECT_EQ(mode(cache), 0700u);
  EXPECT_EQ(private_cache_folder(), cache);
}

TEST_F(CacheFolder, IsCreatedWithAccessForTheUserOnlyDespiteATrailingSlash) {
  Variable slash("GFDT_CACHE", cache.string() + "/");
  const mode_t old = umask(0);
  EXPECT_EQ(private_cache_folder(), cache);
  umask(old);
  EXPECT_EQ(mode(cache), 0700u);
}

TEST_F(CacheFolder, IsCreatedWithItsParents) {
  Variable deep("GFDT_CACHE", (folder / "a/b/c").string());
  EXPECT_EQ(private_cache_folder(), folder / "a/b/c");
  EXPECT_EQ(mode(folder / "a/b/c"), 0700u);
}

TEST_F(CacheFolder, DefaultFollowsTheXdgConvention) {
  Variable none("GFDT_CACHE", std::nullopt);
  Variable home("HOME", folder.path().string());
  {
    Variable xdg("XDG_CACHE_HOME", (folder / "xdg").string());
    EXPECT_EQ(private_cache_folder(), folder / "xdg/gfdt");
  }
  Variable xdg("XDG_CACHE_HOME", std::nullopt);
  EXPECT_EQ(private_cache_folder(), folder / ".cache/gfdt");
}

TEST_F(CacheFolder, MayBeReadableByOthers) {
  fs::create_directory(cache);
  chmod(cache.c_str(), 0755);
  EXPECT_EQ(private_cache_folder(), cache);
}

TEST_F(CacheFolder, IsRejectedIfOthersMayWrite) {
  fs::create_directory(cache);
  for (mode_t open : {0770u, 0707u, 0777u, 01777u}) {
    chmod(cache.c_str(), open);
    expect_refusal("Others may write to the folder");
  }
}

TEST_F(CacheFolder, IsRejectedIfItIsASymbolicLink) {
  fs::create_directory(folder / "elsewhere");
  chmod((folder / "elsewhere").c_str(), 0700);
  fs::create_directory_symlink(folder / "elsewhere", cache);
  expect_refusal("is not a folder");
  Variable slash("GFDT_CACHE", cache.string() + "/");
  expect_refusal("is not a folder");
}

TEST_F(CacheFolder, IsRejectedIfItIsAFile) {
  write_text(cache, "");
  expect_refusal("is not a folder");
}

TEST_F(CacheFolder, IsRejectedIfItBelongsToAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  fs::create_directory(cache);
  chmod(cache.c_str(), 0700);
  ASSERT_EQ(chown(cache.c_str(), 12345, 12345), 0);
  expect_refusal("belongs to another user");
}

TEST_F(CacheFolder, ReportsWhyItCannotBeCreated) {
  write_text(cache, "");
  Variable below("GFDT_CACHE", (cache / "below").string());
  expect_refusal("cannot be created (Not a directory)");
}

}  // namespace
}  // namespace gfdt::codegen
