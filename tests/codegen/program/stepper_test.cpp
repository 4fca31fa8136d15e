#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "backends.hpp"
#include "formulas.hpp"
#include "gfdt/base/philox.hpp"

namespace gfdt::codegen {
namespace {

constexpr int sites = 5;

/// A scheme with two stages for a scalar and a ring, with normals for both and one sign per site.
struct Scheme {
  Scheme() {
    Formulas f;
    f.index("k", sites).parameter("h", 0.0625).parameter("q", 0.25);
    f.state("x").state("X[k]").state("w").state("v[k]").state("r[k]").state("Y[k]");
    const Index k = f.scope().indices()[0];
    plan = {.index_order = {k},
            .states = {{"x", {}}, {"X", {k}}},
            .noises = {{"w", {}}, {"v", {k}}},
            .signs = {{"r", {k}}},
            .scratch = {{"Y", {k}}},
            .stages = {}};
    plan.stages = {{{{"Y", {k}}, f.parsed("X[k] + h*(X[k+1] - X[k] - X[k]^3)", {k})}},
                   {{{next_name(plan.states[0]), {}}, f.parsed("x - h*x*mean(k, Y[k]^2) + q*w")},
                    {{next_name(plan.states[1]), {k}}, f.parsed("Y[k] + q*v[k] + h*r[k]*x", {k})}}};
    symbols = f.symbols();
  }
  StepPlan plan;
  std::map<std::string, double> symbols;
};

using State = std::array<double, 1 + sites>;

State plain_step(const State& s, std::uint64_t seed, std::uint32_t id, std::uint64_t step) {
  constexpr double h = 0.0625, q = 0.25;
  constexpr std::uint64_t noises = 1 + sites;
  const Stream normals(seed, Purpose::noise, id), signs(seed, Purpose::signs, id);
  std::array<double, sites> y{};
  double mean = 0;
  for (std::size_t k = 0; k < sites; ++k) {
    y[k] = s[1 + k] + h * (s[1 + (k + 1) % sites] - s[1 + k] - s[1 + k] * s[1 + k] * s[1 + k]);
    mean += y[k] * y[k] / sites;
  }
  State next{s[0] - h * s[0] * mean + q * normals.normal(step * noises)};
  for (std::size_t k = 0; k < sites; ++k)
    next[1 + k] = y[k] + q * normals.normal(step * noises + 1 + k) + h * signs.sign(step * sites + k) * s[0];
  return next;
}

State start(std::size_t lane) {
  State s;
  for (std::size_t row = 0; row < s.size(); ++row) s[row] = static_cast<double>((7 * lane + 5 * row) % 16) / 16 - 0.25;
  return s;
}

template <class T>
BlockMemory<T> started(const Stepper<T>& stepper) {
  BlockMemory<T> memory = stepper.memory();
  const auto lanes = static_cast<std::size_t>(stepper.lanes());
  for (std::size_t row = 0; row < static_cast<std::size_t>(stepper.rows()); ++row)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      memory.state[row * lanes + lane] = static_cast<T>(start(lane)[row % (1 + sites)]);
  return memory;
}

std::vector<std::uint32_t> members(int lanes, std::uint32_t first) {
  std::vector<std::uint32_t> ids(static_cast<std::size_t>(lanes));
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

template <class T>
std::vector<T> numbers(const AlignedArray<T>& array) {
  return {array.data(), array.data() + array.size()};
}

template <class S>
using Steps = OnEachBackend<S>;
TYPED_TEST_SUITE(Steps, Settings, SettingName);

/// Vectorized normals have single precision, so that the error in double precision is about 1e-6.
TYPED_TEST(Steps, AgreeWithADirectImplementation) {
  using T = typename TypeParam::Real;
  Scheme scheme;
  auto stepper = make_stepper<T>(scheme.plan, scheme.symbols, TypeParam::backend);
  ASSERT_EQ(stepper->rows(), 1 + sites);
  const auto lanes = static_cast<std::size_t>(stepper->lanes());
  constexpr int steps = 23;
  // Two blocks of members; first steps within a block of random numbers and beyond 32 bits.
  for (std::uint32_t first_member : {0u, 4096u})
    for (std::uint64_t first_step : {std::uint64_t{0}, std::uint64_t{7}, (std::uint64_t{1} << 33) + 1}) {
      const auto ids = members(stepper->lanes(), first_member);
      BlockMemory<T> memory = started(*stepper);
      stepper->advance(memory, {.seed = 0x123456789abcULL, .ids = ids.data(), .step = first_step}, 1, steps, nullptr);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        State expected = start(lane);
        for (std::uint64_t step = 0; step < steps; ++step)
          expected = plain_step(expected, 0x123456789abcULL, ids[lane], first_step + step);
        for (std::size_t row = 0; row < expected.size(); ++row)
          ASSERT_NEAR(memory.state[row * lanes + lane], expected[row], 1e-5) << "row " << row << " lane " << lane;
      }
    }
}

TYPED_TEST(Steps, DoNotDependOnTheDivisionIntoCalls) {
  using T = typename TypeParam::Real;
  Scheme scheme;
  auto stepper = make_stepper<T>(scheme.plan, scheme.symbols, TypeParam::backend);
  const auto ids = members(stepper->lanes(), 3);
  BlockMemory<T> whole = started(*stepper), pieces = started(*stepper);
  stepper->advance(whole, {1, ids.data(), 5}, 1, 64, nullptr);
  std::uint64_t step = 5;
  for (std::uint64_t piece : {1, 2, 7, 13, 3, 17, 20, 1}) {
    stepper->advance(pieces, {1, ids.data(), step}, 1, piece, nullptr);
    step += piece;
  }
  ASSERT_EQ(step, 5u + 64u);
  EXPECT_EQ(numbers(whole.state), numbers(pieces.state));
}

TYPED_TEST(Steps, AreRecordedAtTheCadence) {
  using T = typename TypeParam::Real;
  Scheme scheme;
  auto stepper = make_stepper<T>(scheme.plan, scheme.symbols, TypeParam::backend);
  const auto ids = members(stepper->lanes(), 0);
  constexpr std::size_t samples = 7, cadence = 3;
  BlockMemory<T> memory = started(*stepper), single = started(*stepper);
  const std::size_t size = memory.state.size();
  ASSERT_EQ(size, static_cast<std::size_t>(stepper->rows() * stepper->lanes()));
  AlignedArray<T> record(samples * size + 16);
  stepper->advance(memory, {9, ids.data(), 0}, samples, cadence, record.data());
  for (std::size_t sample = 0; sample < samples; ++sample) {
    stepper->advance(single, {9, ids.data(), sample * cadence}, 1, cadence, nullptr);
    const T* recorded = record.data() + sample * size;
    ASSERT_EQ(std::vector<T>(recorded, recorded + size), numbers(single.state)) << "sample " << sample;
  }
  EXPECT_EQ(numbers(memory.state), numbers(single.state));
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(record[samples * size + i], T{0}) << "written past the end";
}

TYPED_TEST(Steps, ZeroStepsLeaveTheStateUnchanged) {
  using T = typename TypeParam::Real;
  Scheme scheme;
  auto stepper = make_stepper<T>(scheme.plan, scheme.symbols, TypeParam::backend);
  const auto ids = members(stepper->lanes(), 0);
  BlockMemory<T> memory = started(*stepper);
  stepper->advance(memory, {9, ids.data(), 0}, 0, 5, nullptr);
  EXPECT_EQ(numbers(memory.state), numbers(started(*stepper).state));
}

TYPED_TEST(Steps, DependOnSeedAndMemberOnly) {
  using T = typename TypeParam::Real;
  Scheme scheme;
  auto stepper = make_stepper<T>(scheme.plan, scheme.symbols, TypeParam::backend);
  const auto lanes = static_cast<std::size_t>(stepper->lanes());
  auto ids = members(stepper->lanes(), 0);
  BlockMemory<T> memory = started(*stepper), again = started(*stepper), other = started(*stepper);
  stepper->advance(memory, {9, ids.data(), 0}, 1, 10, nullptr);
  stepper->advance(other, {10, ids.data(), 0}, 1, 10, nullptr);
  EXPECT_NE(numbers(memory.state), numbers(other.state));
  // The same member in a different lane, from the same start, follows the same path.
  std::swap(ids[2], ids[lanes - 1]);
  for (std::size_t row = 0; row < 1 + sites; ++row)
    std::swap(again.state[row * lanes + 2], again.state[row * lanes + lanes - 1]);
  stepper->advance(again, {9, ids.data(), 0}, 1, 10, nullptr);
  for (std::size_t row = 0; row < 1 + sites; ++row) {
    EXPECT_EQ(again.state[row * lanes + 2], memory.state[row * lanes + lanes - 1]);
    EXPECT_EQ(again.state[row * lanes + lanes - 1], memory.state[row * lanes + 2]);
    EXPECT_EQ(again.state[row * lanes + 1], memory.state[row * lanes + 1]);
  }
}

TYPED_TEST(Steps, WorkWithoutNoise) {
  using T = typename TypeParam::Real;
  const Field x{"x", {}};
  StepPlan plan{.index_order = {}, .states = {x}, .noises = {}, .signs = {}, .scratch = {}, .stages = {}};
  plan.stages = {{{{next_name(x), {}}, 0.5 * Expression::symbol("x")}}};
  auto stepper = make_stepper<T>(plan, {}, TypeParam::backend);
  BlockMemory<T> memory = stepper->memory();
  std::ranges::fill(memory.state.span(), T{1024});
  stepper->advance(memory, {}, 1, 10, nullptr);
  for (T value : numbers(memory.state)) EXPECT_EQ(value, T{1});
}

/// A ring with more rows than are drawn at once. The scheme x' = v returns the normals themselves.
TYPED_TEST(Steps, UseEachRandomNumberOnceOnALongRing) {
  using T = typename TypeParam::Real;
  const Index k{"k", 61};
  const Field x{"X", {k}}, v{"v", {k}};
  StepPlan plan{.index_order = {k}, .states = {x}, .noises = {v}, .signs = {}, .scratch = {}, .stages = {}};
  plan.stages = {{{{next_name(x), {k}}, v.self()}}};
  auto stepper = make_stepper<T>(plan, {}, TypeParam::backend);
  const auto lanes = static_cast<std::size_t>(stepper->lanes());
  const auto ids = members(stepper->lanes(), 70);
  BlockMemory<T> memory = stepper->memory();
  constexpr std::size_t steps = 6;
  AlignedArray<T> record(steps * 61 * lanes);
  stepper->advance(memory, {3, ids.data(), 10}, steps, 1, record.data());
  for (std::size_t lane : {std::size_t{0}, lanes - 1}) {
    const Stream stream(3, Purpose::noise, ids[lane]);
    for (std::size_t n = 0; n < steps * 61; ++n)
      ASSERT_NEAR(record[n * lanes + lane], stream.normal(10 * 61 + n), 2e-6) << "number " << n;
  }
}

}  // namespace
}  // namespace gfdt::codegen
