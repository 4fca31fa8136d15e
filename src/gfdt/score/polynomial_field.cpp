#include "gfdt/score/polynomial_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gfdt/core/error.hpp"
#include "gfdt/score/block_product.hpp"

namespace gfdt::score {

PolynomialField::PolynomialField(std::shared_ptr<const Field> base, PolynomialPart part)
    : Field(base->dimension()), base_(std::move(base)), part_(std::move(part)), monomials_(dimension(), part_.degree) {
  const std::size_t d = static_cast<std::size_t>(dimension()), count = static_cast<std::size_t>(monomials_.count());
  if (part_.coefficients.size() != d * count || part_.normalisation.std.size() != d ||
      part_.normalisation.mean.size() != d || part_.lowest.size() != d || part_.highest.size() != d)
    throw Error(
        fmt::format("The polynomial part of a score of {} components does not have {} coefficients.", d, d * count));
  if (!std::ranges::all_of(part_.coefficients, [](double value) { return std::isfinite(value); }))
    throw Error("The polynomial part of a score holds a number that is not finite.");
  for (std::size_t i = 0; i < d; ++i) {
    const std::span row(part_.coefficients.data() + i * count, count);
    for (const double value : row) rows_.push_back(value / part_.normalisation.std[i]);
    for (std::size_t j = 0; j < d; ++j)
      for (const double value : monomials_.derivative(row, static_cast<int>(j)))
        slopes_.push_back(value / (part_.normalisation.std[i] * part_.normalisation.std[j]));
  }
}

void PolynomialField::add(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                          double* values) const {
  const std::size_t d = static_cast<std::size_t>(dimension()), width = static_cast<std::size_t>(lanes),
                    count = static_cast<std::size_t>(monomials_.count());
  std::vector<double> z(d * width), powers(count * width), matrix(rows_), sums((d + entries.size()) * width);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t lane = 0; lane < width; ++lane)
      z[i * width + lane] = std::clamp((x[i * width + lane] - part_.normalisation.mean[i]) / part_.normalisation.std[i],
                                       part_.lowest[i], part_.highest[i]);
  monomials_.evaluate(z.data(), lanes, powers.data());
  for (const auto& [row, column] : entries) {
    const std::size_t first = (static_cast<std::size_t>(row) * d + static_cast<std::size_t>(column)) * count;
    matrix.insert(matrix.end(), slopes_.begin() + static_cast<std::ptrdiff_t>(first),
                  slopes_.begin() + static_cast<std::ptrdiff_t>(first + count));
  }
  block_product(matrix.data(), static_cast<int>(d + entries.size()), monomials_.count(), powers.data(), lanes,
                sums.data());
  for (std::size_t i = 0; i < d * width; ++i) s[i] += sums[i];
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const std::size_t column = static_cast<std::size_t>(entries[e].column);
    for (std::size_t lane = 0; lane < width; ++lane) {
      const double place = z[column * width + lane];
      if (place > part_.lowest[column] && place < part_.highest[column])
        values[e * width + lane] += sums[(d + e) * width + lane];
    }
  }
}

void PolynomialField::evaluate(const double* x, int lanes, double* s) const {
  base_->evaluate(x, lanes, s);
  add(x, lanes, {}, s, nullptr);
}

void PolynomialField::jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                               double* values) const {
  if (entries.empty()) return evaluate(x, lanes, s);
  base_->jacobian(x, lanes, entries, s, values);
  add(x, lanes, entries, s, values);
}

void PolynomialField::differentiate(const double* x, int lanes, int directions, const double* v, double* s,
                                    double* sv) const {
  base_->differentiate(x, lanes, directions, v, s, sv);
  const std::size_t d = static_cast<std::size_t>(dimension()), width = static_cast<std::size_t>(lanes);
  std::vector<JacobianEntry> all;
  for (int row = 0; row < dimension(); ++row)
    for (int column = 0; column < dimension(); ++column) all.push_back({row, column});
  std::vector<double> slopes(all.size() * width, 0.0);
  add(x, lanes, all, s, slopes.data());
  for (std::size_t k = 0; k < static_cast<std::size_t>(directions); ++k)
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t lane = 0; lane < width; ++lane)
          sv[(k * d + i) * width + lane] += slopes[(i * d + j) * width + lane] * v[(k * d + j) * width + lane];
}

std::string PolynomialField::description() const {
  return fmt::format("{}, corrected by polynomials of degree {}", base_->description(), part_.degree);
}

}  // namespace gfdt::score
