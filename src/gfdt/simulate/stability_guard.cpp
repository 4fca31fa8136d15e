#include "gfdt/simulate/stability_guard.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gfdt::simulate {

template <class T>
std::vector<T> guard_scales(const symbolic::Model& model) {
  std::vector<T> result;
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    double scale = std::max(1.0, std::abs(model.initial[i].mean) + model.initial[i].std);
    if (i == model.time_state) scale = std::numeric_limits<double>::infinity();
    result.push_back(i < model.own_states() ? static_cast<T>(scale) : std::numeric_limits<T>::max());
  }
  return result;
}

template <class T>
StabilityGuard<T>::StabilityGuard(const symbolic::Model& model, int lanes)
    : lanes_(static_cast<std::size_t>(lanes)), largest_(lanes_), sound_(lanes_, true) {
  for (const symbolic::Field& state : model.states) sites_.push_back(state.sites());
  for (const T scale : guard_scales<T>(model)) scale_.insert(scale_.end(), lanes_, scale);
}

template <class T>
void StabilityGuard<T>::watch(const codegen::AlignedArray<T>& state, bool burn_in) {
  const T* row = state.data();
  for (std::size_t field = 0; field < sites_.size(); ++field) {
    std::ranges::fill(largest_, T(0));
    for (int site = 0; site < sites_[field]; ++site, row += lanes_)
      for (std::size_t lane = 0; lane < lanes_; ++lane) {
        T size = std::abs(row[lane]);
        largest_[lane] = size > largest_[lane] || std::isnan(size) ? size : largest_[lane];
      }
    T* scale = scale_.data() + field * lanes_;
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      if (!(largest_[lane] / static_cast<T>(absurd) <= scale[lane])) sound_[lane] = false;
      if (burn_in && sound_[lane]) scale[lane] = std::max(scale[lane], largest_[lane]);
    }
  }
}

template <class T>
bool StabilityGuard<T>::all_lost(std::size_t members) const {
  return std::none_of(sound_.begin(), sound_.begin() + static_cast<std::ptrdiff_t>(members),
                      [](bool sound) { return sound; });
}

template std::vector<float> guard_scales<float>(const symbolic::Model&);
template std::vector<double> guard_scales<double>(const symbolic::Model&);
template class StabilityGuard<float>;
template class StabilityGuard<double>;

}  // namespace gfdt::simulate
