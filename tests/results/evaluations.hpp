#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gfdt/base/philox.hpp"
#include "gfdt/calibrate/evaluation/evaluation.hpp"

namespace gfdt::results {

/// An evaluation of two observables and three parameters, with numbers of all magnitudes, infinities and NaN.
inline calibrate::Evaluation some_evaluation(std::uint64_t seed) {
  const codegen::Stream stream(seed, codegen::Purpose::test, 0);
  std::uint64_t used = 0;
  const auto number = [&] {
    used += 2;
    return stream.normal(used) * std::exp(30 * stream.normal(used + 1));
  };
  const auto numbers = [&](std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = number();
    return values;
  };
  calibrate::Evaluation result;
  for (const char* name : {"mean", "größe"})
    result.statistics.push_back({.name = name,
                                 .mean = number(),
                                 .standard_error = number(),
                                 .degrees_of_freedom = INFINITY,
                                 .standard_deviation = number(),
                                 .autocorrelation_time = number(),
                                 .autocorrelation_resolved = seed % 2 == 0,
                                 .effective_samples = std::nan("")});
  result.mean_covariance = numbers(4);
  result.observable_covariance = numbers(4);
  result.jacobian = numbers(6);
  result.jacobian_error = numbers(6);
  result.jacobian_error[4] = seed % 3 == 0 ? -INFINITY : std::nan("");
  result.jacobian_degrees_of_freedom = INFINITY;
  result.methods = {"gfdt (kgmm)", "gfdt (kgmm)", "finite-difference"};
  result.warnings = {"A sentence of '\"quotes\"'."};
  if (seed % 2 == 0) {
    calibrate::Insight insight;
    insight.observables = {"mean", "größe"};
    insight.parameters = {"a", "b", "c"};
    if (seed % 4 == 0) insight.window = {number(), number()};
    insight.steps.time = numbers(3);
    insight.steps.of_entry.resize(6);
    for (const std::size_t entry : {std::size_t{0}, std::size_t{4}})
      for (std::size_t i = 0; i < 3; ++i)
        insight.steps.of_entry[entry].push_back({number(), i == 1 ? std::nan("") : number()});
    insight.steps.kernel_of_entry.resize(6);
    for (std::size_t i = 0; i < 3; ++i) insight.steps.kernel_of_entry[4].push_back({number(), number()});
    insight.score.name = "kgmm";
    insight.score.fits = {{"three states", {"100 leaves", "9 epochs"}, "a network"}, {"the same", {}, ""}};
    score::Certificate& certificate = insight.score.certificates.emplace_back();
    certificate.checks = {{"Stein", number(), number(), number(), 0.1, Verdict::failed, "Off.", "More."}};
    certificate.marginals = {{"x", number(), std::nan(""), Verdict::unresolved, numbers(3), numbers(2), numbers(2)}};
    certificate.overall = Verdict::failed;
    certificate.divergence = {number(), INFINITY, 0, 3};
    certificate.samples = 123;
    result.insight = std::make_shared<const calibrate::Insight>(std::move(insight));
  }
  result.simulated_time = number();
  result.wall_seconds = number();
  return result;
}

inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

inline void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same_bits(a[i], b[i])) << i << ": " << a[i] << ", " << b[i];
}

/// Compares all members except the scores.
inline void expect_same(const calibrate::Evaluation& a, const calibrate::Evaluation& b) {
  const auto listed = [](const calibrate::Evaluation& evaluation) {
    std::vector<double> values{evaluation.jacobian_degrees_of_freedom, evaluation.simulated_time,
                               evaluation.wall_seconds};
    for (const statistics::Average& average : evaluation.statistics)
      values.insert(values.end(), {average.mean, average.standard_error, average.degrees_of_freedom,
                                   average.standard_deviation, average.autocorrelation_time,
                                   average.autocorrelation_resolved ? 1.0 : 0.0, average.effective_samples});
    return values;
  };
  expect_same(listed(a), listed(b));
  for (std::size_t i = 0; i < std::min(a.statistics.size(), b.statistics.size()); ++i)
    EXPECT_EQ(a.statistics[i].name, b.statistics[i].name);
  expect_same(a.mean_covariance, b.mean_covariance);
  expect_same(a.observable_covariance, b.observable_covariance);
  expect_same(a.jacobian, b.jacobian);
  expect_same(a.jacobian_error, b.jacobian_error);
  EXPECT_EQ(a.methods, b.methods);
  EXPECT_EQ(a.warnings, b.warnings);
  EXPECT_EQ(a.cancelled, b.cancelled);
  EXPECT_EQ(a.problem, b.problem);
}

}  // namespace gfdt::results
