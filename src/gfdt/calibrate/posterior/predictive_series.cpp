#include "gfdt/calibrate/posterior/predictive_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/codegen/program/component_names.hpp"
#include "gfdt/statistics/series/series_means.hpp"
#include "gfdt/statistics/series/series_shape.hpp"

namespace gfdt::calibrate {
namespace {

using statistics::sorted_quantile;
using Runs = std::vector<std::vector<double>>;  ///< [run][row], or [run][point of a curve]

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double outside = 0.05;  ///< share of draws below the band, and above
/// Half width of the narrowest band of an average, in standard deviations of the quantity.
constexpr double narrowest = 1e-3;
constexpr std::size_t most_series = 12;
constexpr std::size_t points = 101;     ///< of a density curve
constexpr std::size_t most_lags = 100;  ///< of an autocorrelation curve
constexpr double memories = 10;         ///< longest lag of an autocorrelation curve, in autocorrelation times

bool known(double value) { return !std::isnan(value); }

double mean_of(const std::vector<double>& values) {
  double sum = 0, count = 0;
  for (const double value : values)
    if (known(value)) {
      sum += value;
      ++count;
    }
  return count > 0 ? sum / count : none;
}

std::vector<double> quantiles(const Runs& curves, double p) {
  std::vector<double> result;
  for (std::size_t i = 0; !curves.empty() && i < curves[0].size(); ++i) {
    std::vector<double> column;
    for (const std::vector<double>& curve : curves)
      if (known(curve[i])) column.push_back(curve[i]);
    std::ranges::sort(column);
    result.push_back(column.empty() ? none : sorted_quantile(column, p));
  }
  return result;
}

/// The largest distance from the median, in half widths of the band. The band is taken to be at least a twentieth as
/// wide as at its widest point.
double farthest(const PredictiveCurve& band, const std::vector<double>& values) {
  double widest = 0, result = 0;
  for (std::size_t i = 0; i < band.at.size(); ++i) widest = std::max(widest, band.high[i] - band.low[i]);
  for (std::size_t i = 0; i < band.at.size(); ++i) {
    const double half = 0.5 * std::max(band.high[i] - band.low[i], widest / 20);
    if (half > 0) result = std::max(result, std::abs(values[i] - band.model[i]) / half);
  }
  return result;
}

template <class Curve>
PredictiveCurve curve_of(std::vector<double> at, const Quantity& quantity, const Runs& draws, const Runs& guess,
                         const Curve& curve) {
  const auto all = [&](const Runs& runs) {
    Runs curves;
    for (const std::vector<double>& run : runs) curves.push_back(curve(run));
    return curves;
  };
  const Runs drawn = all(draws);
  PredictiveCurve result;
  result.at = std::move(at);
  result.model = quantiles(drawn, 0.5);
  result.low = quantiles(drawn, outside);
  result.high = quantiles(drawn, 1 - outside);
  result.guess = quantiles(all(guess), 0.5);
  if (quantity.record.empty()) return result;
  result.record = curve(quantity.record);
  const double distance = farthest(result, result.record);
  const auto beyond =
      std::ranges::count_if(drawn, [&](const auto& draw) { return farthest(result, draw) >= distance; });
  result.tail = static_cast<double>(beyond) / static_cast<double>(drawn.size());
  return result;
}

/// The range of a density curve: it covers the record and all draws except the widest tenths.
std::pair<double, double> range_of(const Quantity& quantity, const Runs& draws) {
  constexpr double rare = 1e-3, widest = 0.1;
  std::vector<double> lows, highs;
  for (const std::vector<double>& run : draws) {
    std::vector<double> values;
    std::ranges::copy_if(run, std::back_inserter(values), known);
    if (values.empty()) continue;
    std::ranges::sort(values);
    lows.push_back(sorted_quantile(values, rare));
    highs.push_back(sorted_quantile(values, 1 - rare));
  }
  if (lows.empty()) return {none, none};
  std::ranges::sort(lows);
  std::ranges::sort(highs);
  double low = sorted_quantile(lows, widest), high = sorted_quantile(highs, 1 - widest);
  for (const double value : quantity.record)
    if (known(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  return {low, high};
}

/// The bandwidth of the record, or of a typical draw without a record.
double bandwidth_of(const Quantity& quantity, const Runs& draws) {
  if (!quantity.record.empty()) return statistics::kernel_bandwidth(quantity.record);
  std::vector<double> widths;
  for (const std::vector<double>& run : draws) widths.push_back(statistics::kernel_bandwidth(run));
  std::ranges::sort(widths);
  return sorted_quantile(widths, 0.5);
}

PredictiveCurve density_of(const Quantity& quantity, const Runs& draws, const Runs& guess, double& bandwidth) {
  constexpr double margin = 3, finest = 1e-3;  // finest bandwidth, as a share of the range
  auto [low, high] = range_of(quantity, draws);
  if (!std::isfinite(high - low)) return {};
  bandwidth = std::max(bandwidth, finest * (high - low));
  low -= margin * bandwidth;
  high += margin * bandwidth;
  std::vector<double> at;
  for (std::size_t i = 0; i < points; ++i)
    at.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(points - 1));
  return curve_of(std::move(at), quantity, draws, guess, [&, from = low, to = high](const std::vector<double>& values) {
    return statistics::kernel_density(values, from, to, points, bandwidth);
  });
}

PredictiveCurve autocorrelation_of(const Quantity& quantity, const Runs& draws, const Runs& guess, double interval) {
  const std::vector<double>& typical = quantity.record.empty() ? draws[0] : quantity.record;
  const double memory = statistics::series_memory(typical).longest;
  const std::size_t rows = typical.size(),
                    last = std::min(rows / 3, static_cast<std::size_t>(std::max(10.0, std::ceil(memories * memory))));
  const std::size_t stride = (last + most_lags - 1) / most_lags;
  std::vector<std::size_t> lags;
  std::vector<double> at;
  for (std::size_t lag = 0; lag <= last; lag += std::max<std::size_t>(stride, 1)) {
    lags.push_back(lag);
    at.push_back(interval * static_cast<double>(lag));
  }
  return curve_of(std::move(at), quantity, draws, guess,
                  [&](const std::vector<double>& values) { return statistics::autocorrelation(values, lags); });
}

std::vector<double> in_record(const Record* record, const std::string& name) {
  if (!record) return {};
  const auto series = record->series.find(name);
  return series == record->series.end() ? std::vector<double>{} : series->second;
}

bool is_measured(const symbolic::Model& model, const symbolic::Observable& observable, const Record& record) {
  const std::vector<std::string> needed = needed_series(model, observable.formula);
  return !needed.empty() &&
         std::ranges::all_of(needed, [&](const std::string& name) { return record.series.contains(name); });
}

}  // namespace

std::vector<Quantity> quantities_of(const symbolic::Model& model, const Record* record) {
  std::vector<Quantity> result, rest;
  const std::vector<std::string> names = codegen::component_names(model);
  for (const std::string& name : names) {
    Quantity quantity{name, "state", {name}, nullptr, in_record(record, name)};
    (quantity.record.empty() ? rest : result).push_back(std::move(quantity));
  }
  for (const symbolic::Observable& observable : model.observables)
    if (std::vector<double> values = in_record(record, observable.name); !values.empty())
      result.push_back({observable.name, "observable", {}, &observable, std::move(values)});
  if (result.size() + rest.size() > most_series) {
    std::vector<Quantity> means;
    auto next = names.begin();
    for (const symbolic::Field& field : model.states) {
      const auto end = next + field.sites();
      if (field.sites() > 1) means.push_back({field.name, "mean", {next, end}, nullptr, {}});
      next = end;
    }
    rest.insert(rest.begin(), means.begin(), means.end());
  }
  for (Quantity& quantity : rest)
    if (result.size() < most_series) result.push_back(std::move(quantity));
  for (const symbolic::Observable& observable : model.observables) {
    if (std::ranges::any_of(result, [&](const Quantity& known) { return known.observable == &observable; })) continue;
    std::vector<double> values;
    if (record && is_measured(model, observable, *record))
      values = std::move(computed_series(model, {&observable}, *record)[0]);
    result.push_back({observable.name, "observable", {}, &observable, std::move(values), false});
  }
  return result;
}

Runs values_of(const std::vector<Quantity>& quantities, const symbolic::Model& model, const Record& run) {
  std::vector<const symbolic::Observable*> observables;
  for (const Quantity& quantity : quantities)
    if (quantity.observable)
      observables.push_back(&*std::ranges::find(model.observables, quantity.name, &symbolic::Observable::name));
  Runs computed = computed_series(model, observables, run), result;
  auto next = computed.begin();
  for (const Quantity& quantity : quantities) {
    std::vector<double> values;
    if (quantity.observable) {
      values = std::move(*next++);
    } else {
      values.assign(run.rows(), 0);
      for (const std::string& name : quantity.components)
        for (std::size_t row = 0; row < values.size(); ++row)
          values[row] += run.series.at(name)[row] / static_cast<double>(quantity.components.size());
    }
    for (std::size_t row = 0; row < quantity.record.size(); ++row)
      if (!known(quantity.record[row])) values[row] = none;
    result.push_back(std::move(values));
  }
  return result;
}

PredictiveSeries series_of(const Quantity& quantity, const Runs& draws, const Runs& guess, double interval) {
  PredictiveSeries series{quantity.name, quantity.kind, {}, 0, {}, {}};
  series.bandwidth = bandwidth_of(quantity, draws);
  if (series.bandwidth > 0) series.density = density_of(quantity, draws, guess, series.bandwidth);
  series.autocorrelation = autocorrelation_of(quantity, draws, guess, interval);
  return series;
}

namespace {

double deviation_of(const std::vector<double>& run, double average) {
  double squares = 0, count = 0;
  for (const double value : run)
    if (known(value)) {
      squares += (value - average) * (value - average);
      ++count;
    }
  return count > 0 ? std::sqrt(squares / count) : 0;
}

}  // namespace

void add_statistic(const Quantity& quantity, const Runs& draws, PredictiveStatistics& statistics) {
  std::vector<double> averages;
  double deviation = 0;
  for (const std::vector<double>& run : draws)
    if (const double average = mean_of(run); known(average)) {
      averages.push_back(average);
      deviation = std::max(deviation, deviation_of(run, average));
    }
  if (averages.empty()) return;
  std::ranges::sort(averages);
  const double record = mean_of(quantity.record);
  statistics.observables.push_back(quantity.name);
  statistics.model.push_back(sorted_quantile(averages, 0.5));
  // The average of an exactly periodic state is the same in all draws, but differs over parts of a period.
  const double slack = narrowest * deviation;
  statistics.low.push_back(sorted_quantile(averages, outside) - slack);
  statistics.high.push_back(sorted_quantile(averages, 1 - outside) + slack);
  statistics.record.push_back(record);
  const auto above = std::ranges::count_if(averages, [&](double value) { return value + slack >= record; }),
             below = std::ranges::count_if(averages, [&](double value) { return value - slack <= record; });
  statistics.tail.push_back(
      known(record) ? static_cast<double>(std::min(above, below)) / static_cast<double>(averages.size()) : none);
}

}  // namespace gfdt::calibrate
