#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gfdt/network/training.hpp"
#include "gfdt/score/fields/field.hpp"

namespace gfdt::score {

/// A score estimated from samples, and a record of the fit.
struct Fit {
  std::shared_ptr<const Field> field;
  network::Training training;
  bool warm = false;        ///< whether training started from an earlier network
  std::string method;       ///< "kgmm", "denoising"
  std::string description;  ///< one line, for display
  double wall_seconds = 0;
};

}  // namespace gfdt::score
