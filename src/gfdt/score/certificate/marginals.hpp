#pragma once

#include <span>
#include <string>
#include <vector>

#include "gfdt/score/certificate/certificate_test.hpp"
#include "gfdt/score/certificate/langevin.hpp"

namespace gfdt::score {

/// One coordinate, or one field of a ring with all its sites, as the data has it and as Langevin chains of the score
/// do.
struct Marginal {
  std::string name;
  double distance = 0;  ///< Wasserstein-1, in standard deviations of the data
  double noise = 0;     ///< the distance that two samples of one law would show on average, of these sizes
  Verdict verdict = Verdict::not_applicable;
  std::vector<double> edges;           ///< of histogram bins, in units of the data
  std::vector<double> data, langevin;  ///< densities in the bins
};

/// W₁ = ∫|F_a − F_b| dx between two samples in increasing order.
double wasserstein_distance(std::span<const double> a, std::span<const double> b);

/// passed where the distance is within the tolerance, failed where it is beyond it by three times the noise, else
/// unresolved; also where twice the noise exceeds the tolerance. Measured, two samples of one law are 2.3 times the
/// noise apart in one of a hundred cases.
Verdict judge_distance(double distance, double noise, double tolerance);

/// Chains that escaped are left out. The noise is √(2/π) ∫ √(var F_data(x) + var F_chains(x)) dx, the variances of the
/// two distribution functions taken from their spread over independent parts of the samples and over chains.
std::vector<Marginal> marginals(const Samples& held_out, const Normalisation& normalisation,
                                const LangevinChains& chains, double tolerance);

}  // namespace gfdt::score
