#include "gfdt/jacobian/remainder/basis.hpp"

#include <algorithm>

#include "gfdt/jacobian/remainder/polynomial_basis.hpp"
#include "gfdt/jacobian/remainder/ring_basis.hpp"

namespace gfdt::jacobian {

std::unique_ptr<Basis> make_basis(const symbolic::Model& model, const std::vector<std::string>& parameters,
                                  double effective_samples, const StateScale& scale, codegen::Backend backend,
                                  int lanes) {
  if (std::ranges::any_of(scale.std, [](double std) { return !(std > 0); })) return nullptr;
  if (const int degree = basis_degree(model, effective_samples); degree > 0)
    return std::make_unique<PolynomialBasis>(model, parameters, degree, scale, backend, lanes);
  if (RingBasis::suits(model) && effective_samples >= samples_a_function * RingBasis::count())
    return std::make_unique<RingBasis>(model, parameters, scale, backend, lanes);
  return nullptr;
}

}  // namespace gfdt::jacobian
