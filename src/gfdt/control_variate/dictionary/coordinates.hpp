#pragma once

#include <string>
#include <vector>

#include "gfdt/symbolic/derived/perturbation.hpp"

namespace gfdt::control_variate {

using symbolic::Expression;

/// A function y of the state, per site; dictionaries consist of polynomials of such coordinates.
struct Coordinate {
  enum class Shape {
    state,  ///< a state itself
    atom,   ///< a nonlinear function that occurs in the formulas of the model, such as tanh(u1)
    ramp,   ///< max(h, 0) of a comparison h > 0; used only in second and higher powers, to which L can be applied
  };
  Shape shape = Shape::state;
  std::string name;
  Expression gate = 1.0;  ///< 1, or a condition that is 0 where a ramp is flat
  Expression inner;       ///< differentiable part: y = gate·inner

  Expression value() const { return gate * inner; }
};

/// The coordinates of a model: its states (an angle as cosine and sine), its user-defined coordinates, and the atoms of
/// drift, noise and observables. On a ring, only coordinates that depend on a single site are included.
std::vector<Coordinate> coordinates_of(const symbolic::Model& model);

/// Whether dictionaries can be built for the model: its states must be scalars or fields over the same ring, and its
/// formulas must not depend on time.
bool has_dictionary(const symbolic::Model& model);
/// Number of sites of the ring; 1 without a ring.
int sites_of(const symbolic::Model& model);

/// A second-order operator v·∇ + ½ N:∇∇ : the generator (v = F, N = D), or its derivative with respect to a parameter
/// (v = J, N = M).
struct Operator {
  std::vector<Expression> drift;
  std::vector<symbolic::MatrixEntry> diffusion;
};
Operator generator(const symbolic::Model& model);

/// The operator applied to a coordinate.
Expression applied(const symbolic::Model& model, const Operator& op, const Coordinate& y);

/// ∇yᵀ N ∇z, with y at its own site and z displaced by `offset` sites.
Expression coupling(const symbolic::Model& model, const Operator& op, const Coordinate& y, const Coordinate& z,
                    int offset);

}  // namespace gfdt::control_variate
