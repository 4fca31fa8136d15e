// Time of a control variate's sums over samples on the host and on a GPU, one line a figure: `name value unit`. Times
// on the GPU are without compilation; what that takes is a figure of its own.
// usage: benchmark_device_sums [FOLDER of experiments [SAMPLES]]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "gfdt/base/error.hpp"
#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/score/selection/sample_collector.hpp"

namespace {

using namespace gfdt;

void print(const std::string& name, double value) {
  fmt::print("{} {:.4e} s\n", name, value);
  std::fflush(stdout);
}

/// Fits dictionaries of at most this many functions, for statistics alone or with all leading terms.
void measure(const problem::Problem& problem, const score::Samples& samples, std::size_t functions, bool terms) {
  control_variate::Request question{.model = problem.model,
                                    .observables = problem.model.observables.size(),
                                    .values = control_variate::observables_of(problem.model, {})};
  question.most_functions = functions;
  if (terms)
    for (const symbolic::Parameter& parameter : problem.model.parameters) question.parameters.push_back(parameter.name);
  const auto seconds = [&](bool device) {
    question.device = device;
    return control_variate::fit_control_variate(question, samples).wall_seconds;
  };
  const std::string name = fmt::format("lorenz96-{}-{}", terms ? "leading-terms" : "statistics", functions);
  print(name + "-host", seconds(false));
  if (!gpu::Device::find()) return;
  const double first = seconds(true), again = seconds(true);
  print(name + "-device", again);
  print(name + "-device-first", first);
}

int run(const std::string& folder, std::size_t count) {
  const problem::Problem problem = problem::read_problem(folder + "/lorenz96.toml", {});
  simulate::Options options = problem.simulation;
  options.members = 128;
  options.length = 100;
  const score::Samples samples = score::draw_samples(problem.model, options, count);
  for (const std::size_t functions : {100, 400})
    for (const bool terms : {false, true}) measure(problem, samples, functions, terms);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(count > 1 ? arguments[1] : "experiments", count > 2 ? std::stoul(arguments[2]) : 100'000);
  } catch (const gfdt::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
