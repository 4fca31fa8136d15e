#include "gfdt/report/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gfdt/report/document.hpp"
#include "gfdt/report/prose.hpp"

namespace gfdt::report {

Checks checks_of(const Json& findings) {
  Checks checks;
  if (findings.is_array())
    for (const Json& finding : findings)
      checks.checks.push_back({text_of(finding, "check"),
                               entry(finding, "passed") != true    ? "failed"
                               : entry(finding, "judged") == false ? "unresolved"
                                                                   : "passed",
                               text_of(finding, "verdict"), text_of(finding, "advice")});
  return checks;
}

std::vector<Block> check_blocks(const Checks& checks) {
  Checks open, passed;
  for (const Check& check : checks.checks) (check.verdict == "passed" ? passed : open).checks.push_back(check);
  std::vector<Block> blocks;
  if (!open.checks.empty()) blocks.emplace_back(std::move(open));
  if (const std::size_t count = passed.checks.size(); count > 0)
    blocks.emplace_back(Folded{counted(count, "check") + " passed", {std::move(passed)}});
  return blocks;
}

FindingCounts count_findings(const Json& findings) {
  FindingCounts counts;
  for (const Check& check : checks_of(findings).checks)
    if (check.verdict == "failed")
      counts.failed.push_back(check.name);
    else
      ++(check.verdict == "passed" ? counts.passed : counts.unresolved);
  return counts;
}

std::string in_words(const FindingCounts& counts) {
  const std::size_t all = counts.all();
  if (all == 0) return "no checks were made";
  if (!counts.failed.empty())
    return fmt::format("{} of {} failed ({})", counts.failed.size(), counted(all, "check"),
                       fmt::join(counts.failed, ", "));
  if (counts.unresolved > 0)
    return fmt::format("{} passed, {} could not be resolved", counted(counts.passed, "check"), counts.unresolved);
  return all == 1 ? "the check passed" : fmt::format("all {} checks passed", all);
}

}  // namespace gfdt::report
