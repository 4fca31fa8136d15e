#include "gfdt/jacobian/correlation/lane_scores.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "../score/estimators/field_checks.hpp"
#include "gfdt/jacobian/correlation/gfdt_jacobian.hpp"
#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::jacobian {
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

TEST(LaneScores, RepeatedGivesTheLanesSideBySide) {
  const GaussianField a = gaussian(0, 1), b = gaussian(1, 2);
  const std::vector<const Field*> fields{&a, &b, &b, &a, &b};
  LaneScores twice = LaneScores(fields).repeated(2);
  ASSERT_EQ(twice.width(), 2u * lanes);
  const std::vector<double> first = normal_block(2, lanes, 1), second = normal_block(2, lanes, 2);
  std::vector<double> x, s(4 * lanes), values(2 * std::size(entries) * lanes);
  for (std::size_t row = 0; row < 2; ++row)
    for (const auto* block : {&first, &second})
      x.insert(x.end(), block->begin() + static_cast<int>(row) * lanes,
               block->begin() + static_cast<int>(row + 1) * lanes);
  twice.evaluate(x.data(), entries, s.data(), values.data());
  for (std::size_t block = 0; block < 2; ++block) {
    const Expected right = expected(fields, block == 0 ? first : second);
    for (std::size_t row = 0; row < 2; ++row)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(s[(2 * row + block) * lanes + lane], right.s[row * lanes + lane]);
    for (std::size_t e = 0; e < std::size(entries); ++e)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        EXPECT_EQ(values[(2 * e + block) * lanes + lane], right.values[e * lanes + lane]);
  }
}

/// A Gaussian score that likes many states at a time, as fields on a device do.
class Wide : public Field {
 public:
  Wide(double precision, int best) : Field(1), inner_({0.0}, {precision}, ""), best_(best) {}
  void evaluate(const double* x, int count, double* s) const override {
    note(count);
    inner_.evaluate(x, count, s);
  }
  void differentiate(const double* x, int count, int directions, const double* v, double* s,
                     double* sv) const override {
    note(count);
    inner_.differentiate(x, count, directions, v, s, sv);
  }
  int best_lanes() const override { return best_; }
  std::string description() const override { return "wide"; }
  int most() const { return most_; }

 private:
  void note(int count) const {
    if (count > most_) most_ = count;
  }
  GaussianField inner_;
  int best_;
  mutable std::atomic<int> most_{0};
};

TEST(Signals, ScoresOfManySamplesAtOnceGiveTheSameBits) {
  const symbolic::Model model = symbolic::build(symbolic::Description()
                                                    .parameter("a", 1.3)
                                                    .parameter("b", 0.9)
                                                    .state("x", "-a*x", "b")
                                                    .observable("second", "x^2"));
  simulate::Options options;
  options.members = 128;
  options.length = 40;
  options.burn_in = 5;
  options.threads = 1;
  options.backend = codegen::Backend::interpreter;
  const simulate::ModelSource source(model, options);
  const auto jacobian = [&](const Wide& first, const Wide& second) {
    const auto no_owner = [](const Field* field) { return std::shared_ptr<const Field>(field, [](const Field*) {}); };
    GfdtProblem problem{model, source, {"a", "b"}};
    problem.response.samples = 20000;
    problem.given = ScoreFits{};
    problem.given->scores.fields = {no_owner(&first), no_owner(&second)};
    return gfdt_jacobian(problem).jacobian;
  };
  const Wide narrow_first(3.1, 64), narrow_second(3.3, 64), wide_first(3.1, 1000), wide_second(3.3, 1000);
  const Jacobian one = jacobian(narrow_first, narrow_second), other = jacobian(wide_first, wide_second);
  EXPECT_EQ(one.value, other.value);
  EXPECT_EQ(one.standard_error, other.standard_error);
  EXPECT_EQ(narrow_first.most(), 64);
  EXPECT_GE(wide_first.most(), 500);
}

}  // namespace
}  // namespace gfdt::jacobian
