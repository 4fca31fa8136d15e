#pragma once

#include <string>
#include <vector>

#include "gfdt/report/page.hpp"

namespace gfdt::report {

/// Rows and columns of a matrix whose numbers are all on the page; of larger ones the entries above are.
inline constexpr std::size_t most_in_matrix = 30, largest_entries = 200;

/// A symmetric matrix between names. A large one becomes a list of its largest entries off the diagonal, relative to
/// the diagonal, and says that the whole is in the document under `key`.
Table matrix_table(const std::string& caption, const std::string& key, const std::vector<std::string>& names,
                   const std::vector<std::vector<double>>& matrix);

}  // namespace gfdt::report
