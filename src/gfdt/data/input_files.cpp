#include "gfdt/data/input_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "gfdt/base/error.hpp"

namespace gfdt::data {
namespace {

/// Device and inode number.
using Identity = std::pair<dev_t, ino_t>;

std::optional<Identity> identity_of(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return Identity(status.st_dev, status.st_ino);
}

std::mutex mutex;
std::set<Identity> inputs;

}  // namespace

void protect_input(const std::filesystem::path& file) {
  const std::optional<Identity> identity = identity_of(file);
  if (!identity) return;
  std::lock_guard lock(mutex);
  inputs.insert(*identity);
}

bool is_input(const std::filesystem::path& file) {
  const std::optional<Identity> identity = identity_of(file);
  std::lock_guard lock(mutex);
  return identity && inputs.contains(*identity);
}

void refuse_input(const std::filesystem::path& target) {
  if (is_input(target))
    throw Error(fmt::format("'{}' is an input of this command and is not replaced by a result: choose another name.",
                            target.string()));
}

}  // namespace gfdt::data
