#pragma once

#include <vector>

#include "gfdt/jacobian/correlation/response_pass.hpp"
#include "gfdt/jacobian/correlation/score_fits.hpp"
#include "gfdt/statistics/checks/run_checks.hpp"

namespace gfdt::jacobian {

/// Whether the fitted scores can be trusted, for responses to the drift and to the noise.
std::vector<Diagnostic> score_diagnostics(const ScoreFits& score);

/// What to say of a model without noise.
Diagnostic no_noise();

/// Whether correlations decay within the lags, and the window they were integrated over. `length` is that of a member,
/// which `segments` cut;
/// `given`: the window was asked for.
std::vector<Diagnostic> window_diagnostics(const ResponsePass& pass, const Segments& segments, double length,
                                           bool given);

}  // namespace gfdt::jacobian
