#include "calibration_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "calibration_advice.hpp"
#include "gfdt/api/calibration_task.hpp"
#include "mismatch_chart.hpp"
#include "styled_text.hpp"
#include "table.hpp"

namespace gfdt::app {
namespace {

using calibrate::Calibration;
using calibrate::Iteration;

std::string number(double value) { return fmt::format("{:.5g}", value); }

std::string parameter_with_error(double value, double error) {
  if (std::isnan(error)) return fmt::format("{:.4g} (not determined)", value);
  const bool hopeless = error > 100 * std::abs(value) && error > 1;  // no digit of the value would be shown
  return hopeless && std::isfinite(error) ? fmt::format("{:.4g} (error {:.2g})", value, error)
                                          : with_error(value, error);
}

std::string interval_text(double lower, double upper) {
  const auto end = [](double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "?"; };
  return std::isfinite(lower) || std::isfinite(upper) ? fmt::format("{} … {}", end(lower), end(upper)) : "—";
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  return seconds < 7200 ? fmt::format("{:.1f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

void print_parameters(std::FILE* file, const Calibration& calibration, const calibrate::Problem& problem) {
  const calibrate::Curvature& curvature = calibration.curvature;
  std::vector<std::string> heading{"parameter", "guess", "answer(std error)"};
  if (curvature.matters()) heading.emplace_back("95 % interval");
  Table table(heading);
  for (std::size_t j = 0; j < calibration.parameters.size(); ++j) {
    std::vector<std::string> row{
        problem.parameters[j].name, number(problem.parameters[j].value),
        parameter_with_error(calibration.parameters[j], calibration.posterior.standard_error[j])};
    const bool determined = std::isfinite(calibration.posterior.standard_error[j]);
    if (curvature.matters()) row.push_back(determined ? interval_text(curvature.lower[j], curvature.upper[j]) : "—");
    table.add(std::move(row));
  }
  table.print(file);
}

void print_statistics(std::FILE* file, const std::vector<statistics::Average>& statistics,
                      const calibrate::Mismatch& mismatch, const calibrate::Targets& targets) {
  constexpr double far = 3;
  Table table({"statistic", "target(std)", "model(std error)", "off by"});
  for (std::size_t m = 0; m < statistics.size(); ++m)
    table.add({statistics[m].name, with_error(targets.value[m], targets.standard_error(m)),
               with_error(statistics[m].mean, statistics[m].standard_error),
               std::abs(mismatch.deviations[m]) > far
                   ? styled(Style::warning, fmt::format("{:+.1f} σ", mismatch.deviations[m]))
                   : fmt::format("{:+.1f} σ", mismatch.deviations[m])});
  table.print(file);
  put_secondary(file, errors_in_parentheses);
}

/// The first few of many remarks, and where to find the others.
std::vector<std::string> shortened(std::vector<std::string> remarks, const std::string& what, const std::string& key) {
  constexpr std::size_t most = 4;
  if (remarks.size() <= most) return remarks;
  const std::size_t left = remarks.size() - (most - 1);
  remarks.resize(most - 1);
  remarks.push_back(fmt::format("{} more {} ({} in the JSON).", left, what, key));
  return remarks;
}

/// Remarks on the standard errors, one sentence each.
std::vector<std::string> remarks_on(const calibrate::Posterior& posterior, const calibrate::Problem& problem) {
  std::vector<std::string> remarks;
  for (const calibrate::WeakDirection& weak : posterior.weak) remarks.push_back(weak.words);
  if (!remarks.empty())
    return shortened(std::move(remarks), "combinations of parameters are weakly determined, or not at all",
                     "weak_directions");
  constexpr double strong = 0.9;
  const std::size_t size = problem.parameters.size();
  for (std::size_t i = 0; i < size && posterior.correlation.size() == size * size; ++i)
    for (std::size_t j = i + 1; j < size; ++j)
      if (const double correlation = posterior.correlation[i * size + j]; std::abs(correlation) > strong)
        remarks.push_back(fmt::format(
            "{} and {} are strongly correlated ({:+.2f}): these statistics constrain mainly one combination of them.",
            problem.parameters[i].name, problem.parameters[j].name, correlation));
  return shortened(std::move(remarks), "pairs are strongly correlated", "parameters_correlation");
}

/// Whether standard errors describe the uncertainty.
std::vector<std::string> remarks_on(const calibrate::Curvature& curvature) {
  if (!curvature.matters()) return {};
  if (std::isinf(curvature.largest))
    return {
        "The model cannot be evaluated at the end of a 95 % interval: standard errors do not describe the "
        "uncertainty there."};
  return {
      fmt::format("The statistics curve {}within the 95 % region (relative curvature {:.2g}): standard errors and "
                  "correlations are rough. {}",
                  curvature.is_strong() ? "strongly " : "", curvature.largest,
                  curvature.is_strong() ? "So are the intervals; more precise targets would help."
                                        : "The intervals follow the curvature.")};
}

/// Parameters that are effectively on a bound, one sentence each.
std::vector<std::string> remarks_on_bounds(const Calibration& calibration, const calibrate::Problem& problem) {
  constexpr double close = 1e-3;  // as a share of how far the guess was
  std::vector<std::string> remarks;
  for (std::size_t j = 0; j < calibration.parameters.size(); ++j) {
    const calibrate::FreeParameter& parameter = problem.parameters[j];
    for (const auto& [bound, which] : {std::pair{parameter.lower, "lower"}, std::pair{parameter.upper, "upper"}})
      if (std::abs(calibration.parameters[j] - bound) < close * std::abs(parameter.value - bound))
        remarks.push_back(
            fmt::format("{} has run into its {} bound, {:g}: its error says nothing.", parameter.name, which, bound));
  }
  return remarks;
}

/// Checks that did not pass in the run at the answer.
std::vector<std::string> warnings_of(const Calibration& calibration) {
  for (auto last = calibration.iterations.rbegin(); last != calibration.iterations.rend(); ++last)
    if (last->accepted) return last->evaluation.warnings;
  return {};
}

void print_remarks_apart(std::FILE* file, const std::vector<std::string>& remarks) {
  print_remarks(file, remarks);
  if (!remarks.empty()) say(file, "\n");
}

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "χ² = 1.2 with 2 targets": twice the number of targets is nothing to worry about, a hundred times is.
std::string chi_square_of(const calibrate::Mismatch& mismatch, const calibrate::Problem& problem) {
  const double value = mismatch.chi_square;
  return fmt::format("χ² = {} with {}", value < 1e5 ? fmt::format("{:.1f}", value) : fmt::format("{:.3g}", value),
                     counted(problem.targets.size(), "target"));
}

/// The norms of the mismatch per step, and the level that noise alone produces at the result.
void print_chart(std::FILE* file, const Calibration& calibration) {
  std::vector<ChartStep> steps;
  for (const Iteration& iteration : calibration.iterations)
    steps.push_back({iteration.mismatch.residual.empty() ? std::nan("") : iteration.mismatch.norm, iteration.accepted});
  // The answer is a step further where a run of its own confirms it.
  if (!steps.empty() && !calibration.parameters.empty() &&
      calibration.parameters != calibration.iterations.back().parameters)
    steps.push_back({calibration.mismatch.norm, true});
  const std::size_t size = calibration.mismatch.residual.size();
  double trace = 0;
  for (std::size_t m = 0; m < size && calibration.mismatch.noise.size() == size * size; ++m)
    trace += calibration.mismatch.noise[m * size + m];
  const std::vector<std::string> lines = mismatch_chart(steps, std::sqrt(trace), shows_unicode(), columns_of(file));
  if (lines.empty()) return;
  say(file, "\n  {}\n", styled(Style::strong, "Mismatch by step, logarithmic scale"));
  for (const std::string& line : lines) put(file, line + "\n");
}

}  // namespace

std::string verdict(const Calibration& calibration, const calibrate::Problem& problem) {
  std::string words = fmt::format("{}: {}", calibrate::name(calibration.status), calibration.explanation);
  const std::optional<std::size_t> furthest = furthest_off(calibration.mismatch);
  if (calibrate::has_answer(calibration.status) || !furthest) return words;
  const std::size_t m = *furthest;
  return words + fmt::format(" Furthest off is {}: {:.4g} in place of {:.4g}, {:+.1f} σ.",
                             problem.targets.observables[m], calibration.statistics[m].mean, problem.targets.value[m],
                             calibration.mismatch.deviations[m]);
}

IterationLines::IterationLines(std::FILE* file, const calibrate::Problem& problem) : file_(file), problem_(problem) {
  constexpr std::size_t most = 8, room_for_note = 12, number_width = 11;
  const std::size_t limit = columns_of(file);
  std::size_t taken = 2 + 4 + 3 * number_width + room_for_note;
  for (const calibrate::FreeParameter& parameter : problem.parameters) {
    const std::size_t width = std::max(number_width, display_width(parameter.name) + 2);
    taken += width;
    if (widths_.size() == most || (limit > 0 && taken > limit && !widths_.empty())) break;
    widths_.push_back(width);
  }
}

void IterationLines::show(const Calibration& so_far) {
  constexpr std::size_t number_width = 11;
  const auto right = [](const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, display_width(text)), ' ') + text;
  };
  const char* more = widths_.size() < problem_.parameters.size() ? "  …" : "";
  if (shown_ == 0 && !so_far.iterations.empty()) {
    std::string heading = "  step";
    for (const char* name : {"mismatch", "χ²", "length"}) heading += right(name, number_width);
    for (std::size_t j = 0; j < widths_.size(); ++j) heading += right(problem_.parameters[j].name, widths_[j]);
    say(file_, "\n{}\n", styled(Style::strong, heading + more));
  }
  for (; shown_ < so_far.iterations.size(); ++shown_) {
    const Iteration& iteration = so_far.iterations[shown_];
    const bool known = !iteration.mismatch.residual.empty();
    const auto cell = [&](double value) { return known ? fmt::format("{:.3g}", value) : "?"; };
    std::string line = "  " + right(fmt::format("{}", shown_), 4);
    for (const std::string& text :
         {cell(iteration.mismatch.norm), cell(iteration.mismatch.chi_square), fmt::format("{:.4g}", iteration.length)})
      line += right(text, number_width);
    for (std::size_t j = 0; j < widths_.size(); ++j)
      line += right(fmt::format("{:.4g}", iteration.parameters[j]), widths_[j]);
    line += more;
    say(file_, "{}\n", iteration.accepted ? line : styled(Style::dim, line + "  rejected"));
    for (const std::string& remark : iteration.remarks) put_paragraph(file_, "       ", styled(Style::dim, remark));
  }
  std::fflush(file_);
}

void print_question(std::FILE* file, const calibrate::Problem& problem) {
  std::vector<std::string> names;
  for (const calibrate::FreeParameter& parameter : problem.parameters) names.push_back(parameter.name);
  put_paragraph(file, "  ",
                fmt::format("Fitting {} ({}) to {} ({}; {}).", counted(names.size(), "parameter"),
                            fmt::join(names, ", "), counted(problem.targets.size(), "target"),
                            fmt::join(problem.targets.observables, ", "), problem.targets.source));
}

void print_calibration(std::FILE* file, const Calibration& calibration, const calibrate::Problem& problem,
                       const calibrate::Options& options, bool as_requested, Simulator simulator) {
  print_chart(file, calibration);
  say(file, "\n");
  put_paragraph(file, fmt::format("  {} ", tick(as_requested)), verdict(calibration, problem));
  if (const std::string words = as_requested ? "" : advice(calibration, problem, options, simulator); !words.empty())
    put_paragraph(file, "      ", words);
  say(file, "\n");
  if (!calibration.parameters.empty()) {
    print_parameters(file, calibration, problem);
    say(file, "\n");
    print_statistics(file, calibration.statistics, calibration.mismatch, problem.targets);
    say(file, "\n");
    const bool tested = calibration.fit.targets > 0;  // not where the search was stopped
    put_paragraph(file, "  ",
                  fmt::format("Mismatch {:.3g}{}.", calibration.mismatch.norm,
                              tested ? "; " + calibrate::in_words(calibration.fit) : ""));
    say(file, "\n");
    print_remarks_apart(file, remarks_on_bounds(calibration, problem));
    print_remarks_apart(file, remarks_on(calibration.posterior, problem));
    print_remarks_apart(file, remarks_on(calibration.curvature));
    print_remarks_apart(file, warnings_of(calibration));
  }
  const std::size_t steps = calibration.iterations.empty() ? 0 : calibration.iterations.size() - 1;
  put_secondary(file, fmt::format("{}, {:.3g} units of simulated time, {}.", counted(steps, "step"),
                                  calibration.simulated_time, duration(calibration.wall_seconds)));
}

void print_comparison(std::FILE* file, const std::vector<NamedCalibration>& calibrations,
                      const calibrate::Problem& problem) {
  std::vector<std::string> heading{"method", "status",         "steps",        "mismatch",
                                   "χ²",     "simulated time", "to the noise", "wall time"};
  for (const calibrate::FreeParameter& parameter : problem.parameters) heading.push_back(parameter.name);
  Table table(heading);
  for (const auto& [name, calibration] : calibrations) {
    const std::optional<double> floor = api::time_to_noise(calibration, problem);
    std::vector<std::string> row{name,
                                 calibrate::name(calibration.status),
                                 fmt::format("{}", std::max<std::size_t>(calibration.iterations.size(), 1) - 1),
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
  say(file, "\n");
  table.print(file);
  put_secondary(file, errors_in_parentheses);
}

void print_forecast(std::FILE* file, const calibrate::Forecast& forecast, const calibrate::Problem& problem) {
  const Iteration& guess = forecast.guess;
  say(file, "\n");
  print_statistics(file, guess.evaluation.statistics, guess.mismatch, problem.targets);
  say(file, "\n  Mismatch {:.3g}; {}.\n\n", guess.mismatch.norm, chi_square_of(guess.mismatch, problem));
  Table table({"parameter", "guess", "first step", "std error to expect"});
  for (std::size_t j = 0; j < guess.parameters.size(); ++j)
    table.add({problem.parameters[j].name, number(guess.parameters[j]), fmt::format("{:+.4g}", guess.step[j]),
               std::isfinite(forecast.posterior.standard_error[j])
                   ? fmt::format("{:.2g}", forecast.posterior.standard_error[j])
                   : "not determined"});
  table.print(file);
  say(file, "\n");
  print_remarks_apart(file, remarks_on(forecast.posterior, problem));
  print_remarks_apart(file, guess.evaluation.warnings);
  put_paragraph(file, "  ",
                fmt::format("The calibration will take about {} evaluations, {:.2g} units of simulated time and {}, if "
                            "every step leaves a fifth of the mismatch.",
                            forecast.evaluations, forecast.simulated_time, duration(forecast.wall_seconds)));
}

}  // namespace gfdt::app
