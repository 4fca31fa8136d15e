#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::jacobian {

/// Mean and standard deviation of every state, over its sites, by which polynomials are normalised.
struct StateScale {
  std::vector<double> mean, std;
};

/// Functions φ of a model's state, the constant first, and what every conjugate g does to them, which takes no score:
///   <g φ> = <J·∇φ> + ½<M:∇∇φ>.
class Basis {
 public:
  virtual ~Basis() = default;

  int degree() const { return degree_; }
  int functions() const { return functions_; }
  /// Rows of numbers behind <gφ>, of all parameters.
  int dynamics_rows() const { return dynamics_rows_; }

  /// What one thread needs.
  struct Memory {
    codegen::AlignedArray<double> normalised, functions, dynamics;
  };
  virtual Memory memory() const = 0;

  /// One sample [state row][lane] to [function][lane], and to [dynamics row][lane].
  virtual void evaluate(const double* record, double* functions, double* dynamics, Memory& memory) const = 0;

  /// <g φ_k> of a parameter for every function, from the means <(dynamics row) φ_l>, [dynamics row][function]: linear
  /// in them.
  virtual std::vector<double> targets(std::size_t parameter, std::span<const double> means) const = 0;

 protected:
  int degree_ = 0, functions_ = 0, dynamics_rows_ = 0;
};

/// Polynomials up to as high a degree as the model and the number of effective samples allow: of up to four scalar
/// states, or sums over the sites of a ring of monomials of neighbours. Null where there should be none: other models,
/// short runs, states that do not vary. Parameters with an empty name are passed over.
std::unique_ptr<Basis> make_basis(const symbolic::Model& model, const std::vector<std::string>& parameters,
                                  double effective_samples, const StateScale& scale, codegen::Backend backend,
                                  int lanes);

/// Effective samples that each function takes, at least.
inline constexpr double samples_a_function = 50;

}  // namespace gfdt::jacobian
