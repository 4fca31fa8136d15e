#include "gfdt/report/marginals_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gfdt::report {
namespace {

using score::Marginal;

constexpr std::size_t columns = 60;
constexpr std::size_t most_shown = 24;
constexpr std::array<const char*, 9> blocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

std::string bar(const std::vector<double>& density, double highest) {
  std::string text;
  const std::size_t width = std::min(columns, density.size());
  for (std::size_t c = 0; c < width; ++c) {
    const std::size_t from = density.size() * c / width, to = density.size() * (c + 1) / width;
    double mean = 0;
    for (std::size_t i = from; i < to; ++i) mean += density[i] / static_cast<double>(to - from);
    // What is there at all shows.
    const double level = highest > 0 ? std::ceil(8 * mean / highest - 0.5) : 0;
    text += blocks[mean > 0 ? static_cast<std::size_t>(std::clamp(level, 1.0, 8.0)) : 0];
  }
  return text;
}

/// In their own order.
std::vector<const Marginal*> shown_marginals(const std::vector<Marginal>& marginals) {
  std::vector<const Marginal*> shown;
  for (const Marginal& marginal : marginals) shown.push_back(&marginal);
  if (shown.size() <= most_shown) return shown;
  std::ranges::stable_sort(shown, std::ranges::greater{}, &Marginal::distance);
  shown.resize(most_shown);
  std::ranges::sort(shown);
  return shown;
}

}  // namespace

std::string marginals_text(const std::vector<score::Marginal>& marginals) {
  std::string text;
  for (const score::Marginal* m : shown_marginals(marginals)) {
    double highest = 0;
    for (const std::vector<double>* density : {&m->data, &m->langevin})
      for (double value : *density) highest = std::max(highest, value);
    text += fmt::format("{} from {:.3g} to {:.3g}: distance {:.3f} (noise {:.3f}), {}\n", m->name, m->edges.front(),
                        m->edges.back(), m->distance, m->noise, name(m->verdict));
    text += fmt::format("  data     {}\n  Langevin {}\n", bar(m->data, highest), bar(m->langevin, highest));
  }
  if (marginals.size() > most_shown)
    text += fmt::format("The {} of {} marginals farthest from the data are shown.\n", most_shown, marginals.size());
  return text;
}

}  // namespace gfdt::report
