#pragma once

#include <vector>

#include "gfdt/jacobian/correlation/response_pass.hpp"
#include "gfdt/jacobian/correlation/score_fits.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"

namespace gfdt::jacobian {

/// Diagnostics of the fitted scores, for responses to changes of the drift and of the noise.
std::vector<Diagnostic> score_diagnostics(const ScoreFits& score);

/// The diagnostic for a model without noise.
Diagnostic no_noise();

/// Diagnostics for the decay of correlations within the lags and for the integration window. `length` is the length of
/// a member, which is divided into `segments`; `given`: the window was set in the options.
std::vector<Diagnostic> window_diagnostics(const ResponsePass& pass, const Segments& segments, double length,
                                           bool given);

}  // namespace gfdt::jacobian
