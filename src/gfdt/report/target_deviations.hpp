#pragma once

#include "gfdt/report/plot.hpp"
#include "gfdt/report/run_documents.hpp"

namespace gfdt::report {

/// Differences between statistics and targets in standard deviations, of the guess and of every calibrated model.
/// Without panels if no document has them.
Figure deviations_figure(const RunDocuments& run);

/// Statistics of the first evaluation, in the order of the targets.
Values guess_statistics(const RunDocuments& run);

}  // namespace gfdt::report
