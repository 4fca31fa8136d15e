#pragma once

#include "gfdt/io/source_text.hpp"

namespace gfdt::io {

/// Throws InputError for texts that toml++ 3.3 answers with undefined behaviour instead of an error.
void refuse_what_toml_cannot_take(const SourceText& source);

}  // namespace gfdt::io
