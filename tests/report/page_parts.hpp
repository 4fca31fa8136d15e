#pragma once

#include <string>
#include <vector>

#include "gfdt/report/run_documents.hpp"
#include "sample_run.hpp"

namespace gfdt::report {

inline std::vector<std::string> names(const Page& page) {
  std::vector<std::string> result;
  for (const Section& section : page.sections) result.push_back(section.name);
  return result;
}

/// The first block of a kind for which a condition holds, also inside columns and folded parts; null without one.
template <class Kind, class Condition>
const Kind* find_block(const std::vector<Block>& blocks, const Condition& holds) {
  for (const Block& block : blocks) {
    if (const auto* found = std::get_if<Kind>(&block); found && holds(*found)) return found;
    std::vector<const std::vector<Block>*> inside;
    if (const auto* folded = std::get_if<Folded>(&block)) inside = {&folded->blocks};
    if (const auto* columns = std::get_if<SideBySide>(&block)) inside = {&columns->left, &columns->right};
    for (const std::vector<Block>* part : inside)
      if (const Kind* found = find_block<Kind>(*part, holds)) return found;
  }
  return nullptr;
}

inline const Figure* figure_named(const Page& page, const std::string& name) {
  for (const Section& section : page.sections)
    if (const Figure* figure =
            find_block<Figure>(section.blocks, [&](const Figure& candidate) { return candidate.name == name; }))
      return figure;
  return nullptr;
}

inline RunDocuments calibrations(const std::vector<std::string>& methods) {
  RunDocuments run;
  for (const std::string& method : methods) run.calibrations.push_back({method, sample_calibration(method), Json()});
  return run;
}

/// One calibration of `count` parameters k0, k1, … whose answers are 2, with errors of 1 % times their number.
inline RunDocuments large_run(std::size_t count) {
  RunDocuments run = calibrations({"auto"});
  Json& result = run.calibrations[0].result;
  Json guess = Json::object(), answer = Json::object(), error = Json::object(), covariance = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "k" + std::to_string(i);
    const double sigma = 0.02 * static_cast<double>(i + 1);
    guess[name] = 1.0;
    answer[name] = 2.0;
    error[name] = sigma;
    Json row = Json::array();
    for (std::size_t j = 0; j < count; ++j) {
      const double correlation = i == j ? 1 : i + j == 2 * count - 3 ? -0.95 : 0;  // of the last two
      row.push_back(correlation * sigma * 0.02 * static_cast<double>(j + 1));
    }
    covariance.push_back(row);
  }
  for (Json& iteration : result["iterations"]) iteration["parameters"] = guess;
  result["parameters"] = answer;
  result["parameters_error"] = error;
  result["parameters_covariance"] = covariance;
  result.erase("parameters_correlation");
  result["weak_directions"] = Json::array();
  return run;
}

}  // namespace gfdt::report
