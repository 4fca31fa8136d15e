#include "calibration_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "table.hpp"

namespace gfdt::app {
namespace {

using calibrate::Calibration;
using calibrate::Iteration;

std::string number(double value) { return fmt::format("{:.5g}", value); }

std::string parameter_with_error(double value, double error) {
  return std::isfinite(error) ? with_error(value, error) : fmt::format("{:.4g} (not determined)", value);
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  return seconds < 7200 ? fmt::format("{:.1f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

void print_parameters(std::FILE* file, const std::vector<double>& from, const std::vector<double>& to,
                      const calibrate::Posterior& posterior, const calibrate::Problem& problem) {
  Table table({"parameter", "guess", "answer ± std error"});
  for (std::size_t j = 0; j < to.size(); ++j)
    table.add({problem.parameters[j].name, number(from[j]), parameter_with_error(to[j], posterior.standard_error[j])});
  table.print(file);
}

void print_statistics(std::FILE* file, const std::vector<statistics::Average>& statistics,
                      const calibrate::Mismatch& mismatch, const calibrate::Targets& targets) {
  Table table({"statistic", "target ± std", "model ± std error", "off by"});
  for (std::size_t m = 0; m < statistics.size(); ++m)
    table.add({statistics[m].name, with_error(targets.value[m], targets.standard_error(m)),
               with_error(statistics[m].mean, statistics[m].standard_error),
               fmt::format("{:+.1f} σ", mismatch.deviations[m])});
  table.print(file);
}

void print_weak(std::FILE* file, const calibrate::Posterior& posterior) {
  for (const calibrate::WeakDirection& weak : posterior.weak) fmt::print(file, "  ! {}\n", weak.words);
  if (!posterior.weak.empty()) fmt::print(file, "\n");
}

}  // namespace

void IterationLines::show(const Calibration& so_far) {
  for (; shown_ < so_far.iterations.size(); ++shown_) {
    const Iteration& iteration = so_far.iterations[shown_];
    std::vector<std::string> values;
    for (std::size_t j = 0; j < iteration.parameters.size(); ++j)
      values.push_back(fmt::format("{}={:.4g}", problem_.parameters[j].name, iteration.parameters[j]));
    constexpr std::size_t most = 8;
    if (values.size() > most) values.resize(most);
    fmt::print(file_, "  {:>3}  mismatch {:<9.3g} χ² {:<9.3g} length {:<8.4g} {}{}\n", shown_, iteration.mismatch.norm,
               iteration.mismatch.chi_square, iteration.length, fmt::join(values, " "),
               iteration.accepted ? "" : "  (taken back)");
    for (const std::string& remark : iteration.remarks) fmt::print(file_, "       {}\n", remark);
  }
  std::fflush(file_);
}

void print_calibration(std::FILE* file, const Calibration& calibration, const calibrate::Problem& problem) {
  fmt::print(file, "\n  {}: {}\n\n", calibrate::name(calibration.status), calibration.explanation);
  if (!calibration.parameters.empty()) {
    print_parameters(file, calibration.iterations[0].parameters, calibration.parameters, calibration.posterior,
                     problem);
    fmt::print(file, "\n");
    print_statistics(file, calibration.statistics, calibration.mismatch, problem.targets);
    fmt::print(
        file, "\n  Mismatch {:.3g}; χ² = {:.1f} with {} targets, which noise exceeds with probability {:.2g}.\n\n",
        calibration.mismatch.norm, calibration.mismatch.chi_square, problem.targets.size(), calibration.mismatch.tail);
    print_weak(file, calibration.posterior);
  }
  fmt::print(file, "  {} evaluations, {:.3g} units of simulated time, {}.\n", calibration.iterations.size(),
             calibration.simulated_time, duration(calibration.wall_seconds));
}

std::optional<double> time_to_noise(const Calibration& calibration, const calibrate::Problem& problem,
                                    double confidence) {
  for (const Iteration& iteration : calibration.iterations)
    if (iteration.evaluation.usable() && iteration.length >= problem.length &&
        iteration.mismatch.tail >= 1 - confidence)
      return iteration.spent;
  const bool at_the_end = !calibration.parameters.empty() && calibration.mismatch.tail >= 1 - confidence;
  return at_the_end ? std::optional(calibration.simulated_time) : std::nullopt;
}

void print_comparison(std::FILE* file, const std::vector<NamedCalibration>& calibrations,
                      const calibrate::Problem& problem) {
  std::vector<std::string> heading{"method", "status",         "evaluations",  "mismatch",
                                   "χ²",     "simulated time", "to the noise", "wall time"};
  for (const calibrate::FreeParameter& parameter : problem.parameters) heading.push_back(parameter.name);
  Table table(heading);
  for (const auto& [name, calibration] : calibrations) {
    const std::optional<double> floor = time_to_noise(calibration, problem);
    std::vector<std::string> row{name,
                                 calibrate::name(calibration.status),
                                 fmt::format("{}", calibration.iterations.size()),
                                 fmt::format("{:.3g}", calibration.mismatch.norm),
                                 fmt::format("{:.1f}", calibration.mismatch.chi_square),
                                 fmt::format("{:.3g}", calibration.simulated_time),
                                 floor ? fmt::format("{:.3g}", *floor) : "-",
                                 duration(calibration.wall_seconds)};
    for (std::size_t j = 0; j < problem.parameters.size(); ++j)
      row.push_back(j < calibration.parameters.size()
                        ? parameter_with_error(calibration.parameters[j], calibration.posterior.standard_error[j])
                        : "");
    table.add(std::move(row));
  }
  fmt::print(file, "\n");
  table.print(file);
}

void print_forecast(std::FILE* file, const calibrate::Forecast& forecast, const calibrate::Problem& problem) {
  const Iteration& guess = forecast.guess;
  print_statistics(file, guess.evaluation.statistics, guess.mismatch, problem.targets);
  fmt::print(file, "\n  Mismatch {:.3g}, χ² = {:.1f} with {} targets.\n\n", guess.mismatch.norm,
             guess.mismatch.chi_square, problem.targets.size());
  Table table({"parameter", "guess", "first step", "std error to expect"});
  for (std::size_t j = 0; j < guess.parameters.size(); ++j)
    table.add({problem.parameters[j].name, number(guess.parameters[j]), fmt::format("{:+.4g}", guess.step[j]),
               std::isfinite(forecast.posterior.standard_error[j])
                   ? fmt::format("{:.2g}", forecast.posterior.standard_error[j])
                   : "not determined"});
  table.print(file);
  fmt::print(file, "\n");
  print_weak(file, forecast.posterior);
  fmt::print(file,
             "  The calibration will take about {} evaluations, {:.2g} units of simulated time and {}, if every step "
             "leaves a fifth of the mismatch.\n",
             forecast.evaluations, forecast.simulated_time, duration(forecast.wall_seconds));
}

}  // namespace gfdt::app
