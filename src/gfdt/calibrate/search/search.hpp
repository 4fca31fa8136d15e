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
/// All runs of Levenberg–Marquardt have the same seed, so that the search minimises one function of the parameters, the
/// sample average approximation of Φ (Shapiro, Dentcheva and Ruszczyński, "Lectures on Stochastic Programming", 2009):
/// its minimum does not depend on where the search begins, and its noise is that of one run. Gauss–Newton, the paper's
/// algorithm, has new noise in every run.
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
  /// A step that a short run did not reject.
  struct Candidate {
    std::vector<double> parameters;
    Step step;
    int halvings = 0;
    bool holds = true;  ///< false: no step was found at which the dynamics are stable
  };

  bool done() const { return done_; }
  void end(Status status, std::string explanation);

  /// Simulated time, by the last run for this purpose, or that for the cheapest where there was none.
  double expected_cost(Purpose purpose, double length) const;
  /// Keeps account, and ends the search where it is interrupted or the budget does not suffice.
  Evaluation evaluate(Purpose purpose, const std::vector<double>& parameters, double length,
                      const jacobian::Wanted& wanted = {});
  /// False where the search ended instead.
  bool add_iteration(const std::vector<double>& parameters, double length, const jacobian::Wanted& wanted = {});
  /// Derivatives are made where `stands` says so of the statistics: those of a rejected step are of no use.
  jacobian::Wanted wanted_where(std::function<bool(const Evaluation&)> stands) const;
  void move_to_last();
  Base base_at(std::size_t iteration) const;
  /// The length from which on the noise of the simulation does not matter, but at most the length of the problem.
  double sufficient_length() const;
  bool long_enough() const { return base_iteration().length >= sufficient_length(); }
  /// At the minimum, or as close to it as runs tell whose noise changes from one set of parameters to the next.
  bool converged_here() const {
    return options_.until_noise &&
           (base_.prospect.at_minimum() || base_.prospect.remaining <= smallest_distance() ||
            (precise_ && insignificant_ >= most_insignificant && base_.prospect.remaining <= Prospect::farthest_end));
  }
  /// From the minimum, in posterior standard errors, that is worth a further run: runs of full length tell no smaller
  /// ones than half the noise of the simulation.
  double smallest_distance() const {
    const bool longest = base_iteration().length >= problem_.length;
    return std::max(Prospect::largest_remaining, longest ? 0.5 * base_.prospect.simulation_share : 0);
  }
  bool below_tolerance() const;
  /// Whether 2Φ itself is so small that no direction, of whatever sensitivity, leads closer to the minimum.
  bool fits_exactly() const;
  /// Whether steps are judged by what they do to the objective.
  bool can_reject() const { return options_.algorithm == Algorithm::levenberg_marquardt; }
  /// Φ at all accepted iterates.
  std::vector<double> accepted_objectives() const;
  /// Whether the last accepted steps have hardly lowered the objective.
  bool stalled() const;
  /// Whether the last accepted steps have left the objective as it was.
  bool settled() const;

  void start();
  /// Ends the search where it should end here.
  void consider_stop();
  void advance();
  /// Repeats the run at the present parameters, as long or as precise as the next one is to be.
  void repeat_base(const char* reason);
  /// How much of a change of η may be taken at once.
  double largest_share(const Eigen::VectorXd& change) const;
  Step next_step() const;
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
  /// Statistics at both sides of the parameters, `distance` units of a direction away from them.
  struct Sides {
    double distance = 0;
    Evaluation above, below;
  };
  /// At the first of these distances at which the model can be evaluated.
  std::optional<Sides> sides_of(const Direction& direction, std::span<const double> distances);
  /// The curvature and the gradient of Φ per unit along a direction, and the part of the curvature that noise produces.
  struct Probe {
    double curvature = 0, gradient = 0, noise = 0;
  };
  std::optional<Probe> probe(const Direction& direction);
  enum class Resolution {
    at_minimum,  ///< along all directions that the Jacobian hides, or they are undetermined
    moved,       ///< a step along them lowered the objective
    hidden,      ///< runs do not resolve them either
  };
  /// Resolves the directions that the errors of the Jacobian hide by runs at both sides of the parameters.
  Resolution resolve_by_probes();
  /// Tests by runs at both sides along all directions, whatever the Jacobian says, that Φ is at a minimum.
  Resolution poll();
  /// Whether noise explains the mismatch at the present parameters.
  bool fits_here() const;
  /// The fit at a minimum that noise does not explain.
  GoodnessOfFit rejected_fit() const;
  void end_unreachable(const char* evidence, GoodnessOfFit fit);
  /// Where noise does not explain the mismatch and the Jacobian leads no closer: a step by a poll, or the end of the
  /// search at the minimum. False where neither is possible.
  bool moves_from_mismatch();
  /// Where noise keeps a search near the minimum from improving, it ends there; else the search has failed.
  void finish_stalled();
  /// Takes the last step, evaluates the statistics there, and tests the fit.
  void finish();
  /// Runs at the ends of the intervals of an answer within noise, for few parameters.
  void measure_curvature_at_answer();
  /// Φ of an evaluation with the present weights.
  double objective_at(const std::vector<double>& parameters, const Mismatch& mismatch) const;
  /// Moves to the accepted iterate with the lowest objective among those as long as the present one.
  void return_to_best();
  /// Where the search stands, as an answer.
  void take_answer(Calibration& result) const;
  /// What the noise of the simulation does to the answer, a sentence; empty where it does nothing.
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
  Eigen::VectorXd largest_variance_;  ///< of each observable so far
  FittedScores scores_;
  double length_;
  std::array<double, 3> cost_ = {};  ///< simulated time per unit of length, of the last run for each purpose
  std::uint64_t other_runs_ = 0;     ///< those with a seed of their own
  int steps_ = 0;
  int rejected_ = 0;       ///< steps in a row
  int insignificant_ = 0;  ///< iterates in a row, of full length, whose step is within the noise of the simulation
  bool precise_ = false;   ///< whether Jacobians are to be as accurate as they can be
  int rounds_of_probes_ = 0, rounds_of_polls_ = 0;
  bool done_ = false;

  static constexpr int most_insignificant = 3;
};

}  // namespace gfdt::calibrate
