#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::jacobian {

/// Difference quotients of averages. The units are members, or parts of the members' time if there are too few members.
/// A unit has the same random numbers in all runs.
struct Quotients {
  double step = 0;
  std::vector<std::vector<double>> units;  ///< [observable][unit]
};

double mean(std::span<const double> units);
/// Standard error of the mean of independent units; NaN for a single unit.
double standard_error(std::span<const double> units);

/// Runs a model at its parameters and at perturbed ones, always with the same random numbers, and adds up the simulated
/// time.
class DifferenceRuns {
 public:
  DifferenceRuns(const symbolic::Model& model, const simulate::Options& options, const simulate::Control& control);

  /// The run at the unperturbed parameters. Call it first: it gives the number of members that are expected to blow up.
  statistics::EnsembleStatistics unperturbed();

  struct Result {
    simulate::Status status = simulate::Status::done;
    std::string explanation;  ///< reason if the status is not `done`
    Quotients quotients;
  };
  enum class Side {
    both,   ///< (A(θ+h) − A(θ−h))/2h
    above,  ///< (−3A(θ) + 4A(θ+h) − A(θ+2h))/2h
    below,  ///< the same with −h
  };
  /// Computes a difference quotient from runs of this length; its bias is c h² for every side. The result is unstable
  /// if clearly more members blow up than in the unperturbed run. The time step is multiplied by `time_step_ratio`.
  Result difference(const std::string& parameter, double step, double length, Side side = Side::both,
                    int time_step_ratio = 1);

  /// Sets the progress range of the following runs: from the current position to `end`, for about `runs` full runs.
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
