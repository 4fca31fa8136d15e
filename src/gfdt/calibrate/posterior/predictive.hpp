#pragma once

#include <limits>
#include <string>
#include <vector>

#include "gfdt/calibrate/calibration.hpp"
#include "gfdt/calibrate/record.hpp"
#include "gfdt/simulate/ensemble.hpp"

namespace gfdt::calibrate {

/// A curve of runs of the model, with the curve of the record where there is one.
struct PredictiveCurve {
  std::vector<double> at;                ///< values of the quantity, or lags in time of the model
  std::vector<double> model, low, high;  ///< median over draws, and the band that holds nine tenths of them
  std::vector<double> guess;             ///< median of runs before the calibration
  std::vector<double> record;            ///< empty without a record
  /// Share of draws that are somewhere as far from the median as the record is somewhere, in half widths of the band
  /// there; NaN without a record.
  double tail = std::numeric_limits<double>::quiet_NaN();
};

struct PredictiveSeries {
  std::string name;
  std::string kind;    ///< "state", "observable", "mean" (of a field over its sites)
  std::string column;  ///< of the record; empty without
  double bandwidth = 0;
  PredictiveCurve density, autocorrelation;
};

/// Averages of observables over a run.
struct PredictiveStatistics {
  std::vector<std::string> observables;
  std::vector<double> model, low, high;
  std::vector<double> record;  ///< NaN for one that was not measured; empty without a record
  std::vector<double> tail;    ///< share of draws at or beyond the record, on the side where it lies
};

/// What the calibrated model foretells of a record: runs as long as the record, with its missing values, at parameters
/// drawn from the posterior. Bands hold nine tenths of the draws, each point for itself.
struct Predictive {
  int draws = 0;
  double length = 0;    ///< of each run
  double sampling = 0;  ///< time between rows
  std::vector<PredictiveSeries> series;
  PredictiveStatistics statistics;
  std::vector<std::string> remarks;  ///< a sentence each
  std::string problem;               ///< why there is nothing; empty when there is
  double simulated_time = 0;
  double wall_seconds = 0;
  bool cancelled = false;
};

struct PredictiveQuestion {
  const symbolic::Model& model;  ///< its observables are those with targets
  const Problem& problem;
  const Calibration& calibration;
  simulate::Options simulation;
  const Record* record = nullptr;  ///< null: runs are as long as those of the calibration
  int draws = 40;
};

/// Results do not depend on the number of threads. A quantity that is in the record comes first, then states up to
/// twelve series; where states are more, means of fields come before their first sites.
Predictive predictive(const PredictiveQuestion& question, const simulate::Control& control = {});

/// Which averages of the record lie outside their bands, as one in ten does by chance, and which of its curves are
/// farther from the median than 19 of 20 draws; a sentence each.
std::vector<std::string> surprises(const Predictive& predictive);

}  // namespace gfdt::calibrate
