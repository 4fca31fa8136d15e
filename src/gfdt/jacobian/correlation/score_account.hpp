#pragma once

#include <string>
#include <vector>

#include "gfdt/score/certificate/certificate.hpp"

namespace gfdt::jacobian {

struct ScoreFits;

/// Description, details and certificates of a score, kept after the score itself has been released.
struct ScoreAccount {
  struct Fit {
    std::string reason;  ///< reason for the choice of method
    std::vector<std::string> details;
    std::string description;  ///< empty if there is no score
  };
  std::string name;
  double wall_seconds = 0;
  std::vector<Fit> fits;
  std::vector<score::Certificate> certificates;
};

ScoreAccount account_of(const ScoreFits& score);

}  // namespace gfdt::jacobian
