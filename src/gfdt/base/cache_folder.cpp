#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "gfdt/base/code_store.hpp"
#include "gfdt/base/error.hpp"

namespace gfdt {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

fs::path wanted_folder() {
  if (std::string chosen = environment("GFDT_CACHE"); !chosen.empty()) return chosen;
  if (const fs::path cache = environment("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "gfdt";
  if (const fs::path home = environment("HOME"); home.is_absolute()) return home / ".cache" / "gfdt";
  return fs::temp_directory_path() / fmt::format("gfdt-{}", geteuid());
}

constexpr const char* remedy = "Set GFDT_CACHE to a folder of your own.";

}  // namespace

fs::path private_cache_folder() {
  fs::path folder = wanted_folder();
  if (!folder.has_filename()) folder = folder.parent_path();  // lstat("link/") would follow the link
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    throw Error(fmt::format("The folder '{}' for compiled models cannot be created ({}). {}", folder.string(),
                            std::strerror(errno), remedy));
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    throw Error(fmt::format("'{}', meant to hold compiled models, is not a folder. {}", folder.string(), remedy));
  if (status.st_uid != geteuid())
    throw Error(fmt::format("The folder '{}' for compiled models belongs to another user; code in it would be run. {}",
                            folder.string(), remedy));
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    throw Error(
        fmt::format("Others may write to the folder '{}' of compiled models; code in it would be run. Make it private "
                    "(chmod 700). {}",
                    folder.string(), remedy));
  return folder;
}

}  // namespace gfdt
