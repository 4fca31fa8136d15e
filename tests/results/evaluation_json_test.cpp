#include "gfdt/results/json/evaluation_json.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <limits>

#include "../temporary_folder.hpp"
#include "evaluations.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/json.hpp"

namespace gfdt::results {
namespace {

using calibrate::Evaluation;
using calibrate::Request;
using testing::HasSubstr;

nlohmann::ordered_json through_text(const nlohmann::ordered_json& value) {
  return nlohmann::ordered_json::parse(data::json_text(value));
}

TEST(EvaluationJson, NumbersKeepTheirBits) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.0, -0.0, 0.1, 1.0 / 3, 1.0, -1e300, Limits::denorm_min(), Limits::min(), Limits::max(),
                             Limits::epsilon(), 123456789012345678.0, Limits::infinity(), -Limits::infinity()}) {
    const double back = exact_number_from(through_text(exact_number(value)));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value)) << value;
  }
  EXPECT_TRUE(std::isnan(exact_number_from(through_text(exact_number(std::nan(""))))));
  EXPECT_THROW(exact_number_from("nought"), Error);
  EXPECT_THROW(exact_number_from(nullptr), Error);
}

TEST(EvaluationJson, EvaluationsAreReadBackUnchanged) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Evaluation evaluation = some_evaluation(seed);
    expect_same(evaluation_from_json(through_text(to_json(evaluation))), evaluation);
  }
  Evaluation failed;
  failed.problem = "Zu spät: \"x\" \n is not finite.";
  failed.cancelled = true;
  expect_same(evaluation_from_json(through_text(to_json(failed))), failed);
  Evaluation declined;
  declined.declined = true;
  EXPECT_TRUE(evaluation_from_json(through_text(to_json(declined))).declined);
  EXPECT_FALSE(evaluation_from_json(through_text(to_json(failed))).declined);
}

TEST(EvaluationJson, DetailsOfAJacobianAreReadBackUnchanged) {
  const Evaluation evaluation = some_evaluation(4);
  ASSERT_TRUE(evaluation.insight);
  const nlohmann::ordered_json written = to_json(evaluation);
  EXPECT_EQ(written.at("insight").at("score").at("certificates")[0].at("verdict"), "failed");
  EXPECT_EQ(written.at("insight").at("step_response").at("response").at("mean").at("a").size(), 3u);
  const Evaluation back = evaluation_from_json(through_text(written));
  ASSERT_TRUE(back.insight);
  EXPECT_EQ(data::json_text(to_json(back)), data::json_text(written));
  EXPECT_EQ(back.insight->steps.of_entry[4].size(), 3u);
  EXPECT_TRUE(back.insight->steps.of_entry[1].empty());
}

TEST(EvaluationJson, StagesWithoutInsightAreRead) {
  nlohmann::ordered_json value = to_json(some_evaluation(4));
  value.erase("insight");
  EXPECT_FALSE(evaluation_from_json(value).insight);
  value = to_json(some_evaluation(4));
  value["insight"]["step_response"]["time"] = {1.0};
  EXPECT_THAT(complaint<Error>([&] { evaluation_from_json(value); }), HasSubstr("not as long as its times"));
}

TEST(EvaluationJson, RequestsAreReadBackUnchanged) {
  for (const auto purpose : {Request::Purpose::jacobian, Request::Purpose::statistics, Request::Purpose::stability}) {
    const Request request{purpose, {0.1, 1.0 / 3, -0.0}, 125.3, 0xfedcba9876543210u};
    EXPECT_TRUE(same_request(request_from_json(through_text(to_json(request))), request));
  }
}

TEST(EvaluationJson, RequestsAreComparedBitByBit) {
  const Request request{Request::Purpose::jacobian, {0.1, 0.0}, 10, 3};
  const auto differs = [&](auto change) {
    Request other = request;
    change(other);
    return !same_request(request, other);
  };
  EXPECT_FALSE(differs([](Request&) {}));
  EXPECT_TRUE(differs([](Request& other) { other.purpose = Request::Purpose::stability; }));
  EXPECT_TRUE(differs([](Request& other) { other.parameters[0] = std::nextafter(0.1, 1); }));
  EXPECT_TRUE(differs([](Request& other) { other.parameters[1] = -0.0; }));
  EXPECT_TRUE(differs([](Request& other) { other.parameters.pop_back(); }));
  EXPECT_TRUE(differs([](Request& other) { other.length += 1; }));
  EXPECT_TRUE(differs([](Request& other) { other.seed += 1; }));
}

TEST(EvaluationJson, MissingOrWrongEntriesAreRejected) {
  nlohmann::ordered_json value = to_json(some_evaluation(1));
  value.erase("jacobian");
  EXPECT_THAT(complaint<Error>([&] { evaluation_from_json(value); }), HasSubstr("missing or of the wrong kind"));
  value = to_json(some_evaluation(1));
  value["mean_covariance"] = 3;
  EXPECT_THAT(complaint<Error>([&] { evaluation_from_json(value); }), HasSubstr("A list of numbers is expected."));
  value = to_json(Request{});
  value["purpose"] = "fun";
  EXPECT_THAT(complaint<Error>([&] { request_from_json(value); }), HasSubstr("'fun'"));
  value["purpose"] = "jacobian";
  value["seed"] = -1;
  EXPECT_THAT(complaint<Error>([&] { request_from_json(value); }), HasSubstr("seed"));
}

}  // namespace
}  // namespace gfdt::results
