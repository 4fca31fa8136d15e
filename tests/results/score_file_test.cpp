#include "gfdt/results/json/score_file.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "../score/estimators/field_checks.hpp"
#include "../symbolic/model/nested_formulas.hpp"
#include "../symbolic/model/paper_models.hpp"
#include "../temporary_folder.hpp"
#include "gfdt/data/sealed_json.hpp"
#include "gfdt/data/write_atomically.hpp"
#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/score/fields/callable_field.hpp"
#include "gfdt/score/fields/corrected_field.hpp"
#include "gfdt/score/fields/mean_field.hpp"
#include "gfdt/score/fields/network_field.hpp"

namespace gfdt::results {
namespace {

using score::complaint;
using score::Method;
using symbolic::build;
using testing::HasSubstr;

symbolic::Model ring() { return build(symbolic::lorenz96(20)); }

std::shared_ptr<score::NetworkField> network_field(const network::Architecture& architecture) {
  network::Network<float> network(architecture);
  network.initialise(4);
  std::vector<double> mean(20, 2.5), std(20, 3.3);
  return std::make_shared<score::NetworkField>(
      score::NetworkScore{"denoising", {1, 20}, {mean, std}, 0.05, 1.7, {}, std::move(network)}, 7);
}

void expect_same_numbers(const score::Field& a, const score::Field& b) {
  const auto size = static_cast<std::size_t>(a.dimension());
  std::vector<double> x(size), one(size), other(size), slope(1), other_slope(1);
  for (std::size_t i = 0; i < size; ++i) x[i] = 0.3 * static_cast<double>(i) - 1;
  const score::JacobianEntry entry{2, 3};
  a.jacobian(x.data(), 1, {&entry, 1}, one.data(), slope.data());
  b.jacobian(x.data(), 1, {&entry, 1}, other.data(), other_slope.data());
  EXPECT_EQ(one, other);
  EXPECT_EQ(slope, other_slope);
}

TEST(ScoreFile, ReadsEveryKindOfFieldBackBitIdentically) {
  const symbolic::Model model = ring();
  std::vector<double> precision(400, 0.0), correction(400, 0.01);
  for (std::size_t i = 0; i < 20; ++i) precision[i * 21] = 0.1 + 1.0 / 3, correction[i * 21] = 1.1;
  const auto patch = network_field(network::patch(20, 1, 3, {9, 7}));
  const std::pair<Method, std::shared_ptr<const score::Field>> fields[] = {
      {Method::gaussian, std::make_shared<score::GaussianField>(std::vector<double>(20, 2.1), precision, "Gaussian")},
      {Method::patch, patch},
      {Method::unet, network_field(network::unet(20, 1, 8))},
      {Method::patch, std::make_shared<score::CorrectedField>(patch, correction)},
      {Method::patch, std::make_shared<score::MeanField>(std::vector<std::shared_ptr<const score::Field>>{
                          patch, std::make_shared<score::CorrectedField>(patch, correction)})}};
  for (const auto& [method, field] : fields) {
    const StoredScore stored = parse_score(score_text(model, method, *field, {}), "file", model);
    EXPECT_EQ(stored.method, method);
    expect_same_numbers(*field, *stored.field);
    EXPECT_EQ(stored.field->probes(), field->probes());
  }
}

TEST(ScoreFile, RecomputesAnExactScore) {
  symbolic::Description linear;
  linear.parameter("a", 2).state("x", "-a*x + y", "1").state("y", "-x - y", "0.5");
  const symbolic::Model model = build(linear);
  const score::GaussianField unused({0, 0}, {1, 0, 0, 1}, "");
  const StoredScore stored = parse_score(score_text(model, Method::exact, unused, {}), "file", model);
  EXPECT_EQ(stored.method, Method::exact);
  EXPECT_EQ(stored.field->dimension(), 2);
}

TEST(ScoreFile, IdentifiesModelsWithVeryLongFormulas) {
  const symbolic::Model model = build(symbolic::nested_formulas(40));
  const score::GaussianField field({0, 0}, {1, 0, 0, 1}, "");
  const std::string text = score_text(model, Method::gaussian, field, {});
  EXPECT_LT(text.size(), 100'000u);
  EXPECT_EQ(parse_score(text, "file", model).method, Method::gaussian);
  for (const symbolic::Model& other :
       {build(symbolic::nested_formulas(41)), build(symbolic::nested_formulas(40, "x - y"))})
    EXPECT_NE(complaint([&] { parse_score(text, "file", other); }), "");
}

TEST(ScoreFile, BelongsToItsModelAndParameters) {
  const symbolic::Model model = ring();
  const auto field = network_field(network::patch(20, 1, 3, {9}));
  const std::string text = score_text(model, Method::patch, *field, {});
  symbolic::Model other = model;
  other.parameters[1].value += 0.01;
  EXPECT_THAT(complaint([&] { parse_score(text, "file", other); }), HasSubstr(other.parameters[1].name + " = "));
  EXPECT_NO_THROW(parse_score(text, "file", other, Belonging::model));
  const symbolic::Model larger = build(symbolic::lorenz96(24));
  EXPECT_THAT(complaint([&] { parse_score(text, "file", larger, Belonging::model); }), HasSubstr("another model"));
}

TEST(ScoreFile, StoresTheCertificate) {
  const symbolic::Model model = ring();
  const auto field = network_field(network::patch(20, 1, 3, {9}));
  const TemporaryFolder folder;
  data::write_file_atomically(folder.path() / "a.json",
                              score_text(model, Method::patch, *field, {{"certificate", {{"verdict", "passed"}}}}));
  EXPECT_EQ(read_score_file(folder.path() / "a.json", model).certificate.at("verdict"), "passed");
}

TEST(ScoreFile, KeepsTheHalvesOfACrossFitInTheirOrder) {
  const symbolic::Model model = ring();
  const auto first = network_field(network::patch(20, 1, 3, {9})),
             second = network_field(network::patch(20, 1, 2, {5}));
  const score::MeanField mean({first, second});
  const StoredScore stored = parse_score(score_text(model, Method::patch, mean, {}), "file", model);
  const auto* halves = dynamic_cast<const score::MeanField*>(stored.field.get());
  ASSERT_NE(halves, nullptr);
  ASSERT_EQ(halves->fields().size(), 2);
  expect_same_numbers(*first, *halves->fields()[0]);
  expect_same_numbers(*second, *halves->fields()[1]);
}

TEST(ScoreFile, StoresTheRunOfTheFit) {
  const symbolic::Model model = ring();
  const auto field = network_field(network::patch(20, 1, 3, {9}));
  simulate::Options options;
  options.length = 30;
  const std::string text = score_text(model, Method::patch, *field, {{"run", run_json(options)}});
  const StoredScore stored = parse_score(text, "file", model);
  EXPECT_EQ(stored.run, run_json(options));
  const auto differs = [&](auto change) {
    simulate::Options other = options;
    change(other);
    return stored.run != run_json(other);
  };
  EXPECT_TRUE(differs([](simulate::Options& other) { other.seed += 1; }));
  EXPECT_TRUE(differs([](simulate::Options& other) { other.dt /= 2; }));
  EXPECT_TRUE(differs([](simulate::Options& other) { other.members += 1; }));
  EXPECT_TRUE(differs([](simulate::Options& other) { other.burn_in = 7; }));
  EXPECT_TRUE(differs([](simulate::Options& other) { other.cadence = 2; }));
  EXPECT_TRUE(differs([](simulate::Options& other) { other.scheme = simulate::Scheme::weak2; }));
  EXPECT_FALSE(differs([](simulate::Options& other) { other.threads += 1; }));
  EXPECT_FALSE(differs([&](simulate::Options& other) { other.burn_in = options.burn_in_time(); }));
  EXPECT_TRUE(parse_score(score_text(model, Method::patch, *field, {}), "file", model).run.is_null());
}

TEST(ScoreFile, RejectsDamagedFilesAndUnsupportedScores) {
  const symbolic::Model model = ring();
  const auto field = network_field(network::patch(20, 1, 3, {9}));
  const std::string text = score_text(model, Method::patch, *field, {});
  const auto read = [&](const std::string& damaged) { return complaint([&] { parse_score(damaged, "file", model); }); };
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string result = text;
    result.replace(result.find(from), from.size(), to);
    return read(data::sealed_line(nlohmann::ordered_json::parse(result)));
  };
  EXPECT_THAT(read("{"), HasSubstr("damaged"));
  EXPECT_THAT(read("[1]"), HasSubstr("not a score file"));
  EXPECT_THAT(read("{}"), HasSubstr("not a score file"));
  EXPECT_THAT(read(text.substr(0, text.size() / 2)), HasSubstr("damaged"));
  EXPECT_THAT(changed("\"version\":1", "\"version\":2"), HasSubstr("version 2"));
  EXPECT_THAT(changed("\"kind\":\"network\"", "\"kind\":\"oracle\""), HasSubstr("oracle"));
  EXPECT_THAT(changed("\"convolution\"", "\"revolution\""), HasSubstr("layer"));
  EXPECT_THAT(changed("\"parameters\":[", "\"parameters\":[0.5,"), HasSubstr("number of parameters"));
  EXPECT_THAT(changed("[1,9,7,1]", "[1,9,7]"), HasSubstr("damaged"));
  EXPECT_THAT(changed("[1,9,7,1]", "[1,2000000000,7,1]"), HasSubstr("too large"));
  const score::CallableField callable(20, [](auto, auto) {});
  EXPECT_THAT(complaint([&] { score_text(model, Method::dsm, callable, {}); }), HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace gfdt::results
