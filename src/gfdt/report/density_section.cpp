#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/document.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/plot.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

/// Density or autocorrelation of one series: calibrated model with band, first guess and data.
Panel curve_panel(const Json& curve, const char* x_key, const std::string& across, const std::string& up,
                  const std::string& title) {
  const Values x = numbers_of(curve, x_key), model = numbers_of(curve, "model"), low = numbers_of(curve, "model_low"),
               high = numbers_of(curve, "model_high"), guess = numbers_of(curve, "guess"),
               record = numbers_of(curve, "record");
  Panel panel;
  panel.layout = axes(across, up, title);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::string text = fmt::format("{} = {}<br>calibrated model {} ({} to {})", plot_text(across), brief(x[i]),
                                   brief(at(model, i)), brief(at(low, i)), brief(at(high, i)));
    if (!record.empty()) text += fmt::format("<br>data {}", brief(at(record, i)));
    words.push_back(std::move(text));
  }
  panel.traces.push_back(band_trace(x, low, high, {.colour = "c0", .group = "band"}, 0.25));
  if (!guess.empty())
    panel.traces.push_back(line_trace(x, guess, {.colour = guess_colour, .group = "guess", .dash = "dash"}));
  panel.traces.push_back(line_trace(x, model, {.colour = "c0", .group = "model"}, words));
  if (!record.empty()) panel.traces.push_back(line_trace(x, record, {.colour = data_colour, .group = "record"}));
  return panel;
}

struct Kind {
  const char *key, *x, *name, *title, *up;
};

Figure figure_of(const Json& predictive, const Kind& kind, const std::string& suffix, const std::string& whose) {
  Figure figure{.name = kind.name + suffix,
                .title = kind.title + whose,
                .caption =
                    "Median of the simulations at parameters drawn from the posterior; the band contains 90 % of them "
                    "at each point.",
                .keys = {{"model", "calibrated model", "c0", "line"}, {"band", "90 % of the draws", "c0", "band"}},
                .table = DataTable({"series", kind.x, "model", "model_low", "model_high", "guess", "record"}),
                .width = 380,
                .height = 290};
  bool guesses = false, records = false;
  for (const Json& series : entry(predictive, "series")) {
    const Json& curve = entry(series, kind.key);
    const Values x = numbers_of(curve, kind.x);
    if (x.empty()) continue;
    const std::string name = text_of(series, "name"), column = text_of(series, "column");
    const bool same = column.empty() || column == name;
    figure.panels.push_back(curve_panel(curve, kind.x, std::string(kind.x) == "x" ? name : "lag", kind.up,
                                        same ? name : fmt::format("{} ({})", name, column)));
    guesses |= !entry(curve, "guess").empty();
    records |= !entry(curve, "record").empty();
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::vector<Json> row{name, x[i]};
      for (const char* key : {"model", "model_low", "model_high", "guess", "record"})
        row.push_back(plot_number(at(numbers_of(curve, key), i)));
      figure.table.add(std::move(row));
    }
  }
  if (guesses) figure.keys.push_back({"guess", guess_label, guess_colour, "dash"});
  if (records) figure.keys.push_back({"record", "data", data_colour, "line"});
  if (figure.panels.size() > most_panels) figure.panels.resize(most_panels);
  return figure;
}

Table statistics_table(const Json& statistics, const std::string& whose) {
  const std::vector<std::string> names = texts_of(statistics, "observables");
  const Values model = numbers_of(statistics, "model"), low = numbers_of(statistics, "model_low"),
               high = numbers_of(statistics, "model_high"), record = numbers_of(statistics, "record"),
               tail = numbers_of(statistics, "tail");
  const bool measured = std::ranges::any_of(record, [](double value) { return std::isfinite(value); });
  Table table{"Averages over single simulations" + whose, {"statistic", "calibrated model", "90 % of the draws"}, {}};
  if (measured) table.heading.insert(table.heading.end(), {"data", "draws at or beyond the data"});
  for (std::size_t m = 0; m < names.size(); ++m) {
    table.rows.push_back(
        {names[m], brief(at(model, m)), fmt::format("{} … {}", brief(at(low, m)), brief(at(high, m)))});
    if (!measured) continue;
    const bool outside = at(record, m) < at(low, m) || at(record, m) > at(high, m);
    table.rows.back().push_back({brief(at(record, m)), outside ? "unresolved" : ""});
    table.rows.back().push_back(std::isfinite(at(tail, m)) ? fmt::format("{:.0f} %", 100 * at(tail, m)) : "–");
  }
  return table;
}

bool has_record(const Json& predictive) {
  return std::ranges::any_of(entry(predictive, "series"),
                             [](const Json& series) { return !entry(entry(series, "density"), "record").empty(); });
}

}  // namespace

std::optional<Section> density_section(const RunDocuments& run) {
  Section section{"density", "Posterior predictive check", {}};
  const bool several = run.calibrations.size() > 1;
  const std::vector<std::string> labels = calibration_labels(run);
  std::size_t number = 0;
  for (std::size_t index = 0; index < run.calibrations.size(); ++index) {
    const Json& predictive = run.calibrations[index].predictive;
    if (!predictive.is_object()) continue;
    const std::string whose = several ? ", " + labels[index] : "",
                      suffix = ++number > 1 ? fmt::format("-{}", number) : "";
    const double draws = number_of(predictive, "draws"), length = number_of(predictive, "length");
    section.blocks.push_back(Paragraph{fmt::format(
        "{}{:g} simulations at parameters drawn from their posterior distribution, each {:g} time units long{}.",
        calibration_prefix(run, index), draws, length, has_record(predictive) ? " (the length of the record)" : "")});
    for (const Kind& kind : {Kind{"density", "x", "density-of-states", "Density", "density"},
                             Kind{"autocorrelation", "lag", "autocorrelation", "Autocorrelation", "autocorrelation"}})
      if (Figure figure = figure_of(predictive, kind, suffix, whose); !figure.panels.empty())
        section.blocks.push_back(std::move(figure));
    for (const char* key : {"remarks", "outside"})
      for (const std::string& sentence : texts_of(predictive, key)) section.blocks.push_back(Paragraph{sentence, true});
    if (!entry(entry(predictive, "statistics"), "observables").empty())
      section.blocks.push_back(statistics_table(entry(predictive, "statistics"), whose));
  }
  if (section.blocks.empty()) return {};
  return section;
}

}  // namespace gfdt::report
