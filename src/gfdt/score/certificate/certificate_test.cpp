#include "gfdt/score/certificate/certificate_test.hpp"

#include <cmath>

namespace gfdt::score {

Verdict worst(Verdict a, Verdict b) {
  if (a == Verdict::not_applicable) return b;
  if (b == Verdict::not_applicable) return a;
  for (Verdict verdict : {Verdict::failed, Verdict::unresolved})
    if (a == verdict || b == verdict) return verdict;
  return Verdict::passed;
}

Verdict judge(double value, double half_width, double tolerance) {
  if (!std::isfinite(value)) return Verdict::failed;
  if (std::abs(value) + half_width <= tolerance) return Verdict::passed;
  if (std::abs(value) - half_width > tolerance) return Verdict::failed;
  return Verdict::unresolved;
}

}  // namespace gfdt::score
