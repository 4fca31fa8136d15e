#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gfdt/simulate/scheme.hpp"

namespace gfdt::simulate {

/// Computes one step of a scheme with the reference evaluator and given random numbers. Also computes the exact
/// expectation of a function after the step, by Gauss–Hermite quadrature over the normals and enumeration of the signs.
class StepExpectation {
 public:
  using State = std::vector<double>;  ///< fields in the order of the model, sites in the order of the indices
  using Function = std::function<double(const State&)>;

  StepExpectation(const Model& model, Scheme scheme, double dt);

  std::size_t normals() const { return rows(plan_.noises); }
  std::size_t signs() const { return rows(plan_.signs); }
  /// Number of signs that represent the double integrals V_ij of distinct noises.
  std::size_t pair_signs() const;

  State step(const State& state, const std::vector<double>& normals, const std::vector<double>& signs) const;

  enum class Pairs { right, left_out };     ///< left_out: V_ij = 0 for distinct noises
  enum class Spread { enumerated, fixed };  ///< fixed: ζ = 1, which is exact if amplitudes are linear in the state
  /// E f(x') after one step from x; exact for polynomials in the normals up to degree 2·nodes − 1.
  double expectation(const State& state, const Function& f, std::size_t nodes = 5, Pairs pairs = Pairs::right,
                     Spread spread = Spread::enumerated) const;

 private:
  static std::size_t rows(const std::vector<Field>& fields);
  using Table = std::map<std::string, std::vector<double>>;
  void run_stage(const std::vector<codegen::Assignment>& stage, Table& table) const;

  Model model_;
  double dt_;
  codegen::StepPlan plan_;
};

}  // namespace gfdt::simulate
