#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// A random state, drawn from the initial distribution of the model, and the parameter values, for the evaluation of
/// formulas. The model must outlive this object.
class Point {
 public:
  Point(const Model& model, std::uint64_t seed, std::uint32_t number);

  /// Value of a formula at a site, given by one position per index; positions that are left out are 0.
  double operator()(const Expression& formula, std::map<std::string, int> position = {}) const;

  /// Index of a site in the values of a field.
  std::size_t flat(const std::string& field, std::span<const int> position) const;

  std::map<std::string, double> parameters;
  std::map<std::string, std::vector<double>> states;

 private:
  const Model& model_;
};

}  // namespace gfdt::symbolic
