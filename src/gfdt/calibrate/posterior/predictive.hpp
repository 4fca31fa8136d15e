#pragma once

#include <limits>
#include <string>
#include <vector>

#include "gfdt/calibrate/calibration.hpp"
#include "gfdt/calibrate/record.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::calibrate {

/// A curve computed from runs of the model, and the curve of the record if there is one.
struct PredictiveCurve {
  std::vector<double> at;                ///< values of the quantity, or lags in time units of the model
  std::vector<double> model, low, high;  ///< median over draws, and the band that contains nine tenths of them
  std::vector<double> guess;             ///< median of runs at the guess, before the calibration
  std::vector<double> record;            ///< empty without a record
  /// Share of draws whose largest distance from the median, in half widths of the band, is at least that of the record;
  /// NaN without a record.
  double tail = std::numeric_limits<double>::quiet_NaN();
};

struct PredictiveSeries {
  std::string name;
  std::string kind;    ///< "state", "observable" or "mean" (of a field over its sites)
  std::string column;  ///< column of the record; empty without a record
  double bandwidth = 0;
  PredictiveCurve density, autocorrelation;
};

/// Averages of observables over a run: median over draws and the band that contains nine tenths of them.
struct PredictiveStatistics {
  std::vector<std::string> observables;
  std::vector<double> model, low, high;
  std::vector<double> record;  ///< NaN for an observable that was not measured; empty without a record
  std::vector<double> tail;    ///< share of draws at or beyond the record, on its side of the median
};

/// Posterior predictive check: runs at parameters drawn from the posterior, as long as the record and with the same
/// missing values. Bands contain nine tenths of the draws at each point separately.
struct Predictive {
  int draws = 0;
  double length = 0;    ///< of each run, in time units of the model
  double sampling = 0;  ///< time between rows
  std::vector<PredictiveSeries> series;
  PredictiveStatistics statistics;
  std::vector<std::string> remarks;  ///< one sentence each
  std::string problem;               ///< the reason why there is no result; empty if there is one
  double simulated_time = 0;
  double wall_seconds = 0;
  bool cancelled = false;
};

struct PredictiveRequest {
  const symbolic::Model& model;  ///< its observables are those with targets
  const Problem& problem;
  const Calibration& calibration;
  simulate::Options simulation;
  const Record* record = nullptr;  ///< null: runs have the length of the calibration
  int draws = 40;
};

/// Results do not depend on the number of threads. Quantities of the record come first, followed by states up to a
/// total of twelve series; if there are more states, means of fields precede their first sites.
Predictive predictive(const PredictiveRequest& question, const simulate::Control& control = {});

/// One sentence for each average of the record that lies outside its band, as one in ten does by chance, and for each
/// of its curves that is farther from the median than 19 of 20 draws.
std::vector<std::string> surprises(const Predictive& predictive);

}  // namespace gfdt::calibrate
