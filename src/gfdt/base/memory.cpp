#include "gfdt/base/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>

namespace gfdt {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

double free_on_machine() {
  std::ifstream file("/proc/meminfo");
  for (std::string key, rest; file >> key && std::getline(file, rest);)
    if (key == "MemAvailable:") return std::strtod(rest.c_str(), nullptr) * 1024;
  return unknown;
}

/// Reads a file that contains one number. Returns `unknown` for "max" or if the file cannot be read.
double number_in(const char* name) {
  double number = 0;
  return std::ifstream(name) >> number ? number : unknown;
}

double left_in_control_group() {
  const double limit = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
  return limit < unknown && used < unknown ? std::max(0.0, limit - used) : unknown;
}

double left_in_address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
  const double used = number_in("/proc/self/statm") * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  return used < unknown ? std::max(0.0, static_cast<double>(limit.rlim_cur) - used) : unknown;
}

}  // namespace

double available_memory() { return std::min({free_on_machine(), left_in_control_group(), left_in_address_space()}); }

std::string bytes_text(double bytes) {
  constexpr std::array units{"bytes", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.{}f} {}", bytes, unit > 0 && bytes < 9.95 ? 1 : 0, units[unit]);
}

}  // namespace gfdt
