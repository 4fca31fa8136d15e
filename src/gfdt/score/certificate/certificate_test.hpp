#pragma once

#include <string>

#include "gfdt/base/diagnostic.hpp"

namespace gfdt::score {

/// The worse of two verdicts, in the order failed, unresolved, passed; `not_applicable` does not count.
Verdict worst(Verdict a, Verdict b);

/// One test of a score on held-out states.
struct CertificateTest {
  std::string name;
  double value = 0;           ///< deviation of the score, scaled so that 1 is a gross error
  double standard_error = 0;  ///< of `value`
  double half_width = 0;      ///< of the confidence interval, corrected for multiple comparisons
  double tolerance = 0;
  Verdict verdict = Verdict::not_applicable;
  std::string explanation;
  std::string remedy;  ///< empty if passed
};

/// passed if |value| + half_width ≤ tolerance, failed if |value| − half_width > tolerance or `value` is not finite,
/// otherwise unresolved.
Verdict judge(double value, double half_width, double tolerance);

}  // namespace gfdt::score
