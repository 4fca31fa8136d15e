#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// A random state of the model, drawn from where members start, and values of its parameters, at which formulas can be
/// evaluated. The model must outlive it.
class Point {
 public:
  Point(const Model& model, std::uint64_t seed, std::uint32_t number);

  /// Value at a site, one position for each index; the first when left out.
  double operator()(const Expression& formula, std::map<std::string, int> position = {}) const;

  std::size_t flat(const std::string& field, std::span<const int> position) const;

  std::map<std::string, double> parameters;
  std::map<std::string, std::vector<double>> states;

 private:
  const Model& model_;
};

}  // namespace gfdt::symbolic
