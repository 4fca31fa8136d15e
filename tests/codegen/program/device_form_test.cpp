#include <gtest/gtest.h>

#include "gfdt/gpu/codegen/device_form.hpp"
#include "gfdt/gpu/codegen/group_phases.hpp"
#include "gfdt/gpu/codegen/group_step.hpp"
#include "lorenz96.hpp"

namespace gfdt::codegen {
namespace {

constexpr std::size_t group_bytes = 232448;

/// Pieces are identified by their text; '|' separates phases.
std::string phases(const std::vector<Piece>& pieces) {
  std::string text = in_phases(pieces), result;
  for (std::size_t at; (at = text.find("__syncthreads();")) != std::string::npos;) text.replace(at, 16, "|");
  for (const char c : text)
    if (c == '|' || (c >= 'a' && c <= 'z')) result += c;
  return result;
}

RowRange rows(int first, int end) { return {Region::scratch, first, end}; }

TEST(Phases, ReadersWaitForWriters) {
  EXPECT_EQ(phases({{"a", {}, {rows(0, 5)}}, {"b", {rows(4, 6)}, {rows(7, 8)}}}), "a|b");
  EXPECT_EQ(phases({{"a", {}, {rows(0, 5)}}, {"b", {rows(5, 6)}, {rows(7, 8)}}}), "ab");
  EXPECT_EQ(phases({{"a", {}, {rows(0, 5)}}, {"b", {{Region::state, 0, 5}}, {rows(7, 8)}}}), "ab");
}

TEST(Phases, WritersWaitForReadersAndWriters) {
  EXPECT_EQ(phases({{"a", {rows(0, 5)}, {rows(10, 11)}}, {"b", {}, {rows(2, 3)}}}), "a|b");
  EXPECT_EQ(phases({{"a", {}, {rows(2, 5)}}, {"b", {}, {rows(0, 3)}}}), "a|b");
  EXPECT_EQ(phases({{"a", {rows(0, 5)}, {}}, {"b", {rows(0, 5)}, {}}}), "ab");
}

TEST(Phases, NumberEqualsTheLengthOfTheLongestChain) {
  EXPECT_EQ(phases({{"a", {}, {rows(0, 1)}},
                    {"b", {rows(0, 1)}, {rows(1, 2)}},
                    {"c", {}, {rows(2, 3)}},
                    {"d", {rows(1, 3)}, {}}}),
            "ac|b|d");
}

TEST(DeviceForm, OfAStepDependsOnItsSize) {
  EXPECT_EQ(step_form(lower(euler_plan(100)), sizeof(double), group_bytes), DeviceForm::unrolled);
  EXPECT_EQ(step_form(lower(euler_plan(101)), sizeof(double), group_bytes), DeviceForm::loops);
  // Two states of 8 bytes and a normal of 4 bytes per site, plus the rest of a block of four normals.
  EXPECT_EQ(step_form(lower(euler_plan(11620)), sizeof(double), group_bytes), DeviceForm::loops);
  EXPECT_EQ(step_form(lower(euler_plan(11624)), sizeof(double), group_bytes), DeviceForm::none);
  EXPECT_EQ(step_form(lower(euler_plan(11624)), sizeof(float), group_bytes), DeviceForm::loops);
}

TEST(DeviceForm, OfAnEvaluationDependsOnItsUnrolledLength) {
  EXPECT_EQ(evaluation_form(lower(drift_plan(400))), DeviceForm::unrolled);
  EXPECT_EQ(evaluation_form(lower(drift_plan(4000))), DeviceForm::loops);
}

TEST(GroupShape, FitsTheMemoryOfAThreadGroupAndTheLanesOfABlock) {
  for (const int sites : {101, 500, 3000, 11000})
    for (const int members : {1, 50, 1000, 100000}) {
      const Routine routine = lower(euler_plan(sites));
      const GroupShape shape = group_shape(routine, sizeof(double), group_bytes, members, 132);
      EXPECT_LE(static_cast<std::size_t>(shape.members) * member_bytes(routine, sizeof(double)), group_bytes);
      EXPECT_EQ(device_lanes % shape.members, 0);
      EXPECT_EQ(shape.threads % shape.members, 0);
      EXPECT_EQ(shape.threads % 32, 0);
      EXPECT_LE(shape.threads, 256);
    }
  EXPECT_EQ(group_shape(lower(euler_plan(500)), sizeof(float), group_bytes, 100000, 132).members, 8);
  EXPECT_EQ(group_shape(lower(euler_plan(500)), sizeof(float), group_bytes, 500, 132).members, 1);
}

}  // namespace
}  // namespace gfdt::codegen
