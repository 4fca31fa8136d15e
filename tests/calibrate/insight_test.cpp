#include "gfdt/calibrate/search/insight.hpp"

#include <gtest/gtest.h>

namespace gfdt::calibrate {
namespace {

jacobian::GfdtJacobian with_times(std::size_t count) {
  jacobian::GfdtJacobian found;
  found.jacobian.statistics.resize(2);
  found.jacobian.statistics[0].name = "mean";
  found.jacobian.statistics[1].name = "square";
  found.jacobian.columns = {
      {.parameter = "a", .method = {jacobian::Method::gfdt, false, score::Origin{score::Method::kgmm}}, .remark = ""}};
  found.jacobian.window = {1, 2};
  found.score.origin = score::Origin{score::Method::kgmm};
  found.steps.of_entry.resize(2);  // the second observable has none
  for (std::size_t i = 0; i < count; ++i) {
    found.steps.time.push_back(0.5 * static_cast<double>(i));
    found.steps.of_entry[0].push_back({static_cast<double>(i * i), 0.1});
  }
  return found;
}

TEST(Insight, StepResponsesAreThinnedFromTheFirstTimeToTheLast) {
  for (const std::size_t count : {0U, 1U, 99U, 100U, 101U, 199U, 200U, 201U, 1000U, 12345U}) {
    const Insight insight = insight_of(with_times(count));
    const std::vector<double>& time = insight.steps.time;
    EXPECT_LE(time.size(), Insight::most_times) << count;
    EXPECT_GE(time.size(), std::min<std::size_t>(count, Insight::most_times / 2)) << count;
    ASSERT_EQ(insight.steps.of_entry[0].size(), time.size());
    EXPECT_TRUE(insight.steps.of_entry[1].empty());
    if (count == 0) continue;
    EXPECT_EQ(time.front(), 0);
    EXPECT_EQ(time.back(), 0.5 * static_cast<double>(count - 1));
    for (std::size_t i = 0; i < time.size(); ++i) EXPECT_EQ(insight.steps.of_entry[0][i].value, 4 * time[i] * time[i]);
  }
  const Insight insight = insight_of(with_times(3));
  EXPECT_EQ(insight.observables, (std::vector<std::string>{"mean", "square"}));
  EXPECT_EQ(insight.parameters, std::vector<std::string>{"a"});
  EXPECT_EQ(insight.window->end, 2);
  EXPECT_EQ(insight.score.name, "kgmm");
}

}  // namespace
}  // namespace gfdt::calibrate
