#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/document.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/plot.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

/// An entry of the Jacobian and its size in standard errors.
struct Place {
  std::size_t observable, parameter;
  double signal;
};

std::vector<Place> shown_places(const JacobianView& view) {
  std::vector<Place> places;
  for (std::size_t m = 0; m < view.observables.size(); ++m)
    for (std::size_t j = 0; j < view.parameters.size(); ++j) {
      const double signal = std::abs(at(view.value, m, j) / at(view.error, m, j));
      places.push_back({m, j, std::isfinite(signal) ? signal : 0});
    }
  if (places.size() <= most_panels) return places;
  std::ranges::stable_sort(places, std::ranges::greater{}, &Place::signal);
  places.resize(most_panels);
  std::ranges::stable_sort(places, {}, [](const Place& p) { return std::pair(p.observable, p.parameter); });
  return places;
}

Values shifted(const Values& values, const Values& errors, int side) {
  Values result;
  for (std::size_t i = 0; i < values.size(); ++i) result.push_back(values[i] + side * at(errors, i));
  return result;
}

/// The entry of the Jacobian itself: in the middle of its window, or at the end without a window.
Json entry_point(const JacobianView& view, std::size_t m, std::size_t j, double end, const std::string& colour) {
  const double value = at(view.value, m, j), error = at(view.error, m, j);
  const double x = view.window ? (view.window->first + view.window->second) / 2 : end;
  Json trace = line_trace({x}, {value}, {.colour = colour, .group = view.name, .points = true},
                          {fmt::format("{}<br>Jacobian: {}", plot_text(view.name), plus_minus(value, error))});
  trace["mode"] = "markers";
  trace["marker"]["symbol"] = "diamond";
  trace["marker"]["size"] = 9;
  return error_bars(std::move(trace), {error});
}

/// Response of one entry by one method, as a function of the time after the step.
struct Curve {
  Values time, value, error;

  Curve(const JacobianView& view, const std::string& key, const std::string& observable, const std::string& parameter)
      : time(numbers_of(view.step_response, "time")),
        value(numbers_of(entry(entry(view.step_response, key), observable), parameter)),
        error(numbers_of(entry(entry(view.step_response, key + "_error"), observable), parameter)) {
    value.resize(std::min(value.size(), time.size()));
  }

  std::vector<std::string> words(const std::string& name) const {
    std::vector<std::string> result;
    for (std::size_t k = 0; k < value.size(); ++k)
      result.push_back(
          fmt::format("{}<br>t = {}: {}", plot_text(name), brief(time[k]), plus_minus(value[k], at(error, k))));
    return result;
  }
};

using Views = std::vector<JacobianView>;

bool has_steps(const JacobianView& view) { return !numbers_of(view.step_response, "time").empty(); }

double last_time(const Views& views) {
  double last = 0;
  for (const JacobianView& view : views)
    for (double time : numbers_of(view.step_response, "time")) last = std::max(last, time);
  return last;
}

/// Draws `key` of all methods: one panel per entry of the first that has steps, and a table of all.
void draw(Figure& figure, const Views& views, const JacobianView& first, const std::string& key) {
  const double end = last_time(views);
  for (const Place& place : shown_places(first)) {
    const std::string &observable = first.observables[place.observable], &parameter = first.parameters[place.parameter];
    Panel panel;
    panel.layout = axes("t", "", fmt::format("response of {} to {}", observable, parameter));
    panel.layout["xaxis"]["range"] = {0, 1.03 * end};
    if (first.window) add_segment(panel.layout, first.window->first, first.window->second, "muted");
    for (std::size_t i = 0; i < views.size(); ++i) {
      const Curve curve(views[i], key, observable, parameter);
      const Stroke stroke{.colour = curve_colour(i), .group = views[i].name};
      if (curve.value.empty()) continue;
      panel.traces.push_back(
          band_trace(curve.time, shifted(curve.value, curve.error, -1), shifted(curve.value, curve.error, 1), stroke));
      panel.traces.push_back(line_trace(curve.time, curve.value, stroke, curve.words(views[i].name)));
    }
    figure.panels.push_back(std::move(panel));
  }
  for (const JacobianView& view : views)
    for (const std::string& observable : view.observables)
      for (const std::string& parameter : view.parameters) {
        const Curve curve(view, key, observable, parameter);
        for (std::size_t k = 0; k < curve.value.size(); ++k)
          figure.table.add({view.name, observable, parameter, curve.time[k], plot_number(curve.value[k]),
                            plot_number(at(curve.error, k))});
      }
}

Figure step_figure(const Views& views, const JacobianView& first, const KnownJacobian& known) {
  Figure figure{
      .name = "step-responses",
      .title = "Responses to a step of a parameter",
      .caption =
          "Change of each statistic per unit of the parameter at time t after a step. Bands: one standard error. "
          "Shaded: the averaging window. Diamonds: the entries of the Jacobian, which are averages over it.",
      .table = DataTable({"method", "observable", "parameter", "time", "response", "standard_error"}),
      .width = 260,
      .height = 230};
  for (std::size_t i = 0; i < views.size(); ++i)
    figure.keys.push_back({views[i].name, views[i].name, curve_colour(i), has_steps(views[i]) ? "line" : "point"});
  if (!known.value.empty()) figure.keys.push_back({"known", known.source, "ink", "dot"});
  draw(figure, views, first, "response");
  const double end = last_time(views);
  const std::vector<Place> places = shown_places(first);
  for (std::size_t p = 0; p < places.size(); ++p) {
    Json& traces = figure.panels[p].traces;
    for (std::size_t i = 0; i < views.size(); ++i)
      traces.push_back(entry_point(views[i], places[p].observable, places[p].parameter, end, curve_colour(i)));
    if (const double truth = at(known.value, places[p].observable, places[p].parameter); std::isfinite(truth))
      traces.push_back(line_trace({0, 1.03 * end}, {truth, truth}, {.colour = "ink", .group = "known", .dash = "dot"},
                                  {known.source, known.source}));
  }
  return figure;
}

Figure kernel_figure(const Views& views, const JacobianView& first) {
  Figure figure{.name = "kernels",
                .title = "Response kernels",
                .caption =
                    "Response to a short pulse of the parameter at time 0: time derivative of the step response. "
                    "Bands: one standard error. Shaded: the averaging window.",
                .table = DataTable({"method", "observable", "parameter", "time", "kernel", "standard_error"}),
                .width = 260,
                .height = 230};
  for (std::size_t i = 0; i < views.size(); ++i)
    if (has_steps(views[i])) figure.keys.push_back({views[i].name, views[i].name, curve_colour(i), "line"});
  draw(figure, views, first, "kernel");
  return figure;
}

}  // namespace

std::optional<Section> step_response_section(const RunDocuments& run) {
  const Views views = jacobians_of(run);
  const auto first = std::ranges::find_if(views, has_steps);
  if (first == views.end()) return {};
  Section section{"step-response", "Kernels and step responses", {}};
  for (const JacobianView& view : views)
    if (view.window)
      section.blocks.push_back(Paragraph{fmt::format("Averaging window{}: {} to {} time units.",
                                                     views.size() > 1 ? " of the " + view.name : "",
                                                     brief(view.window->first), brief(view.window->second))});
  if (first->observables.size() * first->parameters.size() > most_panels)
    section.blocks.push_back(Paragraph{
        fmt::format("The {} entries with the largest signal-to-noise ratio are drawn; the tables contain all of them.",
                    most_panels)});
  section.blocks.push_back(step_figure(views, *first, known_jacobian(run)));
  if (!keys_of(entry(first->step_response, "kernel")).empty()) section.blocks.push_back(kernel_figure(views, *first));
  return section;
}

}  // namespace gfdt::report
