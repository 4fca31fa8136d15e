#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/codegen/program/plan.hpp"
#include "gfdt/control_variate/dictionary/dictionary.hpp"

namespace gfdt::control_variate {

/// Where the parts of a product of up to four factors begin, at the first site of a ring; −1 where they vanish. Plain
/// numbers: kernels of a device read them as they are.
struct ProductPlaces {
  int factors = 0;
  int offset[4] = {};    ///< of each factor along the ring
  int profile[4] = {};   ///< among the profiles of all sites
  int profiles[4] = {};  ///< that a site has of this coordinate
  int applied[4] = {};   ///< rows: the operator applied to the factor's coordinate
  int coupling[4][4] = {{-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}};  ///< rows
};

/// What is computed at a state before the functions of a dictionary are: rows of formulas, `sites` each, and profiles.
/// With the coordinates y of a product φ = Πb(y), an operator with drift v and diffusion N gives
///   Pφ = Σ_a ∂_aφ (P y_a) + ½ Σ_ab ∂_a∂_bφ ∇y_aᵀN∇y_b
/// so that formulas are needed of the coordinates only.
class DictionaryLayout {
 public:
  /// `changes`: what each parameter adds to the generator; nothing where it cannot be had.
  DictionaryLayout(const symbolic::Model& model, const Dictionary& dictionary,
                   const std::vector<std::optional<Operator>>& changes);

  /// First rows of what an operator makes of coordinates, and of couplings under it; −1 where it is zero.
  struct OperatorRows {
    std::vector<int> applied, couplings;
  };

  codegen::EvaluationPlan formulas;  ///< the coordinates first
  std::map<std::string, double> symbols;
  OperatorRows generator;                  ///< with a row for all of them
  std::vector<OperatorRows> changes;       ///< of each parameter
  std::size_t couplings = 0;               ///< pairs of coordinates that an operator couples
  std::vector<std::size_t> profiles_used;  ///< of each coordinate
  std::vector<std::size_t> first_profile;  ///< of each coordinate among the profiles of all sites, and the end

  /// −1 where there is none.
  int coupling_of(int first, int second, int offset) const;

  /// Of all functions, for an operator.
  std::vector<ProductPlaces> places(const Dictionary& dictionary, const OperatorRows& rows) const;

 private:
  void find_profiles(const Dictionary& dictionary);

  int coordinates_, sites_;
  std::vector<int> coupling_at_;  ///< [first][second][offset modulo sites]
};

}  // namespace gfdt::control_variate
