#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::jacobian {

/// Mean and standard deviation of every state over its sites, used to normalise the polynomials.
struct StateScale {
  std::vector<double> mean, std;
};

/// Functions φ of a model's state, the constant first. Their averages with every conjugate g need no score:
///   <g φ> = <J·∇φ> + ½<M:∇∇φ>.
class Basis {
 public:
  virtual ~Basis() = default;

  int degree() const { return degree_; }
  int functions() const { return functions_; }
  /// Number of rows that are needed for <gφ> of all parameters.
  int dynamics_rows() const { return dynamics_rows_; }

  /// Work arrays of one thread.
  struct Memory {
    codegen::AlignedArray<double> normalised, functions, dynamics;
  };
  virtual Memory memory() const = 0;

  /// Evaluates one sample [state row][lane] to [function][lane] and [dynamics row][lane].
  virtual void evaluate(const double* record, double* functions, double* dynamics, Memory& memory) const = 0;

  /// <g φ_k> of a parameter for every function, as a linear function of the means <(dynamics row) φ_l>, [dynamics
  /// row][function].
  virtual std::vector<double> targets(std::size_t parameter, std::span<const double> means) const = 0;

 protected:
  int degree_ = 0, functions_ = 0, dynamics_rows_ = 0;
};

/// Polynomials of the highest degree that the model and the number of effective samples permit: of up to four scalar
/// states, or sums over the sites of a ring of monomials of neighbouring sites. Null if no basis is suitable: other
/// models, short runs, constant states. Parameters with an empty name are skipped.
std::unique_ptr<Basis> make_basis(const symbolic::Model& model, const std::vector<std::string>& parameters,
                                  double effective_samples, const StateScale& scale, codegen::Backend backend,
                                  int lanes);

/// Smallest number of effective samples per function.
inline constexpr double samples_a_function = 50;

}  // namespace gfdt::jacobian
