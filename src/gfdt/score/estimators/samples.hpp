#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gfdt::score {

/// How the components of a state are arranged: `fields` fields over a ring of `sites` sites, component
/// field·sites + site. A model without a lattice, or with one that is no such ring, has sites = 1.
struct Arrangement {
  int fields = 1;
  int sites = 1;

  int dimension() const { return fields * sites; }
  bool lattice() const { return sites > 1; }
};

/// States drawn from the invariant density. Samples of one group (a member of the ensemble, or a segment of one) may
/// depend on each other, those of different groups do not.
struct Samples {
  Arrangement arrangement;
  std::vector<std::string> names;    ///< of the components, for messages: `u1`, `X[3]`
  std::vector<double> values;        ///< [sample][component]
  std::vector<std::uint32_t> group;  ///< of each sample, in increasing order

  int dimension() const { return arrangement.dimension(); }
  std::size_t size() const { return group.size(); }
  const double* operator[](std::size_t sample) const {
    return values.data() + sample * static_cast<std::size_t>(dimension());
  }
};

/// Throws Error with a remedy where no score could be fitted: too few samples, a number that is not finite, a component
/// that never changes or is a copy of another, one sample repeated.
void check(const Samples& samples);

/// The samples of groups from `first` up to but not including `end`.
Samples of_groups(const Samples& samples, std::uint32_t first, std::uint32_t end);

}  // namespace gfdt::score
