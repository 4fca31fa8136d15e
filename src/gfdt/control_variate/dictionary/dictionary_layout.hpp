#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gfdt/codegen/program/plan.hpp"
#include "gfdt/control_variate/dictionary/dictionary.hpp"

namespace gfdt::control_variate {

/// Positions of the rows of a product of up to four factors, at the first site of a ring; −1 for rows that vanish.
/// Plain numbers, because device kernels read this structure directly.
struct ProductPlaces {
  int factors = 0;
  int offset[4] = {};    ///< of each factor along the ring
  int profile[4] = {};   ///< of each factor, among the profiles of all sites
  int profiles[4] = {};  ///< number of profiles per site of the factor's coordinate
  int applied[4] = {};   ///< first rows of the operator applied to the factor's coordinate
  int coupling[4][4] = {{-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}};  ///< first rows
};

/// Layout of the intermediate values at a state, from which the functions of a dictionary are computed: rows of
/// formulas, `sites` each, and profiles. With the coordinates y of a product φ = Πb(y), an operator with drift v and
/// diffusion N gives
///   Pφ = Σ_a ∂_aφ (P y_a) + ½ Σ_ab ∂_a∂_bφ ∇y_aᵀN∇y_b
/// so that formulas are needed for the coordinates only.
class DictionaryLayout {
 public:
  /// `changes`: the derivative of the generator with respect to each parameter; nothing if it is not available.
  DictionaryLayout(const symbolic::Model& model, const Dictionary& dictionary,
                   const std::vector<std::optional<Operator>>& changes);

  /// First rows of an operator applied to coordinates, and of the couplings of pairs of coordinates; −1 for zero.
  struct OperatorRows {
    std::vector<int> applied, couplings;
  };

  codegen::EvaluationPlan formulas;  ///< starts with the coordinates
  std::map<std::string, double> symbols;
  OperatorRows generator;                  ///< has a row for every coordinate and coupling
  std::vector<OperatorRows> changes;       ///< per parameter
  std::size_t couplings = 0;               ///< number of pairs of coordinates that an operator couples
  std::vector<std::size_t> profiles_used;  ///< number of profiles in use, per coordinate
  std::vector<std::size_t> first_profile;  ///< per coordinate, among all profiles; the last entry is the total

  /// Index of the coupling of two coordinates; −1 if there is none.
  int coupling_of(int first, int second, int offset) const;

  /// The positions for all functions, for one operator.
  std::vector<ProductPlaces> places(const Dictionary& dictionary, const OperatorRows& rows) const;

 private:
  void find_profiles(const Dictionary& dictionary);

  int coordinates_, sites_;
  std::vector<int> coupling_at_;  ///< [first][second][offset modulo sites]
};

}  // namespace gfdt::control_variate
