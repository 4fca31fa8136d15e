#pragma once

#include <functional>
#include <span>
#include <string>

#include "gfdt/score/fields/field.hpp"

namespace gfdt::score {

/// A score given as functions of one state: s(x), and (∇s)v along a direction v. Both may be called from several
/// threads concurrently. Without the second one, `differentiate` and `jacobian` throw Error, because finite differences
/// of a fitted score are poor estimates of its derivative.
class CallableField : public Field {
 public:
  using Score = std::function<void(std::span<const double> x, std::span<double> s)>;
  using Derivative = std::function<void(std::span<const double> x, std::span<const double> v, std::span<double> sv)>;

  CallableField(int dimension, Score score, Derivative derivative = {},
                std::string description = "score given as a function");

  void evaluate(const double* x, int lanes, double* s) const override;
  void differentiate(const double* x, int lanes, int directions, const double* v, double* s, double* sv) const override;
  std::string description() const override { return description_; }

 private:
  Score score_;
  Derivative derivative_;
  std::string description_;
};

}  // namespace gfdt::score
