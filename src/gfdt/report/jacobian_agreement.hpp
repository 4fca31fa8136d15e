#pragma once

#include <string>
#include <vector>

#include "gfdt/report/jacobian_view.hpp"

namespace gfdt::report {

/// "∂⟨A⟩/∂θ"
std::string derivative(const std::string& observable, const std::string& parameter);

/// Every entry in standard errors, relative to the known value or to the first method. The views have the same entries.
Figure agreement_figure(const std::vector<JacobianView>& views, const KnownJacobian& known);

}  // namespace gfdt::report
