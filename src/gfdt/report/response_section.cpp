#include <fmt/format.h>

#include <algorithm>

#include "gfdt/report/document.hpp"
#include "gfdt/report/findings.hpp"
#include "gfdt/report/number_text.hpp"
#include "gfdt/report/plot.hpp"
#include "gfdt/report/sections.hpp"

namespace gfdt::report {
namespace {

/// Curves of one kind, [observable][parameter][time], as one list per pair; documents of a single parameter omit the
/// second index.
class Curves {
 public:
  Curves(const Json& document, const std::string& key)
      : values_(entry(document, key)), two_times_(!text_of(document, "parameter").empty()) {}

  Values of(std::size_t observable, std::size_t parameter) const {
    if (!values_.is_array() || observable >= values_.size() || !values_[observable].is_array()) return {};
    const Json& row = values_[observable];
    const bool deep = !row.empty() && row[0].is_array();
    if (deep && two_times_) {  // [time][time of the pulse]: pulses at time 0
      Json of_first = Json::array();
      for (const Json& at : row) of_first.push_back(at.is_array() && !at.empty() ? at[0] : Json());
      return numbers_of(Json{{"list", of_first}}, "list");
    }
    if (deep && parameter >= row.size()) return {};
    return numbers_of(Json{{"list", deep ? row[parameter] : row}}, "list");
  }

 private:
  const Json& values_;
  bool two_times_;  ///< of one parameter: a nested list is a function of two times
};

struct Kind {
  const char *key, *name, *title, *caption;
};

constexpr Kind kinds[] = {
    {"response", "forced-response", "Response to the forcing",
     "Change of each statistic with time. Bands: one standard error."},
    {"kernel", "kernels-of-responses", "Response kernels",
     "Response to a short pulse of the parameter at time 0. Bands: one standard error."},
    {"step_response", "step-responses-of-kernels", "Responses to a step",
     "Change of each statistic per unit of the parameter: integral of the kernel. Bands: one standard error."},
};

Figure figure_of(const Json& document, const Kind& kind, const std::vector<std::string>& observables,
                 const std::vector<std::string>& parameters) {
  Figure figure{.name = kind.name,
                .title = kind.title,
                .caption = kind.caption,
                .table = DataTable({"observable", "parameter", "time", "value", "standard_error"}),
                .width = 320,
                .height = 260};
  const Values time = numbers_of(document, "time"), window = numbers_of(document, "window");
  const Curves values(document, kind.key), errors(document, std::string(kind.key) + "_error");
  const bool checked = std::string(kind.key) == "response" && !entry(document, "check").empty();
  if (checked)
    figure.keys = {{"theory", "predicted response", "c0", "line"}, {"check", "simulated response", "c1", "line"}};
  for (std::size_t m = 0; m < observables.size(); ++m)
    for (std::size_t j = 0; j < parameters.size(); ++j) {
      const Values value = values.of(m, j), error = errors.of(m, j);
      if (value.empty()) continue;
      Panel panel;
      panel.layout = axes("t", "", fmt::format("response of {} to {}", observables[m], parameters[j]));
      const auto draw = [&](const Values& y, const Values& e, const Stroke& stroke) {
        Values low, high;
        std::vector<std::string> words;
        for (std::size_t k = 0; k < y.size(); ++k) {
          low.push_back(y[k] - at(e, k));
          high.push_back(y[k] + at(e, k));
          words.push_back(fmt::format("t = {}: {}", brief(at(time, k)), plus_minus(y[k], at(e, k))));
        }
        panel.traces.push_back(band_trace(time, low, high, stroke));
        panel.traces.push_back(line_trace(time, y, stroke, words));
      };
      draw(value, error, {.colour = "c0", .group = "theory"});
      if (checked)
        draw(Curves(document, "check").of(m, j), Curves(document, "check_error").of(m, j),
             {.colour = "c1", .group = "check"});
      if (std::string(kind.key) == "step_response" && window.size() == 2)
        add_segment(panel.layout, window[0], window[1], "muted");
      if (figure.panels.size() < most_panels) figure.panels.push_back(std::move(panel));
      for (std::size_t k = 0; k < std::min(time.size(), value.size()); ++k)
        figure.table.add({observables[m], parameters[j], time[k], plot_number(value[k]), plot_number(at(error, k))});
    }
  return figure;
}

}  // namespace

std::optional<Section> response_section(const RunDocuments& run) {
  if (run.response.is_null()) return {};
  const std::vector<std::string> observables = texts_of(run.response, "observables");
  std::vector<std::string> parameters = texts_of(run.response, "parameters");
  if (parameters.empty()) parameters = {text_of(run.response, "parameter")};
  Section section{"response", "Responses", {}};
  for (const Kind& kind : kinds)
    if (Figure figure = figure_of(run.response, kind, observables, parameters); !figure.panels.empty())
      section.blocks.push_back(std::move(figure));
  for (Block& block : check_blocks(checks_of(entry(run.response, "findings"))))
    section.blocks.push_back(std::move(block));
  return section;
}

}  // namespace gfdt::report
