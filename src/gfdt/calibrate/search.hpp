#pragma once

#include <array>

#include "gfdt/calibrate/convergence.hpp"
#include "gfdt/calibrate/linear_model.hpp"
#include "gfdt/calibrate/step.hpp"
#include "gfdt/calibrate/trust_region.hpp"

namespace gfdt::calibrate {

/// The loop of Gauss–Newton and Levenberg–Marquardt: evaluate, look whether there is anything to gain, step.
class Search {
 public:
  Search(const Problem& problem, const Options& options, Evaluator& evaluator, const simulate::Control& control,
         const Observer& observer);

  Calibration run();

 private:
  using Purpose = Request::Purpose;
  /// Where the search stands: parameters with a Jacobian, from which steps are taken.
  struct Base {
    std::size_t iteration = 0;  ///< its place in the list
    LinearModel model;
    Prospect prospect;
  };
  /// A step that a short run did not object to.
  struct Candidate {
    std::vector<double> parameters;
    Step step;
    int halvings = 0;
    bool holds = true;  ///< false: no step was found at which the dynamics hold
  };

  bool done() const { return done_; }
  void end(Status status, std::string explanation);

  /// Simulated time, by the last run for this purpose, or that for the cheapest where there was none.
  double expected_cost(Purpose purpose, double length) const;
  /// Keeps account, and ends the search where it is interrupted or the budget does not suffice.
  Evaluation evaluate(Purpose purpose, const std::vector<double>& parameters, double length,
                      const response::Wanted& wanted = {});
  /// False where the search ended instead.
  bool add_iteration(const std::vector<double>& parameters, double length, const response::Wanted& wanted = {});
  void move_to_last();
  /// Whether runs need not be longer to end the search by: they are as long as was asked for, or have no noise to speak
  /// of beside that of the targets.
  bool long_enough() const;
  bool noise_is_in_targets() const;
  bool nothing_to_gain() const;
  bool below_tolerance() const;

  void start();
  /// Ends the search where it should end here.
  void consider_stop();
  void advance();
  /// Makes the run that the search stands on again, as long as the last one.
  void repeat_base();
  /// How much of a change of η may be taken at once.
  double share_within_bounds(const Eigen::VectorXd& change) const;
  Candidate candidate() const;
  void check_stability(Candidate& candidate);
  /// What a step changed of ½ rᵀBr.
  struct Gain {
    double before = 0, after = 0;
    double predicted = 0, deviation = 0;
    double actual() const { return before - after; }
    bool stands() const { return TrustRegion::stands(actual(), predicted, deviation); }
  };
  Gain gain_of(const Candidate& candidate, const Evaluation& there) const;
  void judge(const Candidate& candidate);
  /// One more run at the final step ends the search; false where it contradicts that nothing was to be gained.
  bool confirm();
  /// Where the search stands, as an answer.
  void take_answer(Calibration& result) const;
  void show_progress() const;
  std::vector<double> moved(const std::vector<double>& from, const Eigen::VectorXd& change) const;
  const Iteration& base_iteration() const { return result_.iterations[base_.iteration]; }
  Iteration& base_iteration() { return result_.iterations[base_.iteration]; }

  const Problem& problem_;
  const Options& options_;
  Evaluator& evaluator_;
  const simulate::Control& control_;
  const Observer& observer_;
  Calibration result_;
  Base base_;
  TrustRegion region_;
  Eigen::VectorXd trust_floor_;  ///< largest scale of each parameter so far
  FittedScores scores_;
  double length_;
  std::array<double, 3> cost_ = {};  ///< simulated time for each unit of length, of the last run for each purpose
  std::uint64_t stage_ = 0;
  int steps_ = 0;
  int setbacks_ = 0;  ///< steps in a row that were taken back
  bool done_ = false;
};

}  // namespace gfdt::calibrate
