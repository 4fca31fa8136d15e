#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/report/pair_plot.hpp"

namespace gfdt::report {

Figure strongest_pairs(const PosteriorPicture& picture) {
  struct Pair {
    double correlation;
    std::size_t first, second;
  };
  std::vector<Pair> pairs;
  if (!picture.posteriors.empty())
    for (std::size_t i = 0; i < picture.names.size(); ++i)
      for (std::size_t j = i + 1; j < picture.names.size(); ++j)
        if (const double rho = picture.posteriors[0].correlation(i, j); std::isfinite(rho))
          pairs.push_back({rho, i, j});
  std::ranges::stable_sort(pairs, std::ranges::greater{}, [](const Pair& pair) { return std::abs(pair.correlation); });
  const std::size_t all = pairs.size();
  if (pairs.size() > pairs_drawn) pairs.resize(pairs_drawn);
  Figure figure{.name = "strongest-correlations",
                .title = "Most strongly correlated parameters",
                .caption = fmt::format("{} of {} pairs. Regions contain 68 % and 95 % of the probability (first-order "
                                       "approximation); a triangle points to a guess beyond the axes.",
                                       pairs.size(), all),
                .keys = pair_keys(picture),
                .table = pair_table(picture),
                .width = 262,
                .height = 270};
  for (const Pair& pair : pairs) {
    Panel panel;
    panel.layout = axes(picture.names[pair.first], picture.names[pair.second],
                        fmt::format("ρ = {}", correlation_text(pair.correlation)));
    panel.traces = pair_traces(picture, pair.first, pair.second);
    for (const auto& [axis, parameter] : {std::pair("xaxis", pair.first), {"yaxis", pair.second}}) {
      const auto [low, high] = axis_range(picture, parameter);
      panel.layout[axis].update({{"range", {low, high}}, {"zeroline", false}, {"nticks", 5}});
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace gfdt::report
