#include "gfdt/calibrate/targets/data_targets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/statistics/series/series_means.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::calibrate {
namespace {

class DataTargets {
 public:
  DataTargets(const symbolic::Model& model, const Record& record)
      : model_(model), record_(record), rows_(record.rows()) {}

  Targets compute(const std::set<std::string>& given) {
    for (const symbolic::Observable& observable : model_.observables)
      if (!given.contains(observable.name)) choose(observable);
    fill_series();
    leave_out_constants();
    if (targets_.observables.empty())
      throw Error(fmt::format("No observable has a target from {}.{}", record_.name, joined(targets_.remarks)));
    estimate();
    targets_.source = record_.name;
    return std::move(targets_);
  }

 private:
  static std::string joined(const std::vector<std::string>& remarks) {
    return remarks.empty() ? "" : fmt::format(" {}", fmt::join(remarks, " "));
  }

  void leave_out(const std::string& observable, const std::string& why) {
    targets_.remarks.push_back(fmt::format("The observable '{}' has no target: {}.", observable, why));
  }

  /// Decides whether an observable can be computed from the record.
  void choose(const symbolic::Observable& observable) {
    if (record_.series.contains(observable.name)) {
      targets_.observables.push_back(observable.name);
      return;
    }
    const std::vector<std::string> needed = needed_series(model_, observable.formula);
    for (const std::string& name : needed)
      if (!record_.series.contains(name)) return leave_out(observable.name, fmt::format("{} is not measured", name));
    if (needed.empty()) return leave_out(observable.name, "it does not depend on the state");
    for (const symbolic::Parameter& parameter : model_.parameters)
      if (symbolic::depends_on(observable.formula, parameter.name))
        targets_.remarks.push_back(
            fmt::format("The formula of '{}' holds the parameter {}: its target is computed with {} = {:g}.",
                        observable.name, parameter.name, parameter.name, parameter.value));
    targets_.observables.push_back(observable.name);
    computed_.push_back(&observable);
  }

  void fill_series() {
    std::vector<std::vector<double>> values = computed_series(model_, computed_, record_);
    for (std::size_t m = 0; m < computed_.size(); ++m) check_defined(*computed_[m], values[m]);
    auto next = values.begin();
    for (const std::string& name : targets_.observables) {
      const auto measured = record_.series.find(name);
      series_.push_back(is_computed(name) ? std::move(*next++) : measured->second);
    }
  }

  bool is_computed(const std::string& name) const {
    return std::ranges::any_of(computed_,
                               [&](const symbolic::Observable* observable) { return observable->name == name; });
  }

  /// Throws Error if the formula has no finite value for measured states, which is not the same as a missing
  /// measurement.
  void check_defined(const symbolic::Observable& observable, const std::vector<double>& values) const {
    const std::vector<std::string> needed = needed_series(model_, observable.formula);
    for (std::size_t row = 0; row < rows_; ++row) {
      const bool measured = std::ranges::none_of(
          needed, [&](const std::string& name) { return std::isnan(record_.series.at(name)[row]); });
      if (measured && !std::isfinite(values[row]))
        throw Error(fmt::format("The observable '{}' is not a finite number for row {} of {}.", observable.name,
                                row + 1, record_.name));
    }
  }

  void leave_out_constants() {
    for (std::size_t i = targets_.observables.size(); i-- > 0;) {
      const auto present = [](double value) { return !std::isnan(value); };
      const auto first = std::ranges::find_if(series_[i], present);
      const bool varies =
          std::any_of(first, series_[i].end(), [&](double value) { return present(value) && value != *first; });
      if (varies) continue;
      leave_out(targets_.observables[i],
                first == series_[i].end()
                    ? "there is no row in which all that it needs was measured"
                    : fmt::format("it is {:g} in all rows, so that its error cannot be told; give it a value and a std",
                                  *first));
      series_.erase(series_.begin() + static_cast<std::ptrdiff_t>(i));
      targets_.observables.erase(targets_.observables.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void estimate() {
    const statistics::SeriesMeans means = statistics::series_means(series_);
    const auto slowest = std::ranges::max_element(means.memory, {}, &statistics::SeriesMemory::longest);
    const std::string& slow = targets_.observables[static_cast<std::size_t>(slowest - means.memory.begin())];
    const double needed = static_cast<double>(series_.size()) + 2;
    if (!means.long_enough)
      throw Error(
          fmt::format("The {} rows of {} are too few to tell how uncertain their means are: '{}' is correlated over "
                      "{:.3g} rows{}, so that {:.0f} or more are needed. Give targets a value and a std instead.",
                      rows_, record_.name, slow, 2 * slowest->longest, slowest->resolved ? "" : " or more",
                      statistics::SeriesMeans::fewest_memories * slowest->longest));
    if (means.degrees_of_freedom < needed)
      throw Error(fmt::format(
          "The {} rows of {} are too few for {} targets: with correlations over {:.3g} rows ('{}') there are about "
          "{:.0f} independent segments, and {:.0f} are needed. Use a longer record or fewer observables, or give "
          "targets a value and a std.",
          rows_, record_.name, series_.size(), 2 * slowest->longest, slow, means.degrees_of_freedom + 1, needed + 1));
    constexpr double few = 30, false_alarm = 1e-3;
    if (means.degrees_of_freedom < few)
      targets_.remarks.push_back(fmt::format(
          "The record is short: its {} rows are correlated over {:.3g} ('{}'), so that the standard errors of the "
          "targets come from {} independent segments and are known only to within {:.0f} %.",
          rows_, 2 * slowest->longest, slow, means.segments, 100 / std::sqrt(2 * means.degrees_of_freedom)));
    for (std::size_t i = 0; i < series_.size(); ++i)
      if (means.p_change[i] * static_cast<double>(series_.size()) < false_alarm)
        targets_.remarks.push_back(fmt::format(
            "The record drifts: the mean of '{}' changes by {:.3g} from the first third of the time to the last, which "
            "happens by chance with a probability of {:.1g}. A model in a steady state has no such trend.",
            targets_.observables[i], means.change[i], means.p_change[i]));
    targets_.value = means.mean;
    targets_.covariance = means.covariance;
    targets_.degrees_of_freedom = means.degrees_of_freedom;
    if (const std::string problem = targets_.problem(); !problem.empty()) throw Error(problem);
  }

  const symbolic::Model& model_;
  const Record& record_;
  std::size_t rows_;
  std::vector<const symbolic::Observable*> computed_;
  std::vector<std::vector<double>> series_;  ///< one per target
  Targets targets_;
};

}  // namespace

Targets data_targets(const symbolic::Model& model, const Record& record, const std::set<std::string>& given) {
  return DataTargets(model, record).compute(given);
}

}  // namespace gfdt::calibrate
