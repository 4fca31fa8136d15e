#pragma once

#include <string>
#include <vector>

#include "gfdt/report/page.hpp"

namespace gfdt::report {

/// The findings of a document.
Checks checks_of(const Json& findings);

/// As blocks of a page: checks that failed or were not resolved first, those that passed folded.
std::vector<Block> check_blocks(const Checks& checks);

/// The findings of a document, counted.
struct FindingCounts {
  std::size_t passed = 0, unresolved = 0;
  std::vector<std::string> failed;  ///< names of checks

  std::size_t all() const { return passed + unresolved + failed.size(); }
};
FindingCounts count_findings(const Json& findings);

/// "all 7 checks passed", "2 of 9 checks failed (tails, decay)", "7 checks passed, 1 could not be resolved".
std::string in_words(const FindingCounts& counts);

}  // namespace gfdt::report
