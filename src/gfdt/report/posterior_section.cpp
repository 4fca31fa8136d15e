#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/calibration_path.hpp"
#include "gfdt/report/document.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/report/matrix_table.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/parameter_table.hpp"
#include "gfdt/report/prose.hpp"
#include "gfdt/report/sections.hpp"
#include "gfdt/report/target_deviations.hpp"

namespace gfdt::report {
namespace {

constexpr std::size_t most_notes = 4;

/// A panel per parameter: the guess and the answer of each method.
Figure answers_figure(const RunDocuments& run, const PosteriorPicture& picture) {
  Figure figure{.name = "answers",
                .title = "From the first guess to the answers",
                .caption = "Error bars: one standard error.",
                .table = DataTable({"parameter", "method", "value", "standard_error"}),
                .width = 262,
                .height = static_cast<int>(80 + 32 * (run.calibrations.size() + 1))};
  const std::vector<std::string> labels = calibration_labels(run);
  for (std::size_t j = 0; j < picture.names.size(); ++j) {
    const std::string& name = picture.names[j];
    Panel panel;
    panel.layout = axes("", "", name);
    panel.layout["yaxis"]["showgrid"] = false;
    const auto add = [&](const std::string& who, double value, double error, const std::string& colour) {
      Json trace =
          line_trace({value}, {0}, {.colour = colour, .group = who, .points = true},
                     {fmt::format("{}<br>{} = {}", plot_text(who), plot_text(name), plus_minus(value, error))});
      trace["mode"] = "markers";
      trace["y"] = Json::array({plot_text(who)});
      panel.traces.push_back(error_bars(std::move(trace), {error}, 'x'));
      figure.table.add({name, who, plot_number(value), plot_number(error)});
    };
    add(guess_label, at(picture.guess, j), no_number, guess_colour);
    for (std::size_t i = 0; i < run.calibrations.size(); ++i)
      add(labels[i], number_of(entry(run.calibrations[i].result, "parameters"), name),
          number_of(entry(run.calibrations[i].result, "parameters_error"), name), curve_colour(i));
    if (!picture.truth.empty()) add("true value", at(picture.truth, j), no_number, data_colour);
    panel.layout["yaxis"]["range"] = {static_cast<double>(panel.traces.size()) - 0.4, -0.6};  // downwards
    if (figure.panels.size() < most_panels) figure.panels.push_back(std::move(panel));
  }
  return figure;
}

/// Combinations that are not identifiable, or strongly correlated pairs, a sentence each.
std::vector<std::string> notes_on(const CalibrationDocuments& calibration, const std::vector<std::string>& names) {
  std::vector<std::string> notes;
  const Json& directions = entry(calibration.result, "weak_directions");
  if (directions.is_array())
    for (const Json& direction : directions) notes.push_back(text_of(direction, "words"));
  if (!notes.empty()) return notes;
  constexpr double strong = 0.9;
  const auto correlation = matrix_of(calibration.result, "parameters_correlation");
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j)
      if (const double rho = at(correlation, i, j); std::abs(rho) > strong)
        notes.push_back(fmt::format(
            "{} and {} are strongly correlated ({}): these statistics constrain mainly one combination of them.",
            names[i], names[j], correlation_text(rho)));
  return notes;
}

void add_notes(std::vector<Block>& blocks, const CalibrationDocuments& calibration,
               const std::vector<std::string>& names, const std::string& whose) {
  const std::vector<std::string> notes = notes_on(calibration, names);
  Folded rest{.summary = fmt::format("{} more combinations of parameters are weakly constrained or strongly correlated",
                                     notes.size() > most_notes ? notes.size() - most_notes + 1 : 0),
              .blocks = {}};
  for (std::size_t i = 0; i < notes.size(); ++i) {
    Paragraph note{whose + notes[i], true};
    if (notes.size() > most_notes && i + 1 >= most_notes)
      rest.blocks.push_back(std::move(note));
    else
      blocks.push_back(std::move(note));
  }
  if (!rest.blocks.empty()) blocks.push_back(std::move(rest));
  constexpr double noticeable = 0.3;  // of the relative curvature
  if (const double curvature = number_of(calibration.result, "curvature"); curvature > noticeable)
    blocks.push_back(Paragraph{
        fmt::format("{}The statistics depend nonlinearly on the parameters within the 95 % region (relative curvature "
                    "{:.2g}): prefer the intervals to the standard errors.",
                    whose, curvature),
        true});
}

std::optional<Folded> details_of(const CalibrationDocuments& calibration, const std::vector<std::string>& names,
                                 const std::string& whose) {
  const Json& result = calibration.result;
  Folded details{.summary = whose + "Covariance and correlations of the parameters", .blocks = {}};
  if (const auto covariance = matrix_of(result, "parameters_covariance"); !covariance.empty())
    details.blocks.push_back(matrix_table("Covariance of the parameters", "parameters_covariance", names, covariance));
  if (const auto correlation = matrix_of(result, "parameters_correlation"); !correlation.empty())
    details.blocks.push_back(
        matrix_table("Correlations of the parameters", "parameters_correlation", names, correlation));
  if (const std::vector<double> values = numbers_of(result, "singular_values"); !values.empty()) {
    std::string list;
    for (double value : values) list += (list.empty() ? "" : ", ") + brief(value);
    details.blocks.push_back(Paragraph{
        fmt::format("Singular values of N^(−1/2) S for relative changes of the parameters: {}. Along the direction of "
                    "a singular value s, a relative change of 1/s is one standard deviation of the noise.",
                    list)});
  }
  if (details.blocks.empty()) return {};
  return details;
}

}  // namespace

bool has_overview(const RunDocuments& run) {
  constexpr std::size_t most_parameters = 3, most_targets = 8, most_calibrations = 2;
  return run.calibrations.size() <= most_calibrations && free_parameters(run).size() <= most_parameters &&
         target_names(run).size() <= most_targets &&
         std::ranges::all_of(run.calibrations, [](const CalibrationDocuments& calibration) {
           return !entry(calibration.result, "parameters_covariance").empty();
         });
}

std::optional<Section> posterior_section(const RunDocuments& run) {
  const std::vector<std::string> names = free_parameters(run);
  if (names.empty()) return {};
  const bool several = run.calibrations.size() > 1, many = names.size() > most_paired, overview = has_overview(run);
  const PosteriorPicture picture = posterior_picture(run);
  Figure pairs = many ? strongest_pairs(picture) : pair_plot(picture);
  Section section{"posterior", overview ? "Result" : "Parameters", {parameter_table(run, names)}};
  std::vector<Block>& blocks = section.blocks;
  if (many && !several) blocks.emplace_back(parameter_dots(run.calibrations[0], names));
  if (!overview && !pairs.panels.empty()) blocks.emplace_back(std::move(pairs));
  if (several || !picture.truth.empty()) blocks.emplace_back(answers_figure(run, picture));
  if (Figure figure = overview ? deviations_figure(run) : Figure(); !figure.panels.empty())
    blocks.emplace_back(std::move(figure));
  for (std::size_t i = 0; i < run.calibrations.size(); ++i)
    add_notes(blocks, run.calibrations[i], names, calibration_prefix(run, i));
  if (overview && !pairs.panels.empty()) blocks = {SideBySide{std::move(blocks), {std::move(pairs)}}};
  for (std::size_t i = 0; i < run.calibrations.size(); ++i)
    if (std::optional<Folded> details = details_of(run.calibrations[i], names, calibration_prefix(run, i)))
      blocks.emplace_back(std::move(*details));
  return section;
}

}  // namespace gfdt::report
