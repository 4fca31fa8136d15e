#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/document.hpp"
#include "gfdt/report/findings.hpp"
#include "gfdt/report/labels.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/plot.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

std::string trust(const std::string& verdict) {
  if (verdict == "passed") return "can be trusted";
  if (verdict == "failed") return "cannot be trusted";
  return verdict == "unresolved" ? "could not be judged" : "were not tested";
}

Table checks_table(const Json& certificate, const std::string& caption) {
  Table table{caption, {"check", "deviation", "tolerance", "verdict", "explanation"}, {}};
  for (const Json& check : entry(certificate, "checks")) {
    const std::string verdict = text_of(check, "verdict");
    const std::string words =
        text_of(check, "explanation") + (text_of(check, "advice").empty() ? "" : " " + text_of(check, "advice"));
    table.rows.push_back({text_of(check, "check"),
                          std::isfinite(number_of(check, "value"))
                              ? plus_minus(number_of(check, "value"), number_of(check, "standard_error"))
                              : "–",
                          brief(number_of(check, "tolerance")),
                          {verdict, verdict},
                          {words, "text"}});
  }
  return table;
}

/// Corners of the steps of a histogram.
std::pair<Values, Values> steps(const Values& edges, const Values& density) {
  Values x, y;
  for (std::size_t i = 0; i < density.size() && i + 1 < edges.size(); ++i)
    for (const double edge : {edges[i], edges[i + 1]}) {
      x.push_back(edge);
      y.push_back(density[i]);
    }
  return {x, y};
}

Figure marginals_figure(const Json& certificate, const std::string& name, const std::string& whose) {
  Figure figure{
      .name = name,
      .title = "Marginal densities" + whose,
      .caption =
          "Held-out states of the model, and Langevin chains driven by the score: they agree if the score is right.",
      .keys = {{"data", "model (held-out states)", "c5", "band"},
               {"langevin", "score (Langevin chains)", "c1", "line"}},
      .table = DataTable({"state", "from", "to", "states", "chains"}),
      .width = 290,
      .height = 240};
  std::vector<std::pair<double, Panel>> panels;
  for (const Json& marginal : entry(certificate, "marginals")) {
    const Values edges = numbers_of(marginal, "edges"), data = numbers_of(marginal, "data"),
                 chains = numbers_of(marginal, "langevin");
    const std::string state = text_of(marginal, "name");
    Values centres;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < data.size() && i + 1 < edges.size(); ++i) {
      centres.push_back((edges[i] + edges[i + 1]) / 2);
      words.push_back(fmt::format("{} from {} to {}<br>states {}<br>chains {}", plot_text(state), brief(edges[i]),
                                  brief(edges[i + 1]), brief(data[i]), brief(at(chains, i))));
      figure.table.add({state, edges[i], edges[i + 1], plot_number(data[i]), plot_number(at(chains, i))});
    }
    Panel panel;
    panel.layout = axes(fmt::format("{}; distance {:.3f}, noise {:.3f}", state, number_of(marginal, "distance"),
                                    number_of(marginal, "noise")),
                        "density", fmt::format("{}: {}", state, text_of(marginal, "verdict")));
    panel.layout["yaxis"]["rangemode"] = "tozero";
    const auto [x, y] = steps(edges, data);
    panel.traces.push_back(band_trace(x, Values(x.size(), 0.0), y, {.colour = "c5", .group = "data"}, 0.4));
    panel.traces.push_back(line_trace(centres, chains, {.colour = "c1", .group = "langevin"}, words));
    panels.emplace_back(number_of(marginal, "distance"), std::move(panel));
  }
  if (panels.size() > most_panels) {
    std::ranges::stable_sort(panels, std::ranges::greater{}, &std::pair<double, Panel>::first);
    figure.caption += fmt::format(" The {} of {} with the largest distance are drawn.", most_panels, panels.size());
    panels.resize(most_panels);
  }
  for (auto& [distance, panel] : panels) figure.panels.push_back(std::move(panel));
  return figure;
}

void add_certificate(Section& section, const Json& certificate, const std::string& whose, std::size_t number) {
  section.blocks.push_back(Paragraph{fmt::format(
      "Responses to drift parameters {}; responses to noise amplitudes {}. Tested with {} states and Langevin "
      "chains of {} time units, of which {} escaped.",
      trust(text_of(certificate, "verdict")), trust(text_of(certificate, "noise_responses")),
      brief(number_of(certificate, "samples")), brief(number_of(certificate, "langevin_time")),
      brief(number_of(certificate, "escaped_chains")))});
  section.blocks.push_back(checks_table(certificate, "Certificate" + whose));
  if (!entry(certificate, "marginals").empty())
    section.blocks.push_back(marginals_figure(certificate, fmt::format("marginals-{}", number), whose));
}

/// Loss during training, from `gfdt score`.
void add_training(Section& section, const Json& score) {
  const Values loss = numbers_of(entry(score, "training"), "loss"),
               validation = numbers_of(entry(score, "training"), "validation_loss");
  if (loss.empty()) return;
  Figure figure{.name = "training",
                .title = "Training",
                .caption = "Loss after each epoch.",
                .keys = {{"loss", "training states", "c0", "line"}},
                .table = DataTable({"epoch", "loss", "validation_loss"}),
                .width = 480,
                .height = 280};
  Values epochs;
  for (std::size_t i = 0; i < loss.size(); ++i) {
    epochs.push_back(static_cast<double>(i + 1));
    figure.table.add({i + 1, plot_number(loss[i]), plot_number(at(validation, i))});
  }
  Panel panel;
  panel.layout = axes("epoch", "loss");
  panel.traces.push_back(line_trace(epochs, loss, {.colour = "c0", .group = "loss"}));
  if (!validation.empty()) {
    panel.traces.push_back(line_trace(epochs, validation, {.colour = "c1", .group = "validation"}));
    figure.keys.push_back({"validation", "held-out states", "c1", "line"});
  }
  if (std::ranges::all_of(loss, [](double value) { return value > 0; })) make_logarithmic(panel);
  figure.panels.push_back(std::move(panel));
  section.blocks.push_back(std::move(figure));
}

}  // namespace

std::optional<Section> certificate_section(const RunDocuments& run) {
  Section section{"certificate", "Score and certificate", {}};
  std::size_t number = 0;
  if (!run.score.is_null()) {
    const std::string reason = text_of(run.score, "reason"), description = text_of(run.score, "description");
    std::string words = fmt::format("Method: {} ({}).", method_label(text_of(run.score, "method")), reason);
    if (!description.empty() && !reason.ends_with(description)) words += fmt::format(" Fit: {}.", description);
    section.blocks.push_back(Paragraph{std::move(words)});
    if (const std::vector<std::string> details = texts_of(run.score, "details"); !details.empty())
      section.blocks.push_back(Paragraph{fmt::format("{}", fmt::join(details, "; "))});
    if (!entry(entry(run.score, "certificate"), "checks").empty())
      add_certificate(section, entry(run.score, "certificate"), "", ++number);
    add_training(section, run.score);
    for (Block& block : check_blocks(checks_of(entry(run.score, "findings"))))
      section.blocks.push_back(std::move(block));
  }
  for (const JacobianView& view : jacobians_of(run)) {
    const Json& certificates = entry(view.score, "certificates");
    const Json& fits = entry(view.score, "fits");
    if (!certificates.is_array() || certificates.empty()) continue;
    if (fits.is_array() && !fits.empty())
      section.blocks.push_back(
          Paragraph{fmt::format("{}: {}{}", view.name, text_of(fits[0], "description"),
                                fits.size() > 1 ? fmt::format(", {} fits of a cross-fit", fits.size()) : "")});
    for (std::size_t i = 0; i < certificates.size(); ++i)
      add_certificate(
          section, certificates[i],
          fmt::format(", {}{}", view.name,
                      certificates.size() > 1 ? fmt::format(", fit {} of {}", i + 1, certificates.size()) : ""),
          ++number);
  }
  if (section.blocks.empty()) return {};
  return section;
}

}  // namespace gfdt::report
