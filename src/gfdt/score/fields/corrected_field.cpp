#include "gfdt/score/fields/corrected_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/score/estimators/block_product.hpp"
#include "gfdt/score/fields/probes.hpp"

namespace gfdt::score {
namespace {

std::size_t size_of(int count) { return static_cast<std::size_t>(count); }

bool by_column(const JacobianEntry& a, const JacobianEntry& b) {
  return a.column != b.column ? a.column < b.column : a.row < b.row;
}

}  // namespace

CorrectedField::CorrectedField(std::shared_ptr<const Field> base, std::vector<double> matrix)
    : Field(base->dimension()), base_(std::move(base)), matrix_(std::move(matrix)) {
  if (matrix_.size() != size_of(dimension()) * size_of(dimension()))
    throw Error(fmt::format("The correction of a score of {} components needs {} numbers, not {}.", dimension(),
                            dimension() * dimension(), matrix_.size()));
  if (!std::ranges::all_of(matrix_, [](double value) { return std::isfinite(value); }))
    throw Error("The correction of a score holds a number that is not finite.");
}

void CorrectedField::evaluate(const double* x, int lanes, double* s) const {
  std::vector<double> uncorrected(size_of(dimension()) * size_of(lanes));
  base_->evaluate(x, lanes, uncorrected.data());
  block_product(matrix_.data(), dimension(), dimension(), uncorrected.data(), lanes, s);
}

void CorrectedField::differentiate(const double* x, int lanes, int directions, const double* v, double* s,
                                   double* sv) const {
  const std::size_t block = size_of(dimension()) * size_of(lanes);
  std::vector<double> uncorrected(block), slopes(block * size_of(directions));
  base_->differentiate(x, lanes, directions, v, uncorrected.data(), slopes.data());
  block_product(matrix_.data(), dimension(), dimension(), uncorrected.data(), lanes, s);
  for (std::size_t k = 0; k < size_of(directions); ++k)
    block_product(matrix_.data(), dimension(), dimension(), &slopes[k * block], lanes, sv + k * block);
}

/// The entries of the other field's Jacobian on which the requested ones depend, sorted by column.
std::vector<JacobianEntry> CorrectedField::needed(std::span<const JacobianEntry> entries) const {
  std::vector<JacobianEntry> result;
  for (const JacobianEntry& entry : entries)
    for (int i = 0; i < dimension(); ++i)
      if (matrix_[size_of(entry.row) * size_of(dimension()) + size_of(i)] != 0) result.push_back({i, entry.column});
  std::ranges::sort(result, by_column);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void CorrectedField::jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                              double* values) const {
  if (entries.empty()) return evaluate(x, lanes, s);
  // Probe the corrected field itself: sums of estimated entries would accumulate their errors.
  if (probes() > 0) return probed_jacobian(*this, x, lanes, entries, probes(), s, values);
  const std::vector<JacobianEntry> parts = needed(entries);
  const std::size_t width = size_of(lanes), d = size_of(dimension());
  std::vector<double> uncorrected(d * width), part_values(parts.size() * width);
  base_->jacobian(x, lanes, parts, uncorrected.data(), part_values.data());
  block_product(matrix_.data(), dimension(), dimension(), uncorrected.data(), lanes, s);
  std::fill_n(values, entries.size() * width, 0.0);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const double* weights = &matrix_[size_of(entries[e].row) * d];
    const JacobianEntry top{0, entries[e].column};
    for (auto part = std::ranges::lower_bound(parts, top, by_column);
         part != parts.end() && part->column == entries[e].column; ++part) {
      const double* term = &part_values[static_cast<std::size_t>(part - parts.begin()) * width];
      const double weight = weights[size_of(part->row)];
      for (std::size_t lane = 0; lane < width; ++lane) values[e * width + lane] += weight * term[lane];
    }
  }
}

}  // namespace gfdt::score
