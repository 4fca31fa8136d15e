#include "gfdt/jacobian/correlation/lane_scores.hpp"

#include <algorithm>

namespace gfdt::jacobian {
namespace {

void evaluate_all(const Field& field, const double* x, int lanes, std::span<const JacobianEntry> entries, double* s,
                  double* values) {
  if (entries.empty())
    field.evaluate(x, lanes, s);
  else
    field.jacobian(x, lanes, entries, s, values);
}

}  // namespace

LaneScores::LaneScores(std::span<const Field* const> field_of_lane) : width_(field_of_lane.size()) {
  for (std::size_t lane = 0; lane < width_; ++lane) {
    auto part = std::ranges::find(parts_, field_of_lane[lane], &Part::field);
    if (part == parts_.end()) part = parts_.insert(part, {field_of_lane[lane], {}, {}, {}, {}});
    part->lanes.push_back(lane);
  }
}

std::size_t LaneScores::best_width() const {
  std::size_t best = width_;
  for (const Part& part : parts_) best = std::max(best, static_cast<std::size_t>(part.field->best_lanes()));
  return best;
}

LaneScores LaneScores::repeated(std::size_t times) const {
  LaneScores result;
  result.width_ = times * width_;
  for (const Part& part : parts_) {
    Part& more = result.parts_.emplace_back(Part{part.field, {}, {}, {}, {}});
    for (std::size_t t = 0; t < times; ++t)
      for (const std::size_t lane : part.lanes) more.lanes.push_back(t * width_ + lane);
  }
  return result;
}

void LaneScores::evaluate(const double* x, std::span<const JacobianEntry> entries, double* s, double* values) {
  if (parts_.size() == 1) return evaluate_all(*parts_[0].field, x, static_cast<int>(width_), entries, s, values);
  for (Part& part : parts_) {
    const std::size_t rows = static_cast<std::size_t>(part.field->dimension()), count = part.lanes.size();
    part.x.resize(rows * count);
    part.s.resize(rows * count);
    part.values.resize(entries.size() * count);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t i = 0; i < count; ++i) part.x[row * count + i] = x[row * width_ + part.lanes[i]];
    evaluate_all(*part.field, part.x.data(), static_cast<int>(count), entries, part.s.data(), part.values.data());
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t i = 0; i < count; ++i) s[row * width_ + part.lanes[i]] = part.s[row * count + i];
    for (std::size_t entry = 0; entry < entries.size(); ++entry)
      for (std::size_t i = 0; i < count; ++i) values[entry * width_ + part.lanes[i]] = part.values[entry * count + i];
  }
}

void ScoresOfSamples::evaluate(const LaneScores& scores, int dimension, std::span<const double* const> x,
                               std::span<const JacobianEntry> entries) {
  const std::size_t rows = static_cast<std::size_t>(dimension);
  lanes_ = scores.width();
  wide_ = x.size() * lanes_;
  x_.resize(rows * wide_);
  s_.resize(rows * wide_);
  entries_.resize(entries.size() * wide_);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < x.size(); ++i)
      std::copy_n(x[i] + row * lanes_, lanes_, x_.data() + row * wide_ + i * lanes_);
  scores.repeated(x.size()).evaluate(x_.data(), entries, s_.data(), entries_.data());
}

void ScoresOfSamples::give(std::size_t sample, double* s, double* entries) const {
  const auto copy = [&](const std::vector<double>& from, double* to) {
    for (std::size_t row = 0; row * wide_ < from.size(); ++row)
      std::copy_n(from.data() + row * wide_ + sample * lanes_, lanes_, to + row * lanes_);
  };
  copy(s_, s);
  copy(entries_, entries);
}

}  // namespace gfdt::jacobian
