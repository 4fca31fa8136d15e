#include "gfdt/jacobian/remainder/monomials.hpp"

#include <algorithm>
#include <map>

namespace gfdt::jacobian {

Monomials::Monomials(int variables, int degree) : variables_(variables), degree_(degree) {
  const std::size_t width = static_cast<std::size_t>(variables);
  std::map<std::vector<int>, int> known;
  parts_.push_back({0, 0, std::vector<int>(width, 0), {}});
  known[parts_[0].exponents] = 0;
  for (std::size_t first = 0, level = 1; level <= static_cast<std::size_t>(degree); ++level) {
    const std::size_t end = parts_.size();
    for (std::size_t parent = first; parent < end; ++parent)
      for (int variable = 0; variable < variables; ++variable) {
        std::vector<int> exponents = parts_[parent].exponents;
        ++exponents[static_cast<std::size_t>(variable)];
        if (!known.emplace(exponents, count()).second) continue;
        parts_.push_back({static_cast<int>(parent), variable, std::move(exponents), {}});
      }
    first = end;
  }
  for (Part& part : parts_)
    for (std::size_t variable = 0; variable < width; ++variable) {
      std::vector<int> exponents = part.exponents;
      part.lowered.push_back(--exponents[variable] < 0 ? -1 : known.at(exponents));
    }
}

std::vector<std::vector<int>> Monomials::exponents() const {
  std::vector<std::vector<int>> result;
  for (const Part& part : parts_) result.push_back(part.exponents);
  return result;
}

void Monomials::evaluate(const double* z, int lanes, double* values) const {
  std::fill_n(values, lanes, 1.0);
  for (std::size_t k = 1; k < parts_.size(); ++k) {
    const double* parent = values + static_cast<std::ptrdiff_t>(parts_[k].parent) * lanes;
    const double* factor = z + static_cast<std::ptrdiff_t>(parts_[k].variable) * lanes;
    double* value = values + static_cast<std::ptrdiff_t>(k) * lanes;
    for (int lane = 0; lane < lanes; ++lane) value[lane] = parent[lane] * factor[lane];
  }
}

std::vector<double> Monomials::derivative(std::span<const double> coefficients, int variable) const {
  const std::size_t j = static_cast<std::size_t>(variable);
  std::vector<double> result(parts_.size(), 0.0);
  for (std::size_t k = 0; k < parts_.size(); ++k)
    if (parts_[k].lowered[j] >= 0)
      result[static_cast<std::size_t>(parts_[k].lowered[j])] += parts_[k].exponents[j] * coefficients[k];
  return result;
}

}  // namespace gfdt::jacobian
