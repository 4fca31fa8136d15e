#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gfdt::score {

enum class Method {
  automatic,  ///< see choose()
  exact,      ///< of the model's own formulas: one dimension, or linear drift with additive noise
  gaussian,   ///< the quasi-Gaussian closure
  kgmm,       ///< means of the noise over the leaves of a tree, for few dimensions
  dsm,        ///< denoising score matching by an MLP
  patch,      ///< denoising by one MLP shared by the sites of a ring
  unet,       ///< denoising by convolutions over a ring
};

const std::vector<std::string>& method_names();
const char* name(Method method);
std::optional<Method> method_named(const std::string& name);

/// Where a score comes from.
struct Origin {
  std::optional<Method> method;  ///< empty for a function that the user has given
  std::string name() const;      ///< the name of the method, or "function"
  bool operator==(const Origin&) const = default;
};

/// How a score is estimated. What is left out is chosen by the method.
struct Options {
  Method method = Method::automatic;
  std::size_t samples = 1'000'000;              ///< states drawn from the run, about
  std::optional<double> noise = {};             ///< of the perturbed samples, in standard deviations of the data
  std::optional<int> leaves = {};               ///< of kgmm's tree
  std::optional<std::vector<int>> hidden = {};  ///< widths of the hidden layers
  std::optional<int> radius = {};               ///< of the patch, in sites to each side
  std::optional<int> width = {};                ///< of the U-Net's top level
  std::optional<int> epochs = {};
  std::optional<double> warm_epochs = {};  ///< share of the epochs where training begins from an earlier fit
  std::optional<int> batch = {};
  std::optional<double> rate = {};
  std::optional<int> patience = {};
  std::optional<double> validation = {};
  int probes = 10;          ///< for score Jacobians that are not computed exactly
  bool correction = true;   ///< the linear correction
  bool whole_model = true;  ///< whether the model's formulas are all of the dynamics; else no score of them is exact
  std::uint64_t seed = 1;
  int threads = 0;      ///< 0: all there are
  bool device = false;  ///< train and evaluate networks on a GPU

  /// What is wrong with these options, as a sentence; empty when nothing is.
  std::string problem() const;
};

}  // namespace gfdt::score
