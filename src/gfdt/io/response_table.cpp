#include "gfdt/io/response_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gfdt/core/nearest.hpp"
#include "gfdt/io/options_table.hpp"

namespace gfdt::io {
namespace {

response::Window read_window(const TomlValue& value, const std::string& what) {
  const std::vector<TomlValue>& times = value.array_items(what);
  if (times.size() != 2) value.fail(fmt::format("{}: expected a start and an end, such as [2, 5].", what));
  return {times[0].finite_number(what), times[1].finite_number(what)};
}

std::map<std::string, double> read_steps(const TomlValue& table, const std::string& what, const model::Model& model) {
  std::vector<std::string> known;
  for (const model::Parameter& parameter : model.parameters) known.push_back(parameter.name);
  std::map<std::string, double> steps;
  for (const TomlEntry& entry : table.table_entries(what)) {
    if (std::ranges::find(known, entry.name) == known.end())
      entry.fail(fmt::format("'{}' is not a parameter of the model.{}", entry.name, suggestion(entry.name, known)));
    const double step = entry.value.finite_number(what + "." + entry.name);
    if (!(step > 0))
      entry.value.fail(fmt::format("The step of '{}' is {:g}; steps must be positive.", entry.name, step));
    steps.emplace(entry.name, step);
  }
  return steps;
}

void read_option(const TomlEntry& entry, const model::Model& model, response::Options& options) {
  const std::string what = "response." + entry.name;
  const TomlValue& value = entry.value;
  if (entry.name == "method") {
    const auto method = response::method_named(value.words(what));
    if (!method) fail_choice(value, what, response::method_names());
    options.method = *method;
  }
  if (entry.name == "window") options.window = read_window(value, what);
  if (entry.name == "samples")
    options.samples = static_cast<std::size_t>(value.whole_number(what, 0, std::numeric_limits<std::int64_t>::max()));
  if (entry.name == "cross_fit") options.cross_fit = value.truth(what);
  if (entry.name == "correction") options.correction = value.truth(what);
  if (entry.name == "relative_step") options.relative_step = value.finite_number(what);
  if (entry.name == "steps") options.steps = read_steps(value, what, model);
}

}  // namespace

const std::vector<std::string>& response_keys() {
  static const std::vector<std::string> keys{"method",     "window",        "samples", "cross_fit",
                                             "correction", "relative_step", "steps"};
  return keys;
}

response::Options read_response(const TomlEntry& section, const model::Model& model) {
  return read_options<response::Options>(
      section, response_keys(),
      [&](const TomlEntry& entry, response::Options& options) { read_option(entry, model, options); });
}

}  // namespace gfdt::io
