#include "gfdt/report/pair_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gfdt/report/document.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/report/number_text.hpp"

namespace gfdt::report {
namespace {

bool is_determined(const PosteriorPicture& picture, std::size_t parameter) {
  return std::ranges::any_of(picture.posteriors, [&](const NormalPosterior& posterior) {
    return std::isfinite(posterior.deviation(parameter)) && posterior.deviation(parameter) > 0;
  });
}

/// Cells of a matrix of plots, row by row, each with axes of its own.
class Matrix {
 public:
  Matrix(const PosteriorPicture& picture, std::vector<std::size_t> shown)
      : picture_(picture), shown_(std::move(shown)), size_(shown_.size()) {}

  Panel panel() {
    panel_.layout["annotations"] = Json::array();
    panel_.layout["shapes"] = Json::array();
    for (std::size_t row = 0; row < size_; ++row)
      for (std::size_t column = 0; column < size_; ++column)
        if (row == column)
          add_density(row);
        else if (column < row)
          add_pair(row, column);
        else
          add_correlation(row, column);
    panel_.layout["margin"] = {{"l", 56}, {"r", 8}, {"t", 8}, {"b", 48}};
    return std::move(panel_);
  }

 private:
  struct Span {
    double from, to;
    double middle() const { return (from + to) / 2; }
  };
  Span across(std::size_t column) const { return span(column); }
  Span up(std::size_t row) const { return span(size_ - 1 - row); }
  Span span(std::size_t place) const {
    constexpr double gap = 0.06;  // of a cell
    const double cell = 1 / static_cast<double>(size_);
    return {cell * (static_cast<double>(place) + gap / 2), cell * (static_cast<double>(place) + 1 - gap / 2)};
  }

  /// "" for the first axis, "2" for the second, …
  std::string number(std::size_t row, std::size_t column) const {
    const std::size_t index = row * size_ + column;
    return index == 0 ? "" : fmt::format("{}", index + 1);
  }

  void add_axes(std::size_t row, std::size_t column) {
    const std::string which = number(row, column);
    const std::size_t parameter = shown_[column];
    const auto [low, high] = axis_range(picture_, parameter);
    const bool lowest = row + 1 == size_;
    Json& x = panel_.layout["xaxis" + which];
    x = {{"domain", {across(column).from, across(column).to}},
         {"anchor", "y" + which},
         {"range", {low, high}},
         {"fixedrange", true},
         {"zeroline", false},
         {"showticklabels", lowest}};
    x["tickvals"] = inner_ticks(low, high);
    if (lowest) x["title"] = {{"text", plot_text(picture_.names[parameter])}};
    Json& y = panel_.layout["yaxis" + which];
    y = {{"domain", {up(row).from, up(row).to}}, {"anchor", "x" + which}, {"fixedrange", true}, {"zeroline", false}};
    if (row == column) {
      y.update({{"showticklabels", false}, {"ticks", ""}, {"showgrid", false}, {"showline", false}});
      return;
    }
    const auto [least, most] = axis_range(picture_, shown_[row]);
    y["range"] = {least, most};
    y["tickvals"] = inner_ticks(least, most);
    y["showticklabels"] = column == 0;
    if (column == 0) y["title"] = {{"text", plot_text(picture_.names[shown_[row]])}};
  }

  void add_traces(const Json& traces, std::size_t row, std::size_t column) {
    for (Json trace : traces) {
      trace["xaxis"] = "x" + number(row, column);
      trace["yaxis"] = "y" + number(row, column);
      panel_.traces.push_back(std::move(trace));
    }
  }

  void add_text(double x, double y, const std::string& text, const std::string& colour = "ink") {
    panel_.layout["annotations"].push_back({{"xref", "paper"},
                                            {"yref", "paper"},
                                            {"x", x},
                                            {"y", y},
                                            {"xanchor", "center"},
                                            {"yanchor", "middle"},
                                            {"text", text},
                                            {"font", {{"color", "@" + colour}}}});
  }

  void add_pair(std::size_t row, std::size_t column) {
    add_axes(row, column);
    add_traces(pair_traces(picture_, shown_[column], shown_[row]), row, column);
  }

  void add_density(std::size_t place) {
    add_axes(place, place);
    const std::size_t parameter = shown_[place];
    const auto [low, high] = axis_range(picture_, parameter);
    double highest = 0;
    Json traces = Json::array();
    for (const NormalPosterior& posterior : picture_.posteriors) {
      const double mean = at(posterior.mean, parameter), deviation = posterior.deviation(parameter);
      if (!(deviation > 0) || !std::isfinite(deviation)) continue;
      const auto density = [&](const Values& x) {
        Values y;
        for (double value : x)
          y.push_back(std::exp(-0.5 * std::pow((value - mean) / deviation, 2)) /
                      (deviation * std::sqrt(2 * std::numbers::pi)));
        return y;
      };
      const Values all = grid(low, high), inside = grid(at(posterior.lower, parameter), at(posterior.upper, parameter));
      const Stroke stroke{.colour = posterior.colour, .group = posterior.label};
      traces.push_back(band_trace(inside, Values(inside.size(), 0.0), density(inside), stroke, 0.25));
      traces.push_back(line_trace(all, density(all), stroke));
      highest = std::max(highest, density({mean})[0]);
    }
    for (const auto& [point, label, colour, dash] : {std::tuple(&picture_.guess, guess_label, guess_colour, "dash"),
                                                     {&picture_.truth, "true value", data_colour, "dot"}})
      if (const double value = at(*point, parameter); value >= low && value <= high)
        traces.push_back(line_trace({value, value}, {0, 1.05 * highest},
                                    {.colour = colour, .group = label, .dash = dash},
                                    std::vector<std::string>(2, fmt::format("{} {}", label, brief(value)))));
    add_traces(traces, place, place);
    panel_.layout["yaxis" + number(place, place)]["range"] = {0, 1.5 * highest};
    add_title(place, low, high);
  }

  /// Above the density: the parameter, its answer if there is one, and a guess that is beyond the axis.
  void add_title(std::size_t place, double low, double high) {
    const std::size_t parameter = shown_[place];
    const double guess = at(picture_.guess, parameter), height = up(place).to - up(place).from;
    const NormalPosterior& first = picture_.posteriors[0];
    std::string title = plot_text(picture_.names[parameter]);
    if (picture_.posteriors.size() == 1)
      title += " = " + plus_minus(at(first.mean, parameter), first.deviation(parameter));
    add_text(across(place).middle(), up(place).to - 0.08 * height, title);
    if (guess < low)
      add_text(across(place).middle(), up(place).to - 0.23 * height, fmt::format("◂ {} {}", guess_label, brief(guess)),
               guess_colour);
    if (guess > high)
      add_text(across(place).middle(), up(place).to - 0.23 * height, fmt::format("{} {} ▸", guess_label, brief(guess)),
               guess_colour);
  }

  void add_correlation(std::size_t row, std::size_t column) {
    const Span x = across(column), y = up(row);
    const std::size_t count = picture_.posteriors.size();
    constexpr double strong = 0.9;
    for (std::size_t i = 0; i < count; ++i) {
      const double rho = picture_.posteriors[i].correlation(shown_[row], shown_[column]);
      const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
      const std::string text = (i == 0 ? "ρ = " : "") + correlation_text(rho);
      add_text(x.middle(), y.to - share * (y.to - y.from), std::abs(rho) > strong ? "<b>" + text + "</b>" : text,
               count > 1 ? picture_.posteriors[i].colour : "ink");
      if (i == 0 && std::isfinite(rho))
        panel_.layout["shapes"].push_back(
            {{"type", "rect"},
             {"xref", "paper"},
             {"yref", "paper"},
             {"x0", x.from},
             {"x1", x.to},
             {"y0", y.from},
             {"y1", y.to},
             {"layer", "below"},
             {"fillcolor", fmt::format("@{}/{:.2f}", rho < 0 ? "low" : "high", 0.35 * std::abs(rho))},
             {"line", {{"width", 1}, {"color", "@grid"}}}});
    }
  }

  static Values grid(double low, double high) {
    constexpr int points = 120;
    Values values;
    for (int i = 0; i <= points; ++i) values.push_back(low + (high - low) * i / points);
    return values;
  }

  const PosteriorPicture& picture_;
  std::vector<std::size_t> shown_;
  std::size_t size_;
  Panel panel_;
};

}  // namespace

Figure pair_plot(const PosteriorPicture& picture) {
  std::vector<std::size_t> shown;
  for (std::size_t j = 0; j < picture.names.size(); ++j)
    if (is_determined(picture, j)) shown.push_back(j);
  Figure figure{.name = "posterior-pairs",
                .title = "Posterior of the parameters",
                .caption =
                    "Diagonal: density, with the 95 % interval shaded. Below: regions that contain 68 % and 95 % "
                    "of the probability. Above: correlations ρ. First-order approximation. Triangles point to a guess "
                    "beyond the axes.",
                .keys = pair_keys(picture),
                .table = pair_table(picture),
                .width = 320,
                .height = 320,
                .cells = static_cast<int>(shown.size())};
  if (shown.size() < picture.names.size())
    figure.caption += fmt::format(" Not drawn: parameters that are not determined ({} of {}).",
                                  picture.names.size() - shown.size(), picture.names.size());
  if (!shown.empty()) figure.panels.push_back(Matrix(picture, std::move(shown)).panel());
  return figure;
}

}  // namespace gfdt::report
