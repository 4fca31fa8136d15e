#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::jacobian {

/// Difference quotients of averages. Their units are members, or parts of the members' time where there are too few
/// members; a unit has the same random numbers in all runs.
struct Quotients {
  double step = 0;
  std::vector<std::vector<double>> units;  ///< [observable][unit]
};

double mean(std::span<const double> units);
/// Of the mean of independent units; NaN when there is but one.
double standard_error(std::span<const double> units);

/// Runs a model as it is and at changed parameters, always with the same random numbers, and keeps account of the time.
class DifferenceRuns {
 public:
  DifferenceRuns(const symbolic::Model& model, const simulate::Options& options, const simulate::Control& control);

  /// The run at the parameters as they are. Comes first: it says how many members may be expected to blow up.
  statistics::EnsembleStatistics unperturbed();

  struct Result {
    simulate::Status status = simulate::Status::done;
    std::string explanation;  ///< why, when the status is not `done`
    Quotients quotients;
  };
  enum class Side {
    both,   ///< (A(θ+h) − A(θ−h))/2h
    above,  ///< (−3A(θ) + 4A(θ+h) − A(θ+2h))/2h
    below,  ///< the same with −h
  };
  /// Runs of this length for one difference quotient; its bias is c h² whatever the side. Runs in which clearly more
  /// members blow up than in the unperturbed one are unstable. The time step is `time_step_ratio` times as long.
  Result difference(const std::string& parameter, double step, double length, Side side = Side::both,
                    int time_step_ratio = 1);

  /// The bar goes from here to `end` in what follows, which will take about `runs` full runs.
  void next_part(double end, double runs);
  void fill_bar();

  double simulated_time() const { return simulated_time_; }
  const simulate::Options& options() const { return options_; }

 private:
  simulate::Control control_of_run(double length);
  void finished(const simulate::Summary& run);
  double time_of_run(double length) const { return options_.members * (length + options_.burn_in_time()); }
  double most_replaced(double length) const;

  const symbolic::Model& model_;
  simulate::Options options_;
  const simulate::Control& control_;
  double simulated_time_ = 0;
  int replaced_unperturbed_ = 0;
  double part_begin_ = 0, part_end_ = 0, part_time_ = 0, part_done_ = 0, shown_ = 0;
};

}  // namespace gfdt::jacobian
