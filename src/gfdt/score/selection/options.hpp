#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gfdt::score {

enum class Method {
  automatic,  ///< see choose()
  exact,      ///< from the formulas of the model: one dimension, or linear drift with additive noise
  gaussian,   ///< the quasi-Gaussian closure
  kgmm,       ///< averages of the noise over the leaves of a tree, for few dimensions
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

/// Options of the score estimation. Unset options are chosen by the method.
struct Options {
  Method method = Method::automatic;
  std::size_t samples = 1'000'000;              ///< approximate number of states drawn from the run
  std::optional<double> noise = {};             ///< noise level, in standard deviations of the data
  std::optional<int> leaves = {};               ///< number of leaves of kgmm's tree
  std::optional<std::vector<int>> hidden = {};  ///< widths of the hidden layers
  std::optional<int> radius = {};               ///< half width of the window of a patch, in sites
  std::optional<int> width = {};                ///< number of channels at the top level of the U-Net
  std::optional<int> epochs = {};
  std::optional<double> warm_epochs = {};  ///< share of the epochs if training starts from an earlier fit
  std::optional<int> batch = {};
  std::optional<double> rate = {};
  std::optional<int> patience = {};
  std::optional<double> validation = {};
  int probes = 10;          ///< for score Jacobians that are not computed exactly
  bool correction = true;   ///< whether to apply the linear correction
  bool whole_model = true;  ///< whether the formulas are the complete dynamics; otherwise no score is exact
  std::uint64_t seed = 1;
  int threads = 0;      ///< 0: all available
  bool device = false;  ///< train and evaluate networks on a GPU

  /// A sentence that describes the first error in these options; empty if there is none.
  std::string problem() const;
};

}  // namespace gfdt::score
