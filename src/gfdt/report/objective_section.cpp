#include <fmt/format.h>

#include <cmath>

#include "gfdt/report/calibration_path.hpp"
#include "gfdt/report/document.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/report/matrix_table.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/prose.hpp"
#include "gfdt/report/sections.hpp"
#include "gfdt/report/target_deviations.hpp"

namespace gfdt::report {
namespace {

constexpr double far = 3;  // standard deviations

std::string explanation(const Json& result) {
  const std::string weights = text_of(result, "weights");
  std::string text =
      "χ² = (G − A)ᵀ N⁻¹ (G − A), where G are the statistics of the model, A the targets, and N the covariance of "
      "G − A due to the uncertainty of the targets and the noise of the simulation. The contribution of a target is "
      "(G − A)ₘ [N⁻¹ (G − A)]ₘ. The contributions add up to χ²; one of them can be negative if errors are correlated.";
  if (!weights.empty() && weights != "noise")
    text += fmt::format(" The search itself weighted the targets by '{}' (calibration.weights).", weights);
  return text;
}

Cell deviation_cell(double deviation) {
  return {std::isfinite(deviation) ? fmt::format("{:+.2f}", deviation) : "–",
          std::abs(deviation) > far ? "failed" : ""};
}

/// A value to a tenth of the error of its target, whose own error is shown only if it matters beside that one.
std::string beside_target(double value, double error, double target_error) {
  constexpr double negligible = 0.02, rounding = 1e-12;
  if (error > negligible * target_error || !(target_error > rounding * std::abs(value)))
    return plus_minus(value, error);
  return rounded_to(value, target_error / 10);
}

/// Targets beside the statistics of the guess and of each calibrated model.
Table statistics_table(const RunDocuments& run) {
  const Json& targets = entry(run.calibrations[0].result, "targets");
  const std::vector<std::string> names = texts_of(targets, "observables");
  const std::vector<double> value = numbers_of(targets, "value"), error = target_errors(targets),
                            guess = guess_statistics(run);
  Table table{"Deviations are in standard deviations; negligible errors are omitted",
              {"statistic", "data (target)", guess_label},
              {}};
  for (const std::string& label : calibration_labels(run))
    table.heading.insert(table.heading.end(), {label, "deviation"});
  for (std::size_t m = 0; m < names.size(); ++m) {
    std::vector<Cell> row{names[m], plus_minus(at(value, m), at(error, m)),
                          beside_target(at(guess, m), no_number, at(error, m))};
    for (const CalibrationDocuments& calibration : run.calibrations) {
      row.emplace_back(beside_target(at(numbers_of(calibration.result, "statistics"), m),
                                     at(numbers_of(calibration.result, "statistics_error"), m), at(error, m)),
                       "answer");
      row.push_back(deviation_cell(at(numbers_of(calibration.result, "deviations"), m)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table terms_of(const Json& result, const std::string& caption) {
  const Json& targets = entry(result, "targets");
  const std::vector<std::string> names = texts_of(targets, "observables");
  const std::vector<double> value = numbers_of(targets, "value"), error = target_errors(targets),
                            model = numbers_of(result, "statistics"),
                            model_error = numbers_of(result, "statistics_error"),
                            deviations = numbers_of(result, "deviations"),
                            parts = numbers_of(result, "chi_square_parts");
  Table table{caption, {"target", "value", "model", "model − target", "standard deviation", "weight", "deviation"}, {}};
  if (!parts.empty()) table.heading.emplace_back("contribution to χ²");
  for (std::size_t m = 0; m < names.size(); ++m) {
    const double residual = at(model, m) - at(value, m), deviation = at(deviations, m);
    const double sigma = deviation != 0 ? residual / deviation : std::hypot(at(error, m), at(model_error, m));
    table.rows.push_back({names[m], plus_minus(at(value, m), at(error, m)),
                          plus_minus(at(model, m), at(model_error, m)), brief(residual), brief(sigma),
                          brief(1 / (sigma * sigma)), deviation_cell(deviation)});
    if (!parts.empty()) table.rows.back().push_back(fmt::format("{:.3f}", at(parts, m)));
  }
  if (!parts.empty()) {
    table.rows.push_back({"χ²", "", "", "", "", "", "", fmt::format("{:.3f}", number_of(result, "chi_square"))});
    table.sum = true;
  }
  return table;
}

std::string source_text(const Json& targets) {
  const double freedom = number_of(targets, "degrees_of_freedom");
  return fmt::format(
      "Targets: {}{}.", text_of(targets, "source"),
      std::isfinite(freedom) ? fmt::format("; their covariance has {:.0f} degrees of freedom", freedom) : "");
}

/// χ² by hand: its definition, every term and the covariance.
Folded details_of(const RunDocuments& run) {
  Folded details{.summary = "How χ² is computed: every term and the covariance of the mismatch", .blocks = {}};
  for (std::size_t i = 0; i < run.calibrations.size(); ++i) {
    const Json& result = run.calibrations[i].result;
    const std::vector<std::string> names = texts_of(entry(result, "targets"), "observables");
    if (entry(result, "statistics").empty()) continue;
    if (details.blocks.empty()) details.blocks.push_back(Paragraph{explanation(result)});
    const double tail = number_of(result, "chi_square_tail");
    const std::string whose = calibration_prefix(run, i);
    details.blocks.push_back(terms_of(
        result,
        fmt::format(
            "{}χ² = {} with {}{}", whose, brief(number_of(result, "chi_square")), counted(names.size(), "target"),
            std::isfinite(tail) ? fmt::format(", p = {:.2g} (not corrected for the fitted parameters)", tail) : "")));
    if (const auto covariance = matrix_of(result, "mismatch_covariance"); !covariance.empty())
      details.blocks.push_back(
          matrix_table(whose + "N, the covariance of the mismatch", "mismatch_covariance", names, covariance));
  }
  return details;
}

}  // namespace

std::optional<Section> objective_section(const RunDocuments& run) {
  if (run.calibrations.empty()) return {};
  Folded details = details_of(run);
  if (details.blocks.empty()) return {};
  const Json& targets = entry(run.calibrations[0].result, "targets");
  Section section{"objective", "Statistics and targets", {}};
  section.blocks.push_back(Paragraph{source_text(targets)});
  for (const std::string& remark : texts_of(targets, "remarks")) section.blocks.push_back(Paragraph{remark, true});
  section.blocks.push_back(statistics_table(run));
  if (!has_overview(run))
    if (Figure figure = deviations_figure(run); !figure.panels.empty()) section.blocks.push_back(std::move(figure));
  section.blocks.push_back(std::move(details));
  return section;
}

}  // namespace gfdt::report
