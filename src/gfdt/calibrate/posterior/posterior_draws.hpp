#pragma once

#include <string>
#include <vector>

#include "gfdt/calibrate/free_parameter.hpp"
#include "gfdt/calibrate/posterior/posterior.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::calibrate {

/// The posterior distribution of the parameters: normal around the answer in the unbounded coordinates η, η = η* + L z
/// with independent standard normals z. L is zero along undetermined directions.
struct PosteriorDistribution {
  std::vector<FreeParameter> parameters;
  std::vector<double> answer;             ///< natural scale
  std::vector<double> factor;             ///< L, [parameter][normal]
  std::size_t normals = 0;                ///< columns of L
  std::vector<std::string> undetermined;  ///< parameters that stay at the answer, entirely or along some direction

  std::vector<double> at(const std::vector<double>& z) const;  ///< the parameters, natural scale
};

PosteriorDistribution posterior_distribution(const std::vector<FreeParameter>& parameters,
                                             const std::vector<double>& answer, const Posterior& posterior);

/// The model with parameters drawn from the posterior, once per member of an ensemble: z are states that start as
/// standard normals and remain constant, and formulas contain θ(z) instead of θ.
symbolic::Model with_drawn_parameters(symbolic::Model model, const PosteriorDistribution& law);

}  // namespace gfdt::calibrate
