#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/symbolic/expression/expression.hpp"

namespace gfdt::symbolic {

/// A name with a value at every site of its index sets: the field X over k, or a scalar when there are none.
struct Field {
  std::string name;
  std::vector<Index> indices;

  int sites() const;
  /// The formula of the field's own value at its own site: X[k], or the plain symbol of a scalar.
  Expression self() const;
  /// `X[k]`, as a person writes it.
  std::string label() const;
};

/// Σ over all sites of the field of a formula per site.
Expression sum_over_sites(const Field& field, const Expression& formula);

struct Parameter {
  std::string name;
  double value = 0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// One entry of Σ: the state `state` is driven by `noise` (a symbol, or a site relative to the state's) with an
/// amplitude.
struct DiffusionTerm {
  std::size_t state;
  std::size_t noise;
  Expression noise_site;
  Expression amplitude;
};

struct Observable {
  std::string name;
  Expression formula;
};

/// Where members start: independent normals about a mean.
struct InitialLaw {
  double mean = 0;
  double std = 1;
};

/// The time in formulas, where a model declares that it depends on it.
inline constexpr const char* time_name = "t";

/// The weights of likelihood ratios, dz = (Σ⁺J)·dW, that are carried along with the states (likelihood_weights.hpp).
struct LikelihoodWeights {
  /// An entry of Σ⁺: what the noise must do to move the state at its own site by 1.
  struct Inverse {
    std::size_t noise;
    std::size_t state;
    Expression value;
  };
  std::vector<Inverse> inverse;
  std::vector<std::vector<Expression>> directions;  ///< J of each weight, one formula a state
};

/// dx = F(x;θ) dt + Σ(x;θ) dW in Itô's sense, and what is observed of it. Formulas of fields are per site. A model that
/// depends on time has it as its last state, dt = 1·dt, which starts at 0.
struct Model {
  std::vector<Index> indices;
  std::vector<Field> states;
  std::vector<Parameter> parameters;
  std::vector<Expression> drift;         ///< one a state
  std::vector<Field> noises;             ///< independent Wiener processes
  std::vector<DiffusionTerm> diffusion;  ///< the entries of Σ that are not zero
  std::vector<InitialLaw> initial;       ///< one a state
  std::vector<Observable> observables;
  std::vector<Expression> coordinates;    ///< functions of the state, per site, that control variates may be made of
  std::optional<std::size_t> time_state;  ///< which of the states is the time, if any
  std::optional<double> period;           ///< after which the formulas repeat, if they do
  std::vector<bool> angles;               ///< of the first states: whether they are angles (angles.hpp)
  std::shared_ptr<const LikelihoodWeights> weights;  ///< of the last states, where these are weights

  /// Number of state variables over all sites.
  int dimension() const;
  /// How many of the states are the model's own, and their number of state variables: weights come after them.
  std::size_t own_states() const;
  int own_dimension() const;
  std::map<std::string, double> parameter_values() const;     ///< by name
  const Parameter& parameter(const std::string& name) const;  ///< throws Error when unknown
  bool is_angle(std::size_t state) const { return state < angles.size() && angles[state]; }
};

}  // namespace gfdt::symbolic
