#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/kernel/kernel.hpp"
#include "gfdt/model/perturbation.hpp"
#include "gfdt/response/monomials.hpp"

namespace gfdt::response {

/// Mean and standard deviation of every state, by which monomials are normalised.
struct StateScale {
  std::vector<double> mean, std;
};

/// Polynomials φ of a model's states, the constant first, and what is known of every conjugate g without a score:
///   <g φ> = <J·∇φ> + ½<M:∇∇φ>.
class PolynomialBasis {
 public:
  /// For models whose states are scalars. `lanes` as for kernel::make_evaluator.
  PolynomialBasis(const model::Model& model, const std::vector<std::string>& parameters, int degree, StateScale scale,
                  kernel::Backend backend, int lanes);

  int degree() const { return monomials_.degree(); }
  int functions() const { return monomials_.count(); }
  /// Rows of J and M, of all parameters.
  int dynamics_rows() const { return static_cast<int>(terms_.size()); }

  /// What one thread needs.
  struct Memory {
    kernel::AlignedArray<double> z, scratch;
  };
  Memory memory() const;

  /// One sample [state][lane] to [function][lane], and to [dynamics row][lane].
  void evaluate(const double* record, double* functions, double* dynamics, Memory& memory) const;

  /// <g φ_k> of a parameter for every function, from the means <(row of J or M) φ_l>, [dynamics row][function]: linear
  /// in them.
  std::vector<double> targets(std::size_t parameter, std::span<const double> means) const;

 private:
  struct Term {
    std::size_t parameter;
    /// ∂φ_k by the state of a row of J, or half the second derivative by the states of an entry of M:
    /// [function][function], the second being those it is made of.
    std::vector<double> derivative;
  };
  Monomials monomials_;
  StateScale scale_;
  std::vector<Term> terms_;
  std::unique_ptr<kernel::Evaluator<double>> dynamics_;
  int lanes_;
};

/// The highest degree whose monomials are at most 40 and at most one in `samples_a_function` effective samples: 6 in
/// one dimension, 4 in three, 3 in four. 0 where there should be none: many dimensions, lattices, short runs.
int basis_degree(const model::Model& model, double effective_samples);
inline constexpr double samples_a_function = 50;

}  // namespace gfdt::response
