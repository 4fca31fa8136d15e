#include "gfdt/simulate/stability_guard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gfdt::simulate {

template <class T>
StabilityGuard<T>::StabilityGuard(const model::Model& model, int lanes)
    : lanes_(static_cast<std::size_t>(lanes)),
      largest_(model.states.size() * lanes_, T(0)),
      burn_in_(largest_),
      limit_(model.states.size(), std::numeric_limits<T>::max()),
      sound_(lanes_, true) {
  for (const model::Field& state : model.states) sites_.push_back(state.sites());
}

template <class T>
void StabilityGuard<T>::measure(const kernel::AlignedArray<T>& state) {
  const T* row = state.data();
  for (std::size_t field = 0; field < sites_.size(); ++field) {
    T* largest = largest_.data() + field * lanes_;
    std::fill_n(largest, lanes_, T(0));
    for (int site = 0; site < sites_[field]; ++site, row += lanes_)
      for (std::size_t lane = 0; lane < lanes_; ++lane) {
        T size = std::abs(row[lane]);
        largest[lane] = size > largest[lane] || std::isnan(size) ? size : largest[lane];
      }
  }
}

template <class T>
void StabilityGuard<T>::watch_burn_in(const kernel::AlignedArray<T>& state) {
  measure(state);
  for (std::size_t i = 0; i < largest_.size(); ++i) {
    if (!std::isfinite(largest_[i])) sound_[i % lanes_] = false;
    burn_in_[i] = std::max(burn_in_[i], largest_[i]);
  }
}

template <class T>
void StabilityGuard<T>::end_burn_in(std::size_t members) {
  for (std::size_t field = 0; field < limit_.size(); ++field) {
    const T* seen = burn_in_.data() + field * lanes_;
    std::vector<T> sizes;
    for (std::size_t lane = 0; lane < members; ++lane)
      if (sound_[lane]) sizes.push_back(seen[lane]);
    if (sizes.empty()) continue;
    std::ranges::sort(sizes);
    T usual = sizes[(sizes.size() * 7 + 7) / 8 - 1];
    if (usual > T(0)) limit_[field] = usual * static_cast<T>(absurd);
  }
  compare(burn_in_);
}

template <class T>
void StabilityGuard<T>::watch(const kernel::AlignedArray<T>& state) {
  measure(state);
  compare(largest_);
}

template <class T>
void StabilityGuard<T>::compare(const std::vector<T>& sizes) {
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (!(sizes[i] <= limit_[i / lanes_])) sound_[i % lanes_] = false;
}

template <class T>
bool StabilityGuard<T>::all_lost(std::size_t members) const {
  return std::none_of(sound_.begin(), sound_.begin() + static_cast<std::ptrdiff_t>(members),
                      [](bool sound) { return sound; });
}

template class StabilityGuard<float>;
template class StabilityGuard<double>;

}  // namespace gfdt::simulate
