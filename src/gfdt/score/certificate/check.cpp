#include "gfdt/score/certificate/check.hpp"

#include <cmath>

namespace gfdt::score {

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::failed:
      return "failed";
    case Verdict::unresolved:
      return "unresolved";
    case Verdict::not_applicable:
      return "not applicable";
  }
  return "";
}

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
