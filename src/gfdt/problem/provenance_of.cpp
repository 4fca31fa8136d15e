#include "gfdt/problem/provenance_of.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <ctime>
#include <fstream>

#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/parallel/ranks.hpp"

namespace gfdt::problem {
namespace {

std::string machine() {
  utsname names{};
  if (::uname(&names) != 0) return "unknown";
  return fmt::format("{} ({} {}, {})", names.nodename, names.sysname, names.release, names.machine);
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const std::size_t colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
  return "unknown";
}

std::string options_text(const simulate::Options& options) {
  return fmt::format("dt={} members={} length={} burn_in={} cadence={} scheme={} precision={}", options.dt,
                     options.members, options.length, options.burn_in_time(), options.cadence,
                     simulate::name(options.scheme), simulate::name(options.precision));
}

}  // namespace

data::Provenance provenance_of(const Problem& problem, const std::string& command_line) {
  return {.version = data::version(),
          .date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
          .command_line = command_line,
          .problem_file = problem.file,
          .problem_text = problem.text,
          .model_file = problem.model_file,
          .model_text = problem.model_text,
          .overrides = problem.overrides,
          .options = options_text(problem.simulation),
          .seed = problem.simulation.seed,
          .threads = problem.simulation.thread_count(),
          .ranks = ranks::count(),
          .machine = machine(),
          .processor = processor(),
          .device = problem.simulation.backend == codegen::Backend::cuda ? gpu::Device::find()->name() : ""};
}

}  // namespace gfdt::problem
