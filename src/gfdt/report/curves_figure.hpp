#pragma once

#include <string>
#include <vector>

namespace gfdt::report {

/// An estimate beside the exact curve, at the same points.
struct CurvePanel {
  std::string title;
  std::string across;  ///< what x is
  std::vector<double> x;
  std::vector<double> exact;
  std::vector<double> estimate;
  std::vector<double> estimate_error;  ///< one standard error
};

/// One self-contained SVG of panels side by side: the exact curve, the estimate and a band of two standard errors about
/// it. `estimate` is what the legend calls it. Readable on light and dark grounds.
std::string curves_svg(const std::string& title, const std::string& estimate, const std::vector<CurvePanel>& panels);

}  // namespace gfdt::report
