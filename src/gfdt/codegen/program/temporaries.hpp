#pragma once

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

/// Renumbers the temporaries of a loop so that rows are reused when their values are no longer needed. Sets
/// `temporaries` to the number of rows.
void share_temporaries(Loop& loop);

}  // namespace gfdt::codegen
