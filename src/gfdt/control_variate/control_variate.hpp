#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gfdt/base/progress.hpp"
#include "gfdt/control_variate/dictionary/dictionary.hpp"
#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::control_variate {

/// Values of quantities at `lanes` states: [component][lane] to [quantity][lane]. Called from several threads at once.
using Quantities = std::function<void(const double* states, double* values)>;

/// What a control variate is fitted for.
struct Question {
  const symbolic::Model& model;
  std::size_t observables = 0;
  Quantities values;                             ///< of the observables
  std::vector<bool> varies = {};                 ///< whether each of them does in the run, at samples or not
  std::vector<std::string> parameters = {};      ///< by which leading terms are wanted; may be empty
  Quantities direct = {};                        ///< <∂A/∂θ>, that are added to leading terms; may be empty
  std::vector<std::size_t> direct_entries = {};  ///< those that `direct` gives, [observable][parameter], in its order
  double memory = 0;                             ///< longest autocorrelation time
  double shortest_memory = 0;                    ///< shortest autocorrelation time; 0 where it is not known
  double time = 0;                               ///< that the samples are spread over, of all groups together
  std::size_t most_functions = 400;              ///< of the dictionary
  double most_work = 4e10;                       ///< multiplications for the regression; fewer functions are used else
  double most_work_on_terms = 1e10;              ///< multiplications for leading terms; they take fewer samples else
  int threads = 0;
  bool device = false;  ///< whether a GPU is to sum over samples, where it can
};

/// An average with what is known of its error. Influences are what groups of samples add to it, centred: their sum of
/// squares is the variance.
struct Averaged {
  double value = 0;
  double standard_error =
      0;            ///< from the spread over groups, and from what rare states may add that the run has missed
  double bias = 0;  ///< of the remainder and errors of u; infinite where no u helps, 0 of statistics
  double sampling_error = 0;  ///< the spread over groups alone
  std::vector<double> influence;
};

/// Nearly solves L u = <A> − A for every observable and uses that <L u> = 0:
///   <A> = <A + L u>        ∂<A>/∂θ = <P u> + remainder,   P = J·∇ + ½M:∇∇
/// where the averages <P u> are made less noisy by a second fit in the same way. Coefficients are fitted on one half of
/// the groups and used on the other.
struct ControlVariate {
  std::vector<Averaged> statistics;
  std::vector<Averaged> plain;    ///< averages of the observables themselves over the same samples and groups
  std::vector<Averaged> leading;  ///< [observable][parameter]; NaN where a change has no formula
  std::vector<double>
      share;  ///< sd(A + L u)/sd(A) of each observable, on samples not fitted, inflated where these lack rare states
  std::vector<double> improvement;     ///< of each observable: its share over that with the next fewer functions
  std::vector<double> inflation;       ///< of errors, of each observable, where samples lack rare states
  std::vector<std::size_t> functions;  ///< that u is made of, of each observable
  double degrees_of_freedom = 0;
  double wall_seconds = 0;

  std::shared_ptr<const Dictionary> dictionary;
  std::vector<double> coefficients;  ///< [observable][function]: of u, the mean of both fits

  /// Takes the statistics of a fit with fewer functions but where this one halves their errors: the more functions
  /// there are, the more they may be wrong together at states that a run has hardly seen.
  void keep_statistics_of(const ControlVariate& smaller);
};

/// Decides from the shares of a fit whether its leading terms, most of the work, are computed.
using WantsLeadingTerms = std::function<bool(const ControlVariate& fit)>;

/// `samples` are of the model's stationary distribution. Throws Error where there is no dictionary for the model, or
/// there are too few groups.
ControlVariate fit_control_variate(const Question& question, const score::Samples& samples,
                                   const WantsLeadingTerms& wants_leading_terms = {});

/// Fewest groups of samples: two for each part of a cross-fit and the choice within.
inline constexpr std::size_t fewest_groups = 8;

}  // namespace gfdt::control_variate
