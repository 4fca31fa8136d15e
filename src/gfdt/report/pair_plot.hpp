#pragma once

#include <string>
#include <vector>

#include "gfdt/report/plot.hpp"
#include "gfdt/report/run_documents.hpp"

namespace gfdt::report {

/// Posterior of a calibration in the first-order approximation, a normal distribution.
struct NormalPosterior {
  std::string label, colour;
  Values mean, lower, upper;  ///< with 95 % intervals
  std::vector<Values> covariance;

  double deviation(std::size_t parameter) const;
  double correlation(std::size_t first, std::size_t second) const;
};

/// The posteriors of all calibrations of a run, and points to compare them with.
struct PosteriorPicture {
  std::vector<std::string> names;
  std::vector<NormalPosterior> posteriors;
  Values guess, truth;  ///< truth is empty if it is not known
};

PosteriorPicture posterior_picture(const RunDocuments& run);

/// Parameters of which all pairs are drawn; of more, only the most strongly correlated pairs are.
inline constexpr std::size_t most_paired = 6;
inline constexpr std::size_t pairs_drawn = 8;

/// A matrix: densities on the diagonal, ellipses below it, correlations above. Without panels if no parameter is
/// determined.
Figure pair_plot(const PosteriorPicture& picture);

/// The most strongly correlated pairs, a panel for each.
Figure strongest_pairs(const PosteriorPicture& picture);

/// Shared by both: ellipses and reference points of two parameters on axes `x…` and `y…`.
Json pair_traces(const PosteriorPicture& picture, std::size_t across, std::size_t up);
/// Ends of the axis of a parameter.
std::pair<double, double> axis_range(const PosteriorPicture& picture, std::size_t parameter);
std::vector<Key> pair_keys(const PosteriorPicture& picture);
DataTable pair_table(const PosteriorPicture& picture);
/// "−0.87"
std::string correlation_text(double correlation);

}  // namespace gfdt::report
