#include "gfdt/calibrate/targets/goodness_of_fit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gfdt/calibrate/search/convergence.hpp"
#include "gfdt/calibrate/search/freedom.hpp"
#include "gfdt/calibrate/targets/weights.hpp"

namespace gfdt::calibrate {
namespace {

std::string counted(int count, const char* what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

}  // namespace

GoodnessOfFit goodness_of_fit(const std::vector<FreeParameter>& parameters, const std::vector<double>& at,
                              const Mismatch& mismatch, int fitted) {
  const auto targets = static_cast<int>(mismatch.residual.size());
  GoodnessOfFit fit{.chi_square = mismatch.chi_square, .targets = targets, .fitted = fitted, .level = rejection_level};
  for (std::size_t j = 0; j < parameters.size(); ++j)
    if (const auto& prior = parameters[j].prior) {
      fit.chi_square += std::pow((at[j] - prior->mean) / prior->std, 2);
      ++fit.targets;
    }
  const double freedom = mismatch.degrees_of_freedom;
  // With few degrees of freedom of the covariance, each component is tested separately.
  const int dimension =
      fit.degrees_of_freedom() > 0 && !correlations_known(targets, freedom) ? targets : fit.degrees_of_freedom();
  fit.p_value = noise_tail(fit.chi_square, dimension, freedom, vector_of(mismatch.deviations));
  return fit;
}

std::string in_words(const GoodnessOfFit& fit) {
  const std::string chi_square =
      fit.chi_square < 100 ? fmt::format("{:.2f}", fit.chi_square) : fmt::format("{:.3g}", fit.chi_square);
  const std::string counts =
      fmt::format("{}, {}", counted(fit.targets, "target"), counted(fit.fitted, "fitted parameter"));
  if (fit.degrees_of_freedom() == 0)
    return fmt::format("χ² = {} with no degree of freedom left ({}): the fit cannot be tested", chi_square, counts);
  return fmt::format("χ² = {} with {} ({}), p {}", chi_square,
                     counted(fit.degrees_of_freedom(), "degree").append(" of freedom"), counts,
                     fit.p_value < 1e-9 ? "< 1e-9" : fmt::format("= {:.2g}", fit.p_value));
}

}  // namespace gfdt::calibrate
