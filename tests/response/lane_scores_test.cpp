#include "gfdt/response/lane_scores.hpp"

#include <gtest/gtest.h>

#include "../score/field_checks.hpp"
#include "gfdt/score/gaussian.hpp"

namespace gfdt::response {
namespace {

using score::GaussianField;
using score::normal_block;

constexpr int lanes = 5;
constexpr JacobianEntry entries[] = {{1, 0}, {0, 0}, {1, 1}};

GaussianField gaussian(double mean, double precision) {
  return {{mean, -mean}, {precision, 0.25, 0.25, 2 * precision}, ""};
}

/// A block of each lane's own field, from evaluations of all lanes by all fields.
struct Expected {
  std::vector<double> s, values;
};

Expected expected(const std::vector<const Field*>& fields, const std::vector<double>& x) {
  Expected result{std::vector<double>(2 * lanes), std::vector<double>(std::size(entries) * lanes)};
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::vector<double> s(2 * lanes), values(std::size(entries) * lanes);
    fields[lane]->jacobian(x.data(), lanes, entries, s.data(), values.data());
    for (std::size_t row = 0; row < 2; ++row) result.s[row * lanes + lane] = s[row * lanes + lane];
    for (std::size_t e = 0; e < std::size(entries); ++e) result.values[e * lanes + lane] = values[e * lanes + lane];
  }
  return result;
}

void expect_own_field_in_every_lane(const std::vector<const Field*>& fields) {
  LaneScores scores(fields);
  for (std::uint32_t block = 1; block < 4; ++block) {  // the same memory serves block after block
    const std::vector<double> x = normal_block(2, lanes, block);
    const Expected right = expected(fields, x);
    std::vector<double> s(2 * lanes, 1e9), values(std::size(entries) * lanes, 1e9);
    scores.evaluate(x.data(), entries, s.data(), values.data());
    EXPECT_EQ(s, right.s);
    EXPECT_EQ(values, right.values);
    std::vector<double> alone(2 * lanes, 1e9);
    scores.evaluate(x.data(), {}, alone.data(), nullptr);
    EXPECT_EQ(alone, right.s);
  }
}

TEST(LaneScores, GivesEveryLaneTheScoreOfItsOwnField) {
  const GaussianField a = gaussian(0, 1), b = gaussian(1, 2), c = gaussian(-2, 3);
  expect_own_field_in_every_lane({&a, &b, &a, &a, &b});
  expect_own_field_in_every_lane({&a, &b, &c, &b, &a});
  expect_own_field_in_every_lane({&b, &a, &a, &a, &a});
}

TEST(LaneScores, TakesOneFieldForAllLanesAsItIs) {
  const GaussianField a = gaussian(0.5, 1.5);
  expect_own_field_in_every_lane({&a, &a, &a, &a, &a});
}

}  // namespace
}  // namespace gfdt::response
