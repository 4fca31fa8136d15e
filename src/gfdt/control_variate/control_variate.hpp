#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gfdt/base/progress.hpp"
#include "gfdt/control_variate/dictionary/dictionary.hpp"
#include "gfdt/score/estimators/samples.hpp"

namespace gfdt::control_variate {

/// Evaluates quantities at `lanes` states: from [component][lane] to [quantity][lane]. Called from several threads
/// concurrently.
using Quantities = std::function<void(const double* states, double* values)>;

/// The input of the fit of a control variate.
struct Request {
  const symbolic::Model& model;
  std::size_t observables = 0;
  Quantities values;                             ///< values of the observables
  std::vector<bool> varies = {};                 ///< whether each observable varies in the run; empty: all do
  std::vector<std::string> parameters = {};      ///< parameters of the leading terms; may be empty
  Quantities direct = {};                        ///< terms ∂A/∂θ to add to leading terms; may be empty
  std::vector<std::size_t> direct_entries = {};  ///< entries [observable][parameter] of `direct`, in its order
  double memory = 0;                             ///< longest autocorrelation time, in time units of the model
  double shortest_memory = 0;                    ///< shortest autocorrelation time; 0 if unknown
  double time = 0;                               ///< time span of the samples, summed over all groups
  std::size_t most_functions = 400;              ///< maximum size of the dictionary
  double most_work = 4e10;                       ///< of the regression, in multiplications; limits the functions
  double most_work_on_terms = 1e10;              ///< of leading terms, in multiplications; limits the samples
  int threads = 0;
  bool device = false;  ///< whether sums over samples are computed on a GPU if possible
};

/// An average and its uncertainty. An influence is the centred contribution of one group of samples to the average; the
/// sum of the squared influences is the variance.
struct Averaged {
  double value = 0;
  /// From the spread over groups and from the possible contribution of rare states that the run has missed.
  double standard_error = 0;
  double bias = 0;  ///< estimated from the remainder and errors of u; infinite if no u helps, 0 for statistics
  double sampling_error = 0;  ///< from the spread over groups alone
  std::vector<double> influence;
};

/// A control variate. For every observable, u approximately solves L u = <A> − A, and <L u> = 0:
///   <A> = <A + L u>        ∂<A>/∂θ = <P u> + remainder,   P = J·∇ + ½M:∇∇
/// The variance of the averages <P u> is reduced by a second fit of the same kind. Coefficients are fitted on one half
/// of the groups and used on the other.
struct ControlVariate {
  std::vector<Averaged> statistics;
  std::vector<Averaged> plain;    ///< averages of the observables themselves over the same samples and groups
  std::vector<Averaged> leading;  ///< [observable][parameter]; NaN if the derivative of the model has no formula
  /// sd(A + L u)/sd(A) of each observable, on samples not used in the fit, inflated if these lack rare states.
  std::vector<double> share;
  std::vector<double> improvement;     ///< per observable: its share, relative to that of the next smaller set
  std::vector<double> inflation;       ///< per observable: factor of the errors due to missing rare states
  std::vector<std::size_t> functions;  ///< per observable: number of functions in u
  double degrees_of_freedom = 0;
  double wall_seconds = 0;

  std::shared_ptr<const Dictionary> dictionary;
  std::vector<double> coefficients;  ///< of u, [observable][function]: the mean of both fits

  /// Takes the statistics of a fit with fewer functions, except where the present fit halves their errors: the more
  /// functions there are, the larger their common error at rarely visited states can be.
  void keep_statistics_of(const ControlVariate& smaller);
};

/// Decides, from the shares of a fit, whether to compute the leading terms, which take most of the time.
using WantsLeadingTerms = std::function<bool(const ControlVariate& fit)>;

/// `samples` must come from the stationary distribution of the model. Throws Error if there is no dictionary for the
/// model, if there are too few groups or samples, or if a function is not finite at a sample.
ControlVariate fit_control_variate(const Request& request, const score::Samples& samples,
                                   const WantsLeadingTerms& wants_leading_terms = {});

/// Smallest number of groups of samples: two for each part of the cross-fit and of the selection within it.
inline constexpr std::size_t fewest_groups = 8;

}  // namespace gfdt::control_variate
