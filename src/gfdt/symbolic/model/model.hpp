#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// A quantity with one value per site of its index sets, such as X over k; a scalar if it has no index set.
struct Field {
  std::string name;
  std::vector<Index> indices;

  int sites() const;
  /// The field at the formula's own site: X[k], or the symbol of a scalar.
  Expression self() const;
  /// Name with indices, such as `X[k]`.
  std::string label() const;
};

/// Sum of a formula per site over all sites of the field.
Expression sum_over_sites(const Field& field, const Expression& formula);

/// A parameter with its value and bounds, lower ≤ value ≤ upper.
struct Parameter {
  std::string name;
  double value = 0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// An entry of Σ: `state` is driven with an amplitude by `noise`, a symbol or a site relative to that of the state.
struct DiffusionTerm {
  std::size_t state;
  std::size_t noise;
  Expression noise_site;
  Expression amplitude;
};

/// A named scalar formula of the states and parameters.
struct Observable {
  std::string name;
  Expression formula;
};

/// Initial distribution of a state: independent normals with this mean and standard deviation at each site.
struct InitialDistribution {
  double mean = 0;
  double std = 1;
};

/// Name of the time in formulas of models that depend on time.
inline constexpr const char* time_name = "t";

/// Weights of likelihood ratios, dz = (Σ⁺J)·dW, integrated together with the states (see likelihood_weights.hpp).
struct LikelihoodWeights {
  /// An entry of Σ⁺: the noise required to move the state at its own site by 1.
  struct Inverse {
    std::size_t noise;
    std::size_t state;
    Expression value;
  };
  std::vector<Inverse> inverse;
  std::vector<std::vector<Expression>> directions;  ///< J of each weight, one formula per state
};

/// The Itô equation dx = F(x;θ) dt + Σ(x;θ) dW and its observables. Formulas of fields are per site. A model that
/// depends on time has the time as its last own state, with dt = 1·dt, starting at 0.
struct Model {
  std::vector<Index> indices;
  std::vector<Field> states;
  std::vector<Parameter> parameters;
  std::vector<Expression> drift;             ///< one formula per state
  std::vector<Field> noises;                 ///< independent Wiener processes
  std::vector<DiffusionTerm> diffusion;      ///< nonzero entries of Σ
  std::vector<InitialDistribution> initial;  ///< one per state
  std::vector<Observable> observables;
  std::vector<Expression> coordinates;               ///< functions of the state, per site, for control variates
  std::optional<std::size_t> time_state;             ///< index of the state that is the time, if any
  std::optional<double> period;                      ///< period in time of the formulas, if any
  std::vector<bool> angles;                          ///< whether each of the first states is an angle (angles.hpp)
  std::shared_ptr<const LikelihoodWeights> weights;  ///< of the last states, if these are weights

  /// Number of state variables, summed over all sites.
  int dimension() const;
  /// Number of states without the weights, which come last, and the number of their state variables.
  std::size_t own_states() const;
  int own_dimension() const;
  std::map<std::string, double> parameter_values() const;     ///< by name
  const Parameter& parameter(const std::string& name) const;  ///< throws Error if unknown
  bool is_angle(std::size_t state) const { return state < angles.size() && angles[state]; }
};

}  // namespace gfdt::symbolic
