#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gfdt/report/calibration_path.hpp"
#include "gfdt/report/document.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/pair_plot.hpp"

namespace gfdt::report {
namespace {

constexpr double normal_95 = 1.96;

/// Outline of the region that contains a probability: r² = −2 ln(1 − probability) in units of the covariance.
std::pair<Values, Values> ellipse(const NormalPosterior& posterior, std::size_t i, std::size_t j, double probability) {
  constexpr int points = 72;
  const double radius = std::sqrt(-2 * std::log(1 - probability)), rho = posterior.correlation(i, j);
  Values x, y;
  for (int k = 0; k <= points; ++k) {
    const double angle = 2 * std::numbers::pi * k / points;
    x.push_back(at(posterior.mean, i) + radius * posterior.deviation(i) * std::cos(angle));
    y.push_back(at(posterior.mean, j) +
                radius * posterior.deviation(j) * (rho * std::cos(angle) + std::sqrt(1 - rho * rho) * std::sin(angle)));
  }
  return {x, y};
}

/// A point to compare with; beyond the axes it is a triangle at their end.
Json point_trace(const PosteriorPicture& picture, const Values& point, std::size_t i, std::size_t j,
                 const std::string& label, const std::string& colour, const std::string& symbol) {
  const auto place = [&](std::size_t parameter) {
    const auto [low, high] = axis_range(picture, parameter);
    const double inset = 0.05 * (high - low), value = at(point, parameter);
    return std::pair(std::clamp(value, low + inset, high - inset), value < low ? -1 : value > high ? 1 : 0);
  };
  const auto [x, beyond_x] = place(i);
  const auto [y, beyond_y] = place(j);
  Json trace = line_trace({x}, {y}, {.colour = colour, .group = label, .points = true},
                          {fmt::format("{}<br>{} = {}<br>{} = {}", label, plot_text(picture.names[i]),
                                       brief(at(point, i)), plot_text(picture.names[j]), brief(at(point, j)))});
  trace["mode"] = "markers";
  trace["marker"].update({{"size", 10},
                          {"line", {{"width", 2}, {"color", "@" + colour}}},
                          {"symbol", beyond_x < 0   ? "triangle-left"
                                     : beyond_x > 0 ? "triangle-right"
                                     : beyond_y < 0 ? "triangle-down"
                                     : beyond_y > 0 ? "triangle-up"
                                                    : symbol}});
  return trace;
}

}  // namespace

double NormalPosterior::deviation(std::size_t parameter) const {
  return std::sqrt(at(covariance, parameter, parameter));
}

double NormalPosterior::correlation(std::size_t first, std::size_t second) const {
  return std::clamp(at(covariance, first, second) / (deviation(first) * deviation(second)), -1.0, 1.0);
}

PosteriorPicture posterior_picture(const RunDocuments& run) {
  PosteriorPicture picture{.names = free_parameters(run), .posteriors = {}, .guess = {}, .truth = {}};
  const std::vector<std::string> labels = calibration_labels(run);
  const Json& truth = entry(run.reproduction, "truth");
  for (const std::string& name : picture.names) {
    picture.guess.push_back(number_of(guess_of(run.calibrations[0].result), name));
    if (std::isfinite(number_of(truth, name))) picture.truth.push_back(number_of(truth, name));
  }
  if (picture.truth.size() != picture.names.size()) picture.truth.clear();
  for (std::size_t c = 0; c < run.calibrations.size(); ++c) {
    const Json& result = run.calibrations[c].result;
    NormalPosterior posterior{.label = labels[c],
                              .colour = curve_colour(c),
                              .mean = {},
                              .lower = {},
                              .upper = {},
                              .covariance = matrix_of(result, "parameters_covariance")};
    for (std::size_t j = 0; j < picture.names.size(); ++j) {
      const std::vector<double> interval = numbers_of(entry(result, "parameters_interval"), picture.names[j]);
      const double mean = number_of(entry(result, "parameters"), picture.names[j]),
                   reach = normal_95 * posterior.deviation(j);
      posterior.mean.push_back(mean);
      posterior.lower.push_back(std::isfinite(at(interval, 0)) ? at(interval, 0) : mean - reach);
      posterior.upper.push_back(std::isfinite(at(interval, 1)) ? at(interval, 1) : mean + reach);
    }
    if (!posterior.covariance.empty()) picture.posteriors.push_back(std::move(posterior));
  }
  return picture;
}

std::pair<double, double> axis_range(const PosteriorPicture& picture, std::size_t parameter) {
  constexpr double reach = 3.2, most = 9;  // standard errors around the answer, and where a guess is still included
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const NormalPosterior& posterior : picture.posteriors) {
    const double mean = at(posterior.mean, parameter), deviation = posterior.deviation(parameter);
    if (!std::isfinite(mean) || !std::isfinite(deviation)) continue;
    low = std::min(low, mean - reach * deviation);
    high = std::max(high, mean + reach * deviation);
  }
  const double middle = (low + high) / 2, half = (high - low) / 2;
  for (const Values* point : {&picture.guess, &picture.truth}) {
    const double value = at(*point, parameter);
    if (!(std::abs(value - middle) < most / reach * half)) continue;
    low = std::min(low, value - 0.12 * half);
    high = std::max(high, value + 0.12 * half);
  }
  return {low, high};
}

Json pair_traces(const PosteriorPicture& picture, std::size_t across, std::size_t up) {
  Json traces = Json::array();
  for (const NormalPosterior& posterior : picture.posteriors) {
    const double rho = posterior.correlation(across, up);
    if (!std::isfinite(rho)) continue;
    for (const auto& [probability, opacity] : {std::pair(0.95, 0.18), {0.68, 0.35}}) {
      const auto [x, y] = ellipse(posterior, across, up, probability);
      Json trace = line_trace(x, y, {.colour = posterior.colour, .group = posterior.label, .width = 1.2});
      trace["fill"] = "toself";
      trace["fillcolor"] = fmt::format("@{}/{}", posterior.colour, opacity);
      trace["hoverinfo"] = "skip";
      trace.erase("hovertemplate");
      traces.push_back(std::move(trace));
    }
    Json middle = line_trace(
        {at(posterior.mean, across)}, {at(posterior.mean, up)},
        {.colour = posterior.colour, .group = posterior.label, .points = true},
        {fmt::format("{}<br>{} = {}<br>{} = {}<br>correlation {}", plot_text(posterior.label),
                     plot_text(picture.names[across]),
                     plus_minus(at(posterior.mean, across), posterior.deviation(across)), plot_text(picture.names[up]),
                     plus_minus(at(posterior.mean, up), posterior.deviation(up)), correlation_text(rho))});
    middle["mode"] = "markers";
    traces.push_back(std::move(middle));
  }
  traces.push_back(point_trace(picture, picture.guess, across, up, guess_label, guess_colour, "circle-open"));
  if (!picture.truth.empty())
    traces.push_back(point_trace(picture, picture.truth, across, up, "true value", data_colour, "x-thin"));
  return traces;
}

std::vector<Key> pair_keys(const PosteriorPicture& picture) {
  std::vector<Key> keys;
  for (const NormalPosterior& posterior : picture.posteriors)
    keys.push_back({posterior.label, posterior.label, posterior.colour, "band"});
  keys.push_back({guess_label, guess_label, guess_colour, "ring"});
  if (!picture.truth.empty()) keys.push_back({"true value", "true value", data_colour, "cross"});
  return keys;
}

DataTable pair_table(const PosteriorPicture& picture) {
  DataTable table({"method", "parameter", "other", "correlation", "covariance"});
  for (const NormalPosterior& posterior : picture.posteriors)
    for (std::size_t i = 0; i < picture.names.size(); ++i)
      for (std::size_t j = 0; j < picture.names.size(); ++j)
        table.add({posterior.label, picture.names[i], picture.names[j], plot_number(posterior.correlation(i, j)),
                   plot_number(at(posterior.covariance, i, j))});
  return table;
}

std::string correlation_text(double correlation) {
  if (!std::isfinite(correlation)) return "–";
  return fmt::format("{}{:.2f}", correlation < -0.005 ? "−" : "", std::abs(correlation));
}

}  // namespace gfdt::report
