// Every method from a run to a field. The accuracy of each method is tested in its own file; these tests verify that
// each is reached and that its outcome is reported.
#include "gfdt/score/selection/fit_score.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "../../symbolic/model/paper_models.hpp"
#include "../estimators/field_checks.hpp"
#include "gfdt/score/selection/sample_collector.hpp"

namespace gfdt::score {
namespace {

using score::complaint;
using symbolic::build;
using testing::Contains;
using testing::HasSubstr;

symbolic::Model coupled_oscillators(int sites) {
  symbolic::Description ring;
  ring.index("k", sites).state("X[k]", "-2*X[k] + 0.5*X[k-1] + 0.5*X[k+1]", "1");
  return build(ring);
}

Samples samples_of(const symbolic::Model& model) {
  return draw_samples(model, {.dt = 0.01, .members = 64, .length = 200, .backend = codegen::Backend::interpreter},
                      20'000);
}

/// √(<|a − b|²>/<|b|²>) over samples.
double difference(const Field& a, const Field& b, const Samples& samples) {
  double off = 0, all = 0;
  std::vector<double> x(samples[0], samples[0] + samples.dimension()), one(x.size()), other(x.size());
  for (std::size_t i = 0; i < samples.size(); i += 10) {
    a.evaluate(samples[i], 1, one.data());
    b.evaluate(samples[i], 1, other.data());
    for (std::size_t c = 0; c < one.size(); ++c) off += std::pow(one[c] - other[c], 2), all += other[c] * other[c];
  }
  return std::sqrt(off / all);
}

TEST(FitScore, ApproximatesTheExactScoreOfALinearRingWithEveryMethod) {
  const symbolic::Model model = coupled_oscillators(20);
  const Samples samples = samples_of(model);
  const ScoreFit exact = fit_score(model, samples, {.method = Method::automatic});
  EXPECT_EQ(exact.choice.method, Method::exact);
  const double noise = 0.3;
  const struct {
    Options options;
    double bound;
  } cases[] = {{{.method = Method::gaussian}, 0.05},
               {{.method = Method::dsm, .noise = noise, .hidden = std::vector{32}, .epochs = 60}, 0.2},
               {{.method = Method::patch, .noise = noise, .hidden = std::vector{16}, .radius = 2, .epochs = 40}, 0.1},
               // Group norms remove the amplitude of a sample, on which a linear score depends.
               {{.method = Method::unet, .noise = noise, .width = 8, .epochs = 15}, 0.4}};
  for (const auto& [options, bound] : cases) {
    const ScoreFit fit = fit_score(model, samples, options);
    EXPECT_TRUE(fit.usable()) << fit.problem;
    EXPECT_EQ(fit.choice.method, options.method);
    EXPECT_LT(difference(*fit.field, *exact.field, samples), bound) << name(options.method);
    EXPECT_EQ(fit.training.has_value(), options.method != Method::gaussian);
    if (options.method != Method::unet) {
      EXPECT_EQ(fit.correction > 0, fit.training.has_value()) << name(options.method);
    }
  }
}

TEST(FitScore, StartsFromTheNetworkOfAnEarlierFit) {
  const symbolic::Model model = coupled_oscillators(12);
  const Samples samples = samples_of(model);
  Options options{.method = Method::patch, .noise = 0.3, .hidden = std::vector{16}, .radius = 2, .epochs = 6};
  const ScoreFit first = fit_score(model, samples, options);
  options.epochs = 1;
  options.rate = 1e-5;
  const ScoreFit warm = fit_score(model, samples, options, first.field.get());
  const ScoreFit cold = fit_score(model, samples, options);
  EXPECT_LT(difference(*warm.field, *first.field, samples), 0.05);
  EXPECT_GT(difference(*cold.field, *first.field, samples), 0.2);
}

TEST(FitScore, OmitsTheCorrectionOnRequest) {
  const symbolic::Model model = coupled_oscillators(12);
  const Samples samples = samples_of(model);
  const ScoreFit fit = fit_score(
      model, samples,
      {.method = Method::patch, .noise = 0.3, .hidden = std::vector{8}, .radius = 1, .epochs = 1, .correction = false});
  EXPECT_EQ(fit.correction, 0);
}

TEST(FitScore, RejectsInvalidSamplesAndOptionsWithAdvice) {
  const symbolic::Model model = coupled_oscillators(12);
  Samples samples = samples_of(model);
  const auto fit = [&](const Options& options) { return complaint([&] { fit_score(model, samples, options); }); };
  EXPECT_THAT(fit({.method = Method::patch, .radius = 6}), HasSubstr("radius of at most 5"));
  EXPECT_THAT(fit({.method = Method::unet}), HasSubstr("at least 20"));
  EXPECT_THAT(fit({.method = Method::dsm, .noise = 0.0}), HasSubstr("noise"));
  EXPECT_THAT(fit({.method = Method::dsm, .hidden = std::vector{2000, 2000}}), HasSubstr("too few"));
  const double kept = samples.values[30];
  samples.values[30] = std::nan("");
  EXPECT_THAT(fit({.method = Method::gaussian}), HasSubstr("X["));
  samples.values[30] = kept;
  for (std::size_t i = 0; i < samples.size(); ++i) samples.values[i * 12 + 4] = 3;
  EXPECT_THAT(fit({.method = Method::dsm}), HasSubstr("X[4]"));
}

}  // namespace
}  // namespace gfdt::score
