#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/document.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/plot.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

/// Of an entry: which panel it is, and how far it stands out of its error.
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

/// The entry of the Jacobian itself: in the middle of its window, or at the end where it has none.
Json entry_point(const JacobianView& view, std::size_t m, std::size_t j, double end, const std::string& colour) {
  const double value = at(view.value, m, j), error = at(view.error, m, j);
  const double x = view.window ? (view.window->first + view.window->second) / 2 : end;
  Json trace = line_trace({x}, {value}, {.colour = colour, .group = view.name, .points = true},
                          {fmt::format("{}<br>Jacobian: {}", plot_text(view.name), with_error(value, error))});
  trace["mode"] = "markers";
  trace["marker"]["symbol"] = "diamond";
  trace["marker"]["size"] = 9;
  return error_bars(std::move(trace), {error});
}

}  // namespace

std::optional<Section> step_response_section(const RunDocuments& run) {
  const std::vector<JacobianView> views = jacobians_of(run);
  const auto first = std::ranges::find_if(
      views, [](const JacobianView& view) { return !numbers_of(view.step_response, "time").empty(); });
  if (first == views.end()) return {};
  const KnownJacobian known = known_jacobian(run);
  Figure figure{.name = "step-responses",
                .title = "Responses to a step of a parameter",
                .caption =
                    "Change of each statistic, per unit of the parameter, after the time t. Bands: one standard "
                    "error. Shaded: the window whose average is the entry of the Jacobian, a diamond with its error "
                    "bar.",
                .table = DataTable({"method", "observable", "parameter", "time", "response", "standard_error"}),
                .width = 260,
                .height = 230};
  for (std::size_t i = 0; i < views.size(); ++i)
    figure.keys.push_back({views[i].name, views[i].name, curve_colour(i),
                           numbers_of(views[i].step_response, "time").empty() ? "point" : "line"});
  if (first->window) figure.keys.push_back({"window", "window", "muted", "band"});
  if (!known.value.empty()) figure.keys.push_back({"known", known.source, "ink", "dot"});
  double end = 0;
  for (const JacobianView& view : views)
    for (double time : numbers_of(view.step_response, "time")) end = std::max(end, time);

  for (const Place& place : shown_places(*first)) {
    const std::string &observable = first->observables[place.observable],
                      &parameter = first->parameters[place.parameter];
    Panel panel;
    panel.layout = axes("t", "", fmt::format("{} to {}", observable, parameter));
    panel.layout["xaxis"]["range"] = {0, 1.03 * end};
    for (std::size_t i = 0; i < views.size(); ++i) {
      const JacobianView& view = views[i];
      const Json& steps = view.step_response;
      const Values time = numbers_of(steps, "time"),
                   response = numbers_of(entry(entry(steps, "response"), observable), parameter),
                   error = numbers_of(entry(entry(steps, "response_error"), observable), parameter);
      const Stroke stroke{.colour = curve_colour(i), .group = view.name};
      if (!response.empty()) {
        std::vector<std::string> words;
        for (std::size_t k = 0; k < std::min(response.size(), time.size()); ++k)
          words.push_back(fmt::format("{}<br>t = {}: {}", plot_text(view.name), brief(time[k]),
                                      with_error(response[k], at(error, k))));
        panel.traces.push_back(band_trace(time, shifted(response, error, -1), shifted(response, error, 1), stroke));
        panel.traces.push_back(line_trace(time, response, stroke, words));
      }
      if (view.window && i == static_cast<std::size_t>(first - views.begin()))
        add_stretch(panel.layout, view.window->first, view.window->second, "muted");
      panel.traces.push_back(entry_point(view, place.observable, place.parameter, end, stroke.colour));
    }
    if (const double truth = at(known.value, place.observable, place.parameter); std::isfinite(truth))
      panel.traces.push_back(line_trace({0, 1.03 * end}, {truth, truth},
                                        {.colour = "ink", .group = "known", .dash = "dot"},
                                        {known.source, known.source}));
    figure.panels.push_back(std::move(panel));
  }
  for (const JacobianView& view : views)
    for (const std::string& observable : view.observables)
      for (const std::string& parameter : view.parameters) {
        const Values time = numbers_of(view.step_response, "time"),
                     response = numbers_of(entry(entry(view.step_response, "response"), observable), parameter),
                     error = numbers_of(entry(entry(view.step_response, "response_error"), observable), parameter);
        for (std::size_t k = 0; k < std::min(time.size(), response.size()); ++k)
          figure.table.add(
              {view.name, observable, parameter, time[k], plot_number(response[k]), plot_number(at(error, k))});
      }
  Section section{"step-response", "Step responses", {}};
  for (const JacobianView& view : views)
    if (view.window)
      section.blocks.push_back(Paragraph{fmt::format("{}: window from {} to {} time units.", view.name,
                                                     brief(view.window->first), brief(view.window->second))});
  if (first->observables.size() * first->parameters.size() > most_panels)
    section.blocks.push_back(
        Paragraph{fmt::format("The {} entries that stand out most are drawn; the table holds all.", most_panels)});
  section.blocks.push_back(std::move(figure));
  return section;
}

}  // namespace gfdt::report
