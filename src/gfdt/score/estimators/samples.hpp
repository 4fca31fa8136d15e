#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gfdt::score {

/// The arrangement of the components of a state: `fields` fields over a ring of `sites` sites, component field·sites +
/// site. A model whose states are not all fields over the same ring has sites = 1.
struct Arrangement {
  int fields = 1;
  int sites = 1;

  int dimension() const { return fields * sites; }
  bool lattice() const { return sites > 1; }
};

/// States drawn from the stationary distribution. Samples of the same group (a member of the ensemble, or a segment of
/// one) may be correlated; samples of different groups are independent.
struct Samples {
  Arrangement arrangement;
  std::vector<std::string> names;    ///< of the components, for messages: `u1`, `X[3]`
  std::vector<double> values;        ///< [sample][component]
  std::vector<std::uint32_t> group;  ///< group of each sample, in increasing order

  int dimension() const { return arrangement.dimension(); }
  std::size_t size() const { return group.size(); }
  const double* operator[](std::size_t sample) const {
    return values.data() + sample * static_cast<std::size_t>(dimension());
  }
};

/// Throws Error with a remedy if no score can be fitted: too few samples, a number that is not finite, a component that
/// never changes or is a linear combination of others, or identical samples.
void check(const Samples& samples);

/// The samples of groups from `first` up to but not including `end`.
Samples of_groups(const Samples& samples, std::uint32_t first, std::uint32_t end);

}  // namespace gfdt::score
