#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>

#include "gfdt/calibrate/search/convergence.hpp"
#include "gfdt/calibrate/search/linear_model.hpp"
#include "gfdt/calibrate/search/step.hpp"
#include "gfdt/calibrate/search/trust_region.hpp"

namespace gfdt::calibrate {

/// The loop of Gauss–Newton and Levenberg–Marquardt: evaluate, test for convergence, step.
///
/// All runs of Levenberg–Marquardt have the same seed. The search thus minimises a single function of the parameters,
/// the sample average approximation of Φ (Shapiro, Dentcheva and Ruszczyński, "Lectures on Stochastic Programming",
/// 2009), whose minimum does not depend on the starting point and whose noise is that of one run. Gauss–Newton, the
/// paper's algorithm, has independent noise in every run.
class Search {
 public:
  Search(const Problem& problem, const Options& options, Evaluator& evaluator, const simulate::Control& control,
         const Observer& observer);

  Calibration run();

 private:
  using Purpose = Request::Purpose;
  /// The current iterate: parameters with a Jacobian, from which steps are taken.
  struct Base {
    std::size_t iteration = 0;  ///< index in the list of iterations
    LinearModel model;
    Prospect prospect;
  };
  /// The next step, as checked by short stability runs.
  struct Candidate {
    std::vector<double> parameters;
    Step step;
    int halvings = 0;
    bool holds = true;  ///< false: no step was found at which the dynamics are stable
  };

  bool done() const { return done_; }
  void end(Status status, std::string explanation);

  /// Simulated time, estimated from the last run for this purpose, or from the cheapest purpose if there was none.
  double expected_cost(Purpose purpose, double length) const;
  /// Evaluates the model and records the cost. Ends the search if it is interrupted or if the budget is insufficient.
  Evaluation evaluate(Purpose purpose, const std::vector<double>& parameters, double length,
                      const jacobian::Wanted& wanted = {});
  /// Appends an iteration; returns false if the search ended instead.
  bool add_iteration(const std::vector<double>& parameters, double length, const jacobian::Wanted& wanted = {});
  /// Requests derivatives only if `stands` is true for the statistics: those of a rejected step are not needed.
  jacobian::Wanted wanted_where(std::function<bool(const Evaluation&)> stands) const;
  void move_to_last();
  Base base_at(std::size_t iteration) const;
  /// The length from which on simulation noise is negligible, but at most the length of the problem.
  double sufficient_length() const;
  bool long_enough() const { return base_iteration().length >= sufficient_length(); }
  /// Whether the search is at the minimum, or as close to it as the simulation noise of individual runs permits.
  bool converged_here() const {
    return options_.until_noise &&
           (base_.prospect.at_minimum() || base_.prospect.remaining <= smallest_distance() ||
            (precise_ && insignificant_ >= most_insignificant && base_.prospect.remaining <= Prospect::farthest_end));
  }
  /// The smallest distance from the minimum, in posterior standard errors, that justifies a further run: runs of full
  /// length do not resolve distances below half the simulation noise.
  double smallest_distance() const {
    const bool longest = base_iteration().length >= problem_.length;
    return std::max(Prospect::largest_remaining, longest ? 0.5 * base_.prospect.simulation_share : 0);
  }
  bool below_tolerance() const;
  /// Whether 2Φ itself is so small that no step along any direction can lead closer to the minimum.
  bool fits_exactly() const;
  /// Whether steps are rejected if they do not lower the objective.
  bool can_reject() const { return options_.algorithm == Algorithm::levenberg_marquardt; }
  /// Φ at all accepted iterates.
  std::vector<double> accepted_objectives() const;
  /// Whether the last accepted steps have hardly lowered the objective.
  bool stalled() const;
  /// Whether the last accepted steps have hardly changed the objective.
  bool settled() const;

  void start();
  /// Ends the search if a stopping criterion is met.
  void consider_stop();
  void advance();
  /// Repeats the run at the current parameters, with the length and precision of the next run.
  void repeat_base(const char* reason);
  /// The largest share of a change of η that may be taken in one step, at most 1.
  double largest_share(const Eigen::VectorXd& change) const;
  Step next_step() const;
  Candidate candidate() const;
  void check_stability(Candidate& candidate);
  /// The change of ½ rᵀBr by a step.
  struct Gain {
    double before = 0, after = 0;
    double predicted = 0, deviation = 0;
    double actual() const { return before - after; }
    bool stands() const { return TrustRegion::stands(actual(), predicted, deviation); }
  };
  Gain gain_of(const Candidate& candidate, const Evaluation& there) const;
  void judge(const Candidate& candidate);
  /// Statistics on both sides of the parameters, at a distance of `distance` units along a direction.
  struct Sides {
    double distance = 0;
    Evaluation above, below;
  };
  /// Uses the first of these distances at which the model can be evaluated on both sides.
  std::optional<Sides> sides_of(const Direction& direction, std::span<const double> distances);
  /// The curvature and the gradient of Φ per unit along a direction, and the part of the curvature due to noise.
  struct Probe {
    double curvature = 0, gradient = 0, noise = 0;
  };
  std::optional<Probe> probe(const Direction& direction);
  enum class Resolution {
    at_minimum,  ///< at the minimum along all hidden directions, or they are undetermined
    moved,       ///< a step along them lowered the objective
    hidden,      ///< the runs do not resolve them either
  };
  /// Resolves directions hidden by errors of the Jacobian, by runs on both sides of the parameters.
  Resolution resolve_by_probes();
  /// Tests whether Φ is at a minimum by runs on both sides along all directions, independently of the Jacobian.
  Resolution poll();
  /// Whether noise explains the mismatch at the current parameters.
  bool fits_here() const;
  /// The goodness of fit at a minimum whose mismatch noise does not explain.
  GoodnessOfFit rejected_fit() const;
  void end_unreachable(const char* evidence, GoodnessOfFit fit);
  /// If noise does not explain the mismatch and the Jacobian leads no closer, takes a step found by a poll or ends the
  /// search at the minimum. Returns false if neither is possible.
  bool moves_from_mismatch();
  /// Ends a search that noise prevents from improving: successfully near the minimum, otherwise as failed.
  void finish_stalled();
  /// Takes the last step, evaluates the statistics there, and tests the fit.
  void finish();
  /// Measures the curvature by runs at the ends of the confidence intervals, for few parameters.
  void measure_curvature_at_answer();
  /// Φ of an evaluation with the current weights.
  double objective_at(const std::vector<double>& parameters, const Mismatch& mismatch) const;
  /// Moves to the accepted iterate with the lowest objective among those whose runs are at least as long as the current
  /// one.
  void return_to_best();
  /// Stores the current iterate as the answer.
  void take_answer(Calibration& result) const;
  /// A sentence on the effect of simulation noise on the answer; empty if it is negligible.
  std::string noise_remark() const;
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
  Eigen::VectorXd largest_variance_;  ///< per observable, over the iterates so far
  FittedScores scores_;
  double length_;
  std::array<double, 3> cost_ = {};  ///< simulated time per unit of length in the last run, by purpose
  std::uint64_t other_runs_ = 0;     ///< number of runs with a seed of their own
  int steps_ = 0;
  int rejected_ = 0;       ///< consecutive rejected steps
  int insignificant_ = 0;  ///< consecutive iterates of full length whose step is within simulation noise
  bool precise_ = false;   ///< whether Jacobians are to be as accurate as possible
  int rounds_of_probes_ = 0, rounds_of_polls_ = 0;
  bool done_ = false;

  static constexpr int most_insignificant = 3;
};

}  // namespace gfdt::calibrate
