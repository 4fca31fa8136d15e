#include "gfdt/problem/tables/response_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/base/nearest.hpp"
#include "gfdt/problem/tables/options_table.hpp"

namespace gfdt::problem {
namespace {

void read_window(const TomlValue& value, const std::string& what, jacobian::Options& options) {
  const std::vector<TomlValue>& times = value.array_items(what);
  if (times.size() != 2) value.fail(fmt::format("{}: expected a start and an end, such as [2, 5].", what));
  options.window = {times[0].finite_number(what), times[1].finite_number(what)};
}

void read_steps(const TomlValue& table, const std::string& what, jacobian::Options& options) {
  for (const TomlEntry& entry : table.table_entries(what)) {
    const double step = entry.value.finite_number(what + "." + entry.name);
    if (!(step > 0))
      entry.value.fail(fmt::format("The step of '{}' is {:g}; steps must be positive.", entry.name, step));
    options.steps.emplace(entry.name, step);
  }
}

void check_steps(const TomlEntry& steps, const symbolic::Model& model) {
  std::vector<std::string> known;
  for (const symbolic::Parameter& parameter : model.parameters) known.push_back(parameter.name);
  for (const TomlEntry& entry : steps.value.table_entries("response.steps"))
    if (std::ranges::find(known, entry.name) == known.end())
      entry.fail(fmt::format("'{}' is not a parameter of the model.{}", entry.name, suggestion(entry.name, known)));
}

const std::vector<Key<jacobian::Options>>& keys_of_response() {
  static const std::vector<Key<jacobian::Options>> all{
      choice("method", &jacobian::Options::method, jacobian::method_names(),
             "`auto`: each column by what suits it, or `gfdt` where `score.method` or `window` is given; `gfdt`: the "
             "correlation integral with the score, from one run; "
             "`control-variate`: the leading terms of Poisson's equation, from one run without a score; "
             "`finite-difference`: perturbed runs with the same random numbers, two for each parameter; "
             "`likelihood-ratio`: correlations with the noise that drove the run, from one run without a score."),
      key("accuracy", "number between 0 and 1", &jacobian::Options::accuracy,
          "Of `auto`: the error of every column, as a share of its size, that runs are made longer for, up to ten "
          "times.",
          "none is asked for; columns within 0.02 are good enough"),
      key("control_variate", "true or false", &jacobian::Options::control_variate,
          "Reduce the variance of statistics and Jacobians by functions of the state whose mean is zero "
          "([control variates](control-variates.md)).",
          "for statistics, and for Jacobians with `auto`"),
      {{"window", "list of two times, 0 ≤ start < end", "from the data",
        "`[2, 5]`: the response to a step is averaged over these times after it "
        "([responses](response.md#the-window))."},
       read_window},
      key("samples", "whole number ≥ 1000", &jacobian::Options::samples,
          "States at which the score is evaluated, at most about.",
          "10⁷, beyond three dimensions 3·10⁷ over their number"),
      key("cross_fit", "true or false", &jacobian::Options::cross_fit,
          "A fitted score is evaluated on the half of the members that it was not fitted to."),
      key("correction", "true or false", &jacobian::Options::correction,
          "Errors of the score are corrected with polynomials "
          "([responses](response.md#the-correction-of-conjugates)).",
          "`true`, but for the Gaussian score"),
      key("relative_step", "number > 0", &jacobian::Options::relative_step,
          "Of finite differences: the step of a parameter θ is this times max(\\|θ\\|, 1).", "chosen by short runs"),
      {{"steps", "table of numbers > 0 by parameter", "as `relative_step` says",
        "Steps of single parameters: `[response.steps]` with `alpha0 = 0.05`."},
       read_steps}};
  return all;
}

}  // namespace

const SectionText& response_section() {
  static const SectionText text{"response",
                                "How Jacobians are estimated ([responses](response.md)). All keys can be left out.",
                                texts_of(keys_of_response())};
  return text;
}

jacobian::Options read_response(const TomlEntry& section, const symbolic::Model& model) {
  jacobian::Options options = read_options(section, keys_of_response());
  if (const TomlEntry* steps = section.value.find("steps")) check_steps(*steps, model);
  return options;
}

}  // namespace gfdt::problem
