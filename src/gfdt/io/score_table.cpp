#include "gfdt/io/score_table.hpp"

#include <limits>

#include "gfdt/io/options_table.hpp"

namespace gfdt::io {
namespace {

void read_option(const TomlEntry& entry, scoring::Options& options) {
  const std::string what = "score." + entry.name;
  const TomlValue& value = entry.value;
  const auto whole = [&](const TomlValue& item) {
    return static_cast<int>(item.whole_number(what, 0, std::numeric_limits<int>::max()));
  };
  if (entry.name == "method") {
    const auto method = scoring::method_named(value.words(what));
    if (!method) fail_choice(value, what, scoring::method_names());
    options.method = *method;
  }
  if (entry.name == "samples") options.samples = static_cast<std::size_t>(whole(value));
  if (entry.name == "noise") options.noise = value.finite_number(what);
  if (entry.name == "leaves") options.leaves = whole(value);
  if (entry.name == "hidden") {
    options.hidden.emplace();
    for (const TomlValue& item : value.array_items(what)) options.hidden->push_back(whole(item));
  }
  if (entry.name == "radius") options.radius = whole(value);
  if (entry.name == "width") options.width = whole(value);
  if (entry.name == "epochs") options.epochs = whole(value);
  if (entry.name == "warm_epochs") options.warm_epochs = value.finite_number(what);
  if (entry.name == "batch") options.batch = whole(value);
  if (entry.name == "rate") options.rate = value.finite_number(what);
  if (entry.name == "patience") options.patience = whole(value);
  if (entry.name == "validation") options.validation = value.finite_number(what);
  if (entry.name == "probes") options.probes = whole(value);
  if (entry.name == "correction") options.correction = value.truth(what);
}

}  // namespace

const std::vector<std::string>& score_keys() {
  static const std::vector<std::string> keys{"method", "samples",  "noise",      "leaves",      "hidden",
                                             "radius", "width",    "epochs",     "warm_epochs", "batch",
                                             "rate",   "patience", "validation", "probes",      "correction"};
  return keys;
}

scoring::Options read_score(const TomlEntry& section) {
  return read_options<scoring::Options>(section, score_keys(), read_option);
}

}  // namespace gfdt::io
