#pragma once

#include <string>
#include <vector>

#include "gfdt/score/certificate/certificate.hpp"

namespace gfdt::jacobian {

struct ScoreFits;

/// How a score was come by, in words and checks: what is left of it when the score itself is gone.
struct ScoreAccount {
  struct Fit {
    std::string reason;  ///< why this method
    std::vector<std::string> details;
    std::string description;  ///< empty where there is no score
  };
  std::string name;
  double wall_seconds = 0;
  std::vector<Fit> fits;
  std::vector<score::Certificate> certificates;
};

ScoreAccount account_of(const ScoreFits& score);

}  // namespace gfdt::jacobian
