#include <fmt/format.h>

#include <cmath>

#include "gfdt/report/calibration_path.hpp"
#include "gfdt/report/document.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

std::string explanation(const Json& result) {
  const std::string weights = text_of(result, "weights");
  std::string text =
      "χ² = (G − A)ᵀ N⁻¹ (G − A), where G are the statistics of the model, A the targets and N the covariance of what "
      "they "
      "are uncertain by together. The part of a target is (G − A)ₘ [N⁻¹ (G − A)]ₘ; the parts add up to χ², and one can "
      "be "
      "negative where errors are correlated.";
  if (!weights.empty() && weights != "noise")
    text += fmt::format(" The search itself weighed the targets by «{}», see calibration.weights of the problem file.",
                        weights);
  return text;
}

Table terms_of(const Json& result, const std::string& caption) {
  const Json& targets = entry(result, "targets");
  const std::vector<std::string> names = texts_of(targets, "observables");
  const std::vector<double> value = numbers_of(targets, "value"), error = target_errors(targets),
                            model = numbers_of(result, "statistics"),
                            model_error = numbers_of(result, "statistics_error"),
                            deviations = numbers_of(result, "deviations"),
                            parts = numbers_of(result, "chi_square_parts");
  Table table{
      caption, {"target", "value", "model", "model − target", "standard deviation", "weight", "deviations"}, {}};
  if (!parts.empty()) table.heading.push_back("part of χ²");
  for (std::size_t m = 0; m < names.size(); ++m) {
    const double residual = at(model, m) - at(value, m), deviation = at(deviations, m);
    const double sigma = deviation != 0 ? residual / deviation : std::hypot(at(error, m), at(model_error, m));
    table.rows.push_back({names[m], plus_minus(at(value, m), at(error, m)),
                          plus_minus(at(model, m), at(model_error, m)), brief(residual), brief(sigma),
                          brief(1 / (sigma * sigma)), fmt::format("{:+.2f}", deviation)});
    if (std::abs(deviation) > 3) table.rows.back().back().kind = "failed";
    if (!parts.empty()) table.rows.back().push_back(fmt::format("{:.3f}", at(parts, m)));
  }
  if (!parts.empty()) {
    table.rows.push_back({"χ²", "", "", "", "", "", "", fmt::format("{:.3f}", number_of(result, "chi_square"))});
    table.sum = true;
  }
  return table;
}

Table covariance_table(const Json& result) {
  const std::vector<std::string> names = texts_of(entry(result, "targets"), "observables");
  Table table{"N, the covariance of targets and simulation together", {""}, {}};
  table.heading.insert(table.heading.end(), names.begin(), names.end());
  const auto covariance = matrix_of(result, "mismatch_covariance");
  for (std::size_t m = 0; m < names.size(); ++m) {
    table.rows.push_back({names[m]});
    for (std::size_t n = 0; n < names.size(); ++n)
      table.rows.back().push_back(fmt::format("{:.6g}", at(covariance, m, n)));
  }
  return table;
}

}  // namespace

std::optional<Section> objective_section(const RunDocuments& run) {
  Section section{"objective", "Every term of the objective", {}};
  for (const CalibrationDocuments& calibration : run.calibrations) {
    const Json& result = calibration.result;
    if (entry(result, "statistics").empty()) continue;
    if (section.blocks.empty()) {
      section.blocks.push_back(Paragraph{explanation(result)});
      const Json& targets = entry(result, "targets");
      const double freedom = number_of(targets, "degrees_of_freedom");
      section.blocks.push_back(Paragraph{fmt::format(
          "Targets: {}{}.", text_of(targets, "source"),
          std::isfinite(freedom) ? fmt::format(", their errors known to {:.0f} degrees of freedom", freedom) : "")});
      for (const std::string& remark : texts_of(targets, "remarks")) section.blocks.push_back(Paragraph{remark, true});
    }
    const double tail = number_of(result, "chi_square_tail");
    section.blocks.push_back(terms_of(
        result,
        fmt::format(
            "{}χ² = {} with {} targets{}", run.calibrations.size() > 1 ? calibration.name + ": " : "",
            brief(number_of(result, "chi_square")), entry(entry(result, "targets"), "observables").size(),
            std::isfinite(tail)
                ? fmt::format("; noise alone makes as much {:.2g} % of the time, where nothing is fitted", 100 * tail)
                : "")));
    if (!entry(result, "mismatch_covariance").empty()) section.blocks.push_back(covariance_table(result));
  }
  if (section.blocks.empty()) return {};
  return section;
}

}  // namespace gfdt::report
