#include "gfdt/data/write_atomically.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abandoned_file.hpp"
#include "gfdt/base/error.hpp"

namespace gfdt::data {
namespace {

using testing::HasSubstr;

TEST(WriteAtomically, WritesAndReplaces) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a.txt", "first");
  write_file_atomically(folder / "a.txt", "second");
  EXPECT_EQ(text_of(folder / "a.txt"), "second");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(WriteAtomically, AFileWithoutCommitIsRemoved) {
  const TemporaryFolder folder;
  folder.file("a.txt", "old");
  {
    PendingFile file(folder / "a.txt");
    file.write("new");
    EXPECT_EQ(folder.count(), 2u);
  }
  EXPECT_EQ(text_of(folder / "a.txt"), "old");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(WriteAtomically, OnlyAbandonedFilesAreRemoved) {
  const TemporaryFolder folder;
  const std::string prefix = prefix_of_this_machine(), abandoned = abandoned_name();
  folder.file(abandoned, "half");
  for (const std::string& other : {prefix + "2000000000-3.json", prefix + ".part", prefix + "x-1.part",
                                   std::string(".gfdt-another-2000000000-3.part"), std::string("a.part")})
    folder.file(other, "kept");
  PendingFile own(folder / "a.txt");
  EXPECT_FALSE(std::filesystem::exists(folder / abandoned));
  EXPECT_EQ(folder.count(), 6u);
  folder.file(abandoned, "half");
  remove_abandoned_files(folder.path());
  EXPECT_FALSE(std::filesystem::exists(folder / abandoned));
  own.write("whole");
  own.commit();
  EXPECT_EQ(text_of(folder / "a.txt"), "whole");
  remove_abandoned_files(folder / "absent");
}

TEST(WriteAtomically, FollowsLinks) {
  const TemporaryFolder folder;
  folder.file("real/a.txt", "old");
  std::filesystem::create_symlink(folder / "real/a.txt", folder / "link.txt");
  write_file_atomically(folder / "link.txt", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(text_of(folder / "real/a.txt"), "new");
}

TEST(WriteAtomically, UsesThePermissionsOfTheUser) {
  const TemporaryFolder folder;
  const mode_t mask = ::umask(022);
  write_file_atomically(folder / "a.txt", "x");
  ::umask(mask);
  EXPECT_EQ(static_cast<unsigned>(std::filesystem::status(folder / "a.txt").permissions()), 0644u);
}

TEST(WriteAtomically, RejectsTargetsThatAreNotFiles) {
  const TemporaryFolder folder;
  const auto failure = [](const std::filesystem::path& file) {
    return complaint<Error>([&] { write_file_atomically(file, "x"); });
  };
  EXPECT_THAT(failure(folder.path()), HasSubstr("is a folder"));
  EXPECT_THAT(failure(folder / "none/a.txt"), HasSubstr("does not exist"));
  EXPECT_THAT(failure("/dev/full"), HasSubstr("not a regular file"));
  EXPECT_THAT(failure(""), HasSubstr("not the name of a file"));
}

TEST(WriteAtomically, ReportsAFolderThatIsNotWritable) {
  const char* file = "/proc/gfdt.txt";  // a folder in which not even root can create files
  EXPECT_THAT(complaint<Error>([&] { write_file_atomically(file, "x"); }),
              HasSubstr("'/proc/gfdt.txt' cannot be written: "));
}

}  // namespace
}  // namespace gfdt::data
