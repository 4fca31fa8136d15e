#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/kernel/kernel.hpp"
#include "gfdt/poisson/dictionary.hpp"
#include "gfdt/poisson/product_rows.hpp"

namespace gfdt::poisson {

/// The functions of a dictionary at samples of a model, `lanes` at a time. With the coordinates y of a product
/// φ = Πb(y), an operator with drift v and diffusion N gives
///   Pφ = Σ_a ∂_aφ (P y_a) + ½ Σ_ab ∂_a∂_bφ ∇y_aᵀN∇y_b
/// so that formulas are needed of the coordinates only.
class DictionaryValues {
 public:
  /// `changes`: what each parameter adds to the generator; nothing where it cannot be had.
  DictionaryValues(const model::Model& model, const Dictionary& dictionary,
                   std::vector<std::optional<Operator>> changes);
  ~DictionaryValues();

  std::size_t functions() const { return dictionary_.functions.size(); }
  std::size_t parameters() const { return changes_.size(); }

  /// What one thread needs.
  struct Memory;
  std::shared_ptr<Memory> memory() const;

  /// states: [component][lane]. What follows is of these states.
  void load(const double* states, Memory& memory) const;

  /// L φ, [function][lane].
  void generated(double* values, Memory& memory) const;

  /// What the parameters' operators make of u = Σ c φ, for several u: coefficients [u][function], values
  /// [u][parameter][lane].
  void changed(std::span<const double> coefficients, double* values, Memory& memory) const;

 private:
  struct Coupling {
    int first = 0, second = 0, offset = 0;
  };
  /// A formula of a parameter's operator that is not zero: applied to a coordinate, or a coupling under it.
  struct Change {
    std::size_t parameter = 0;
    int coordinate = -1, coupling = -1;
    int first_row = 0;
  };
  int coupling_of(int first, int second, int offset) const;
  ProductRows rows_of(const Function& function, int site, const Memory& memory) const;

  const Dictionary& dictionary_;
  std::vector<std::optional<Operator>> changes_;
  std::vector<Coupling> couplings_;
  std::vector<int> coupling_at_;  ///< [first][second][offset modulo sites]; −1 where there is none
  std::vector<Change> change_rows_;
  std::vector<std::size_t> profiles_used_;
  std::vector<std::size_t> first_profile_;  ///< of each coordinate in the memory of profiles
  std::unique_ptr<kernel::Evaluator<double>> base_, perturbed_;
};

}  // namespace gfdt::poisson
