#include "gfdt/score/fields/mean_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "gfdt/base/error.hpp"

namespace gfdt::score {
namespace {

int common_dimension(const std::vector<std::shared_ptr<const Field>>& fields) {
  if (fields.empty()) throw Error("The mean of no scores is not a score.");
  for (const auto& field : fields)
    if (field->dimension() != fields[0]->dimension()) throw Error("Scores of different dimensions have no mean.");
  return fields[0]->dimension();
}

void add_share(std::span<const double> values, double share, double* sum) {
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += share * values[i];
}

}  // namespace

MeanField::MeanField(std::vector<std::shared_ptr<const Field>> fields)
    : Field(common_dimension(fields)), fields_(std::move(fields)) {}

void MeanField::evaluate(const double* x, int lanes, double* s) const { jacobian(x, lanes, {}, s, nullptr); }

void MeanField::jacobian(const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                         double* values) const {
  const std::size_t width = static_cast<std::size_t>(lanes);
  std::vector<double> score(static_cast<std::size_t>(dimension()) * width), slopes(entries.size() * width);
  std::fill_n(s, score.size(), 0.0);
  if (!entries.empty()) std::fill_n(values, slopes.size(), 0.0);
  const double share = 1 / static_cast<double>(fields_.size());
  for (const auto& field : fields_) {
    if (entries.empty())
      field->evaluate(x, lanes, score.data());
    else
      field->jacobian(x, lanes, entries, score.data(), slopes.data());
    add_share(score, share, s);
    add_share(slopes, share, values);
  }
}

void MeanField::differentiate(const double* x, int lanes, int directions, const double* v, double* s,
                              double* sv) const {
  const std::size_t size = static_cast<std::size_t>(dimension()) * static_cast<std::size_t>(lanes);
  std::vector<double> score(size), slopes(size * static_cast<std::size_t>(directions));
  std::fill_n(s, score.size(), 0.0);
  std::fill_n(sv, slopes.size(), 0.0);
  const double share = 1 / static_cast<double>(fields_.size());
  for (const auto& field : fields_) {
    field->differentiate(x, lanes, directions, v, score.data(), slopes.data());
    add_share(score, share, s);
    add_share(slopes, share, sv);
  }
}

int MeanField::probes() const {
  int most = 0;
  for (const auto& field : fields_) most = std::max(most, field->probes());
  return most;
}

std::string MeanField::description() const {
  return fmt::format("mean of {}: {}", fields_.size(), fields_[0]->description());
}

}  // namespace gfdt::score
