#include "gfdt/results/json/jacobian_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gfdt/data/json.hpp"
#include "gfdt/score/estimators/gaussian.hpp"

namespace gfdt::results {
namespace {

using Json = nlohmann::ordered_json;
using jacobian::Jacobian;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

statistics::Average average(const std::string& name, double mean) {
  statistics::Average result;
  result.name = name;
  result.mean = mean;
  result.standard_error = 0.1;
  result.standard_deviation = 2;
  return result;
}

Jacobian example() {
  Jacobian jacobian;
  jacobian.statistics = {average("z", 1.5), average("a", -2)};
  jacobian.columns = {
      {.parameter = "sigma",
       .method = {jacobian::Method::gfdt, false, score::Origin{score::Method::kgmm}},
       .remark = ""},
      {.parameter = "alpha", .method = {jacobian::Method::finite_difference}, .step = 0.05, .remark = "step halved"},
      {.parameter = "level",
       .method = {jacobian::Method::gfdt, false, score::Origin{score::Method::kgmm}},
       .remark = "jumps"}};
  jacobian.value = {1, 2, 3, 4, 5, missing};
  jacobian.standard_error = {0.1, 0.2, 0.3, 0.4, 0.5, missing};
  jacobian.score_error = {0.01, 0, 0.03, 0.04, 0, 0};
  jacobian.degrees_of_freedom = 63;
  jacobian.window = {2, 5};
  jacobian.simulated_time = 1e4;
  jacobian.wall_seconds = 0.25;
  return jacobian;
}

TEST(JacobianJson, HasOneRowPerObservableAndOneEntryPerParameter) {
  const Json json = to_json(example());
  EXPECT_EQ(json.at("observables"), Json({"z", "a"}));
  EXPECT_EQ(json.at("parameters"), Json({"sigma", "alpha", "level"}));
  EXPECT_EQ(json.at("statistics"), Json({1.5, -2.0}));
  EXPECT_EQ(json.at("statistics_error"), Json({0.1, 0.1}));
  EXPECT_EQ(json.at("jacobian")[0], Json({1.0, 2.0, 3.0}));
  EXPECT_EQ(json.at("jacobian_error")[1][1], 0.5);
  EXPECT_EQ(json.at("score_error")[1][0], 0.04);
  EXPECT_EQ(json.at("method"), Json({"gfdt (kgmm)", "finite-difference", "gfdt (kgmm)"}));
  EXPECT_EQ(json.at("remark"), Json({"", "step halved", "jumps"}));
  EXPECT_EQ(json.at("window"), Json({2.0, 5.0}));
  EXPECT_EQ(json.at("simulated_time"), 1e4);
  EXPECT_EQ(json.at("wall_seconds"), 0.25);
}

TEST(JacobianJson, WritesNullForMissingValues) {
  Jacobian jacobian = example();
  jacobian.window.reset();
  const Json json = to_json(jacobian);
  EXPECT_TRUE(json.at("jacobian")[1][2].is_null());
  EXPECT_TRUE(json.at("jacobian_error")[1][2].is_null());
  EXPECT_TRUE(json.at("step")[0].is_null());
  EXPECT_EQ(json.at("step")[1], 0.05);
  EXPECT_TRUE(json.at("window").is_null());
  EXPECT_EQ(Json::parse(data::json_text(json)), json);
}

TEST(JacobianJson, HasNoRowsWithoutStatistics) {
  Jacobian jacobian = example();
  jacobian.statistics.clear();
  const Json json = to_json(jacobian);
  for (const char* key : {"observables", "statistics", "jacobian", "jacobian_error", "score_error"})
    EXPECT_EQ(json.at(key), Json::array()) << key;
}

TEST(JacobianJson, GivesStepResponsesByObservableAndParameter) {
  jacobian::StepResponses steps{{0, 0.5}, std::vector<std::vector<jacobian::Estimate>>(6)};
  steps.of_entry[1] = {{0, 0}, {-0.25, 0.01}};
  steps.of_entry[3] = {{0, 0}, {0.75, missing}};
  steps.kernel_of_entry = {{}, {{-1, 0.1}, {-0.5, 0.2}}};
  const Json json = to_json(steps, example());
  EXPECT_EQ(json.at("time"), Json({0.0, 0.5}));
  EXPECT_EQ(json.at("response").at("z").at("alpha"), Json({0.0, -0.25}));
  EXPECT_EQ(json.at("response_error").at("z").at("alpha"), Json({0.0, 0.01}));
  EXPECT_EQ(json.at("response").at("a").at("sigma"), Json({0.0, 0.75}));
  EXPECT_TRUE(json.at("response_error").at("a").at("sigma")[1].is_null());
  EXPECT_FALSE(json.at("response").at("z").contains("sigma"));
  EXPECT_EQ(json.at("kernel").at("z").at("alpha"), Json({-1.0, -0.5}));
  EXPECT_EQ(json.at("kernel_error").at("z").at("alpha"), Json({0.1, 0.2}));
  EXPECT_FALSE(json.at("kernel").contains("a"));
}

TEST(JacobianJson, DescribesHowTheScoreWasObtained) {
  jacobian::ScoreFits score;
  score.origin = score::Origin{score::Method::gaussian};
  score.wall_seconds = 1.5;
  score::ScoreFit& fit = score.fits.emplace_back();
  fit.field = std::make_shared<score::GaussianField>(std::vector<double>{0}, std::vector<double>{1}, "a Gaussian");
  fit.choice.reason = "it was asked for";
  score.certificates.emplace_back();
  const Json json = to_json(score);
  EXPECT_EQ(json.at("name"), "gaussian");
  EXPECT_EQ(json.at("fits").size(), 1);
  EXPECT_EQ(json.at("fits")[0].at("reason"), "it was asked for");
  EXPECT_EQ(json.at("fits")[0].at("description"), "a Gaussian");
  EXPECT_EQ(json.at("certificates").size(), 1);
  EXPECT_TRUE(json.at("certificates")[0].contains("verdict"));
}

}  // namespace
}  // namespace gfdt::results
