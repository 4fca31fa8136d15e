#include "gfdt/report/parameter_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/calibration_path.hpp"
#include "gfdt/report/document.hpp"
#include "gfdt/report/dot_plot.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/report/number_text.hpp"

namespace gfdt::report {
namespace {

std::string interval_text(const std::vector<double>& interval, double error) {
  const double lower = at(interval, 0), upper = at(interval, 1);
  if (!std::isfinite(lower) && !std::isfinite(upper)) return "–";
  const auto end = [&](double value) { return std::isfinite(value) ? rounded_to(value, error) : "?"; };
  return fmt::format("{} … {}", end(lower), end(upper));
}

bool has_intervals(const Json& result) {
  const Json& intervals = entry(result, "parameters_interval");
  return std::ranges::any_of(
      keys_of(intervals), [&](const std::string& name) { return std::isfinite(at(numbers_of(intervals, name), 0)); });
}

std::string per_cent(double share) { return std::isfinite(share) ? fmt::format("{:.2g} %", 100 * share) : "–"; }

std::string change_text(double change) { return std::isfinite(change) ? fmt::format("{:+.1f}", change) : "–"; }

/// Those with standard errors, best known first.
std::vector<ParameterChange> determined(std::vector<ParameterChange> changes) {
  std::erase_if(changes, [](const ParameterChange& change) { return !std::isfinite(change.relative_error); });
  std::ranges::stable_sort(changes, {}, &ParameterChange::relative_error);
  return changes;
}

/// The first and the last rows of more than can be drawn.
void drop_middle(std::vector<ParameterChange>& changes) {
  if (changes.size() > most_dot_rows)
    changes.erase(changes.begin() + most_dot_rows / 2, changes.end() - most_dot_rows / 2);
}

DataTable table_of(const std::vector<ParameterChange>& changes) {
  DataTable table({"parameter", "first_guess", "answer", "standard_error", "relative_error", "change"});
  for (const ParameterChange& change : changes)
    table.add({change.name, plot_number(change.guess), plot_number(change.answer), plot_number(change.error),
               plot_number(change.relative_error), plot_number(change.change)});
  return table;
}

std::string words_of(const ParameterChange& change) {
  return fmt::format("{}<br>answer {}<br>first guess {}", plot_text(change.name),
                     answer_text(change.answer, change.error), brief(change.guess));
}

/// Relative standard errors, and changes in standard errors.
std::vector<Panel> panels_of(const std::vector<ParameterChange>& shown) {
  constexpr double farthest = 10;
  DotSeries errors{.group = "error", .colour = "c0", .values = {}, .words = {}}, moves = errors;
  std::vector<std::string> rows;
  for (const ParameterChange& change : shown) {
    rows.push_back(change.name);
    errors.values.push_back(change.relative_error);
    moves.values.push_back(change.change);
    errors.words.push_back(words_of(change) + "<br>relative error " + per_cent(change.relative_error));
    moves.words.push_back(fmt::format("{}<br>change {} standard errors", words_of(change), change_text(change.change)));
  }
  return {dot_plot({.across = "relative standard error", .rows = rows, .series = {errors}, .logarithmic = true}),
          dot_plot({.across = "(answer − first guess) / standard error",
                    .rows = rows,
                    .series = {moves},
                    .reach = farthest,
                    .bands = true})};
}

/// Of parameters without standard errors: changes relative to the guess, largest first.
Panel relative_changes(std::vector<ParameterChange> changes) {
  const auto share = [](const ParameterChange& change) { return change.answer / change.guess - 1; };
  std::erase_if(changes, [&](const ParameterChange& change) { return !std::isfinite(share(change)); });
  std::ranges::stable_sort(changes, std::ranges::greater{},
                           [&](const ParameterChange& change) { return std::abs(share(change)); });
  if (changes.size() > most_dot_rows) changes.resize(most_dot_rows);
  DotSeries series{.group = "change", .colour = "c0", .values = {}, .words = {}};
  DotPlot plot{.across = "answer / first guess − 1", .rows = {}, .series = {}};
  for (const ParameterChange& change : changes) {
    plot.rows.push_back(change.name);
    series.values.push_back(share(change));
    series.words.push_back(words_of(change));
  }
  plot.series = {std::move(series)};
  Panel panel = dot_plot(plot);
  panel.layout["xaxis"]["tickformat"] = "~%";
  return panel;
}

}  // namespace

std::vector<ParameterChange> parameter_changes(const CalibrationDocuments& calibration,
                                               const std::vector<std::string>& names) {
  std::vector<ParameterChange> changes;
  for (const std::string& name : names) {
    const double answer = number_of(entry(calibration.result, "parameters"), name),
                 error = number_of(entry(calibration.result, "parameters_error"), name),
                 guess = number_of(guess_of(calibration.result), name),
                 size = std::max(std::abs(answer), std::isfinite(guess) ? std::abs(guess) : 0);
    changes.push_back({name, guess, answer, error, size > 0 ? error / size : no_number, (answer - guess) / error});
  }
  return changes;
}

Table parameter_table(const RunDocuments& run, const std::vector<std::string>& names) {
  const Json& truth = entry(run.reproduction, "truth");
  const bool known = !keys_of(truth).empty(), single = run.calibrations.size() == 1,
             intervals = single && has_intervals(run.calibrations[0].result),
             many = single && names.size() > most_paired;
  Table table{"Parameters, with standard errors", {"parameter", "first guess"}, {}};
  for (const std::string& label : calibration_labels(run)) table.heading.push_back(single ? "answer" : label);
  if (intervals) table.heading.emplace_back("95 % interval");
  if (many) table.heading.insert(table.heading.end(), {"relative error", "change / standard error"});
  if (known) table.heading.emplace_back("true value");
  const std::vector<ParameterChange> changes = parameter_changes(run.calibrations[0], names);
  for (std::size_t j = 0; j < names.size(); ++j) {
    std::vector<Cell> row{names[j], brief(changes[j].guess)};
    for (const CalibrationDocuments& calibration : run.calibrations)
      row.emplace_back(answer_text(number_of(entry(calibration.result, "parameters"), names[j]),
                                   number_of(entry(calibration.result, "parameters_error"), names[j])),
                       "answer");
    if (intervals)
      row.emplace_back(interval_text(numbers_of(entry(run.calibrations[0].result, "parameters_interval"), names[j]),
                                     changes[j].error));
    if (many) row.insert(row.end(), {per_cent(changes[j].relative_error), change_text(changes[j].change)});
    if (known) row.emplace_back(brief(number_of(truth, names[j])));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Figure parameter_dots(const CalibrationDocuments& calibration, const std::vector<std::string>& names) {
  const std::vector<ParameterChange> all = parameter_changes(calibration, names);
  std::vector<ParameterChange> shown = determined(all);
  const std::size_t known = shown.size();
  drop_middle(shown);
  Figure figure{.name = "parameter-overview",
                .title = "All parameters at a glance",
                .caption = "",
                .table = table_of(all),
                .width = 420,
                .height = dot_plot_height(known == 0 ? all.size() : shown.size())};
  if (known == 0) {
    figure.caption = "Standard errors are not available. Relative change of each parameter, largest first.";
    figure.panels = {relative_changes(all)};
    return figure;
  }
  figure.caption =
      "Sorted by relative standard error: the best known parameters are on top. Right: change from the first guess to "
      "the answer; bands: ±1 and ±2 standard errors, triangles: beyond ±10.";
  if (shown.size() < known)
    figure.caption += fmt::format(" The {} best and the {} least known of {} parameters are shown.", most_dot_rows / 2,
                                  most_dot_rows / 2, known);
  if (known < all.size())
    figure.caption +=
        fmt::format(" Not shown: {} of {} parameters, which are not determined.", all.size() - known, all.size());
  figure.panels = panels_of(shown);
  return figure;
}

}  // namespace gfdt::report
