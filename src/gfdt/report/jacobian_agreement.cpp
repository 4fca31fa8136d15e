#include "gfdt/report/jacobian_agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/document.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/plot.hpp"

namespace gfdt::report {

std::string derivative(const std::string& observable, const std::string& parameter) {
  return fmt::format("∂⟨{}⟩/∂{}", observable, parameter);
}

Figure agreement_figure(const std::vector<JacobianView>& views, const KnownJacobian& known) {
  constexpr double farthest = 6;  // standard errors; points beyond are drawn at the edge
  const bool truth = !known.value.empty();
  const std::string reference = truth ? known.source : views[0].name;
  Figure figure{
      .name = "agreement",
      .title = "Agreement of the entries",
      .caption = fmt::format(
          "Difference from {} in standard errors of the difference. About 68 % should be within the dark band and 95 % "
          "within the light one; triangles are beyond ±6.",
          reference),
      .table = DataTable({"entry", "method", "difference", "standard_error", "standard_errors"}),
      .width = 640,
      .height = 360};
  Panel panel;
  panel.layout = axes("", "difference / standard error");
  std::vector<std::string> entries;
  for (const std::string& observable : views[0].observables)
    for (const std::string& parameter : views[0].parameters) entries.push_back(derivative(observable, parameter));
  const double last = static_cast<double>(entries.size()) - 1;
  for (const auto& [reach, opacity] : {std::pair(2.0, 0.10), {1.0, 0.14}})
    panel.traces.push_back(band_trace({-0.5, last + 0.5}, {-reach, -reach}, {reach, reach},
                                      {.colour = "muted", .group = "band"}, opacity));
  Json places = Json::array(), names = Json::array();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    places.push_back(i);
    names.push_back(plot_text(entries[i]));
  }
  panel.layout["xaxis"]["tickvals"] = places;
  panel.layout["xaxis"]["ticktext"] = names;
  panel.layout["xaxis"]["tickangle"] = -60;
  panel.layout["xaxis"]["range"] = {-0.5, last + 0.5};
  for (std::size_t i = truth ? 0 : 1; i < views.size(); ++i) {
    Values x, y;
    Json symbols = Json::array();
    std::vector<std::string> words;
    for (std::size_t m = 0; m < views[0].observables.size(); ++m)
      for (std::size_t j = 0; j < views[0].parameters.size(); ++j) {
        const double from = truth ? at(known.value, m, j) : at(views[0].value, m, j);
        const double from_error = truth ? at(known.error, m, j) : at(views[0].error, m, j);
        const double difference = at(views[i].value, m, j) - from,
                     error = std::hypot(at(views[i].error, m, j), from_error);
        const std::size_t k = x.size();
        x.push_back(static_cast<double>(k) +
                    0.5 * ((static_cast<double>(i) + 0.5) / static_cast<double>(views.size()) - 0.5));
        y.push_back(std::clamp(difference / error, -farthest, farthest));
        symbols.push_back(std::abs(difference / error) <= farthest ? "circle"
                          : difference > 0                         ? "triangle-up"
                                                                   : "triangle-down");
        words.push_back(fmt::format("{}, {}<br>difference {}", plot_text(entries[k]), plot_text(views[i].name),
                                    plus_minus(difference, error)));
        figure.table.add(
            {entries[k], views[i].name, plot_number(difference), plot_number(error), plot_number(difference / error)});
      }
    Json trace = line_trace(x, y, {.colour = curve_colour(i), .group = views[i].name, .points = true}, words);
    trace["mode"] = "markers";
    trace["marker"]["symbol"] = std::move(symbols);
    panel.traces.push_back(std::move(trace));
    figure.keys.push_back({views[i].name, views[i].name, curve_colour(i), "point"});
  }
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace gfdt::report
