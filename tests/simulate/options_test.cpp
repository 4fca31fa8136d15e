#include "gfdt/simulate/options.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "gfdt/base/error.hpp"
#include "recorder.hpp"

namespace gfdt::simulate {
namespace {

using testing::HasSubstr;
constexpr double infinite = std::numeric_limits<double>::infinity();

std::string problem(const std::function<void(Options&)>& change) {
  Options options;
  change(options);
  return options.problem();
}

TEST(Options, AreValidByDefault) { EXPECT_EQ(Options{}.problem(), ""); }

TEST(Options, EveryInvalidValueIsReported) {
  for (const double dt : {0.0, -0.1, infinite, std::nan("")})
    EXPECT_THAT(problem([=](Options& o) { o.dt = dt; }), HasSubstr("time step")) << dt;
  for (const int members : {0, -1, (1 << 24) + 1, std::numeric_limits<int>::max()})
    EXPECT_THAT(problem([=](Options& o) { o.members = members; }), HasSubstr("members")) << members;
  for (const double length : {0.0, -1.0, infinite, std::nan("")})
    EXPECT_THAT(problem([=](Options& o) { o.length = length; }), HasSubstr("length")) << length;
  for (const double burn_in : {-1.0, -1e-9, infinite, std::nan("")})
    EXPECT_THAT(problem([=](Options& o) { o.burn_in = burn_in; }), HasSubstr("burn-in")) << burn_in;
  for (const int cadence : {0, -3})
    EXPECT_THAT(problem([=](Options& o) { o.cadence = cadence; }), HasSubstr("cadence")) << cadence;
  EXPECT_THAT(problem([](Options& o) { o.threads = -1; }), HasSubstr("threads"));
  EXPECT_THAT(problem([](Options& o) { o.length = 1e14; }), HasSubstr("more than 1e+15 steps"));
  EXPECT_THAT(problem([](Options& o) { o.burn_in = 1e300; }), HasSubstr("more than 1e+15 steps"));
  EXPECT_THAT(problem([](Options& o) { o.dt = 1e-320; }), HasSubstr("more than 1e+15 steps"));
  EXPECT_THAT(problem([](Options& o) { o.length = 0.001; }), HasSubstr("no sample"));
  EXPECT_THAT(problem([](Options& o) { o.cadence = 100001; }), HasSubstr("no sample"));
}

TEST(Options, ValuesAtTheLimitsAreValid) {
  EXPECT_EQ(problem([](Options& o) { o.members = 1; }), "");
  EXPECT_EQ(problem([](Options& o) { o.members = 1 << 24; }), "");
  EXPECT_EQ(problem([](Options& o) { o.burn_in = 0; }), "");
  EXPECT_EQ(problem([](Options& o) { o.cadence = 100000; }), "");
}

TEST(Options, StepCountsAreRoundedToTheNearestInteger) {
  Options options{.dt = 0.1, .length = 0.3, .burn_in = 0.7};
  EXPECT_EQ(options.samples(), 3u);
  EXPECT_EQ(options.burn_in_steps(), 7u);
  options.cadence = 2;
  EXPECT_EQ(options.samples(), 1u);
  EXPECT_DOUBLE_EQ(options.sample_interval(), 0.2);
  options.burn_in.reset();
  EXPECT_DOUBLE_EQ(options.burn_in_time(), 0.03);
}

TEST(Options, AreCheckedBeforeARun) { EXPECT_THROW(run(symbolic::build(ornstein_uhlenbeck()), {.dt = -1}, {}), Error); }

TEST(Schemes, AreFoundByName) {
  for (const std::string& text : scheme_names()) EXPECT_EQ(name(*scheme_named(text)), text);
  EXPECT_EQ(scheme_named("milstein"), std::nullopt);
}

}  // namespace
}  // namespace gfdt::simulate
