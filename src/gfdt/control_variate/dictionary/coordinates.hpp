#pragma once

#include <string>
#include <vector>

#include "gfdt/symbolic/derived/perturbation.hpp"

namespace gfdt::control_variate {

using symbolic::Expression;

/// A function y of the state, per site, whose polynomials a dictionary is made of.
struct Coordinate {
  enum class Shape {
    state,  ///< a state itself
    atom,   ///< a nonlinear function that stands in the model's formulas, such as tanh(u1)
    ramp,   ///< max(h, 0) of a comparison h > 0; enters with its second and higher powers, which L may be applied to
  };
  Shape shape = Shape::state;
  std::string name;
  Expression gate = 1.0;  ///< 1, or 0 where a ramp is flat
  Expression inner;       ///< what is differentiated: y = gate·inner

  Expression value() const { return gate * inner; }
};

/// The states, those that are angles by cosine and sine, then the model's own coordinates, then the atoms of drift,
/// noise and observables. On a ring only those of one site.
std::vector<Coordinate> coordinates_of(const symbolic::Model& model);

/// Whether the states are scalars, or fields over one and the same ring: what dictionaries are built for.
bool has_dictionary(const symbolic::Model& model);
/// Sites of the ring; 1 without.
int sites_of(const symbolic::Model& model);

/// A second-order operator v·∇ + ½ N:∇∇ : the generator (v = F, N = D), or what a parameter adds to it (J and M).
struct Operator {
  std::vector<Expression> drift;
  std::vector<symbolic::MatrixEntry> diffusion;
};
Operator generator(const symbolic::Model& model);

/// The operator applied to a coordinate.
Expression applied(const symbolic::Model& model, const Operator& op, const Coordinate& y);

/// ∇yᵀ N ∇z, of y at its own site and z `offset` sites further.
Expression coupling(const symbolic::Model& model, const Operator& op, const Coordinate& y, const Coordinate& z,
                    int offset);

}  // namespace gfdt::control_variate
