#pragma once

#include <string>
#include <vector>

namespace gfdt::score {

/// What a check of a score came to.
enum class Verdict {
  passed,
  failed,
  unresolved,      ///< the samples are too few to tell
  not_applicable,  ///< the check cannot be made for this model or score
};

const char* name(Verdict verdict);

/// The worst of two verdicts: failed, then unresolved, then passed. One that is not applicable says nothing.
Verdict worst(Verdict a, Verdict b);

/// One named check of a score on held-out states.
struct Check {
  std::string name;
  double value = 0;           ///< how far off the score is, in units in which 1 is a gross error
  double standard_error = 0;  ///< of `value`
  double half_width = 0;      ///< of the interval that holds what `value` estimates, many comparisons allowed for
  double tolerance = 0;
  Verdict verdict = Verdict::not_applicable;
  std::string explanation;
  std::string advice;  ///< empty when passed
};

/// passed where |value| + half_width ≤ tolerance, failed where |value| − half_width > tolerance or where `value` is
/// not finite, else unresolved.
Verdict judge(double value, double half_width, double tolerance);

}  // namespace gfdt::score
