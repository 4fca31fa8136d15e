#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfdt/score/certificate/certificate_test.hpp"
#include "gfdt/score/certificate/langevin.hpp"

namespace gfdt::score {

/// The distribution of one coordinate, or of one field over all sites of a ring, in the data and in Langevin chains of
/// the score.
struct Marginal {
  std::string name;
  double distance = 0;  ///< Wasserstein-1, in standard deviations of the data
  double noise = 0;     ///< expected distance of two samples of these sizes from the same distribution
  Verdict verdict = Verdict::not_applicable;
  std::vector<double> edges;           ///< of histogram bins, in units of the data
  std::vector<double> data, langevin;  ///< densities in the bins
};

/// W₁ = ∫|F_a − F_b| dx between two samples in increasing order.
double wasserstein_distance(std::span<const double> a, std::span<const double> b);

/// passed if the distance is within the tolerance; failed if it exceeds the tolerance by three times the noise;
/// otherwise unresolved, also if twice the noise exceeds the tolerance. In simulations the distance of two samples of
/// the same distribution exceeds 2.3 times the noise in one of a hundred cases.
Verdict judge_distance(double distance, double noise, double tolerance);

/// Escaped chains are excluded. The noise is √(2/π) ∫ √(var F_data(x) + var F_chains(x)) dx, with the variances of the
/// two distribution functions estimated from their spread over independent parts of the samples and over chains.
std::vector<Marginal> marginals(const Samples& held_out, const Normalisation& normalisation,
                                const LangevinChains& chains, double tolerance);

}  // namespace gfdt::score
