#pragma once

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

/// Renumbers the temporaries of a loop so that a row is used again once its value is no longer needed. Afterwards
/// `temporaries` is the number of rows.
void share_temporaries(Loop& loop);

}  // namespace gfdt::codegen
