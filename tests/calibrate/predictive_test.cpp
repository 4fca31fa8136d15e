// Ornstein–Uhlenbeck process: density N(m, v), v = s²/(2a), autocorrelation e^(−a t). The posterior knows s exactly and
// m to 0.3.
#include "gfdt/calibrate/posterior/predictive.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "../statistics/series.hpp"
#include "gfdt/statistics/series/series_shape.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::calibrate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr double a = 1.2, m = 0.5, s = 0.8, v = s * s / (2 * a), m_error = 0.3, interval = 0.5;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

symbolic::Model process() {
  return symbolic::build(symbolic::Description()
                             .parameter("m", 0)
                             .parameter("s", 2)
                             .state("x", "-1.2*(x - m)", "s")
                             .observable("mean", "x")
                             .observable("square", "x^2"));
}

/// A record of the process at parameters drawn from the posterior.
Record record_of(std::size_t rows, std::uint64_t seed, double error = m_error) {
  const double centre = m + error * codegen::Stream(seed, codegen::Purpose::test, 9).normal(0);
  Record record{"'r.csv'", {{"x", statistics::autoregressive(std::exp(-a * interval), rows, seed)}}, interval, {}};
  for (double& x : record.series["x"]) x = centre + std::sqrt(v) * x;
  return record;
}

struct Case {
  symbolic::Model model = process();
  Problem problem;
  Calibration calibration;
  simulate::Options simulation;

  explicit Case(double error = m_error) {
    problem.parameters = {{"m", 0}, {"s", 2, 0.0}};
    problem.seed = 4;
    problem.length = 50;
    calibration.parameters = {m, s};
    calibration.posterior.covariance = {error * error, 0, 0, 1e-12};
    calibration.posterior.precision = {1 / (error * error), 0, 0, 1e12};
    calibration.posterior.standard_error = {error, 1e-6};
    simulation.dt = 0.05;
    simulation.length = 50;
    simulation.scheme = simulate::Scheme::weak2;
    simulation.backend = codegen::Backend::interpreter;
  }
  Predictive ask(const Record* record, int draws) const {
    return predictive({model, problem, calibration, simulation, record, draws});
  }
};

/// Standard error of a median over draws, from the band that contains nine tenths of them.
double median_error(const PredictiveCurve& curve, std::size_t i, int draws) {
  return 1.25 * (curve.high[i] - curve.low[i]) / (2 * 1.645) / std::sqrt(draws);
}

// Medians within four and a half standard errors at about 50 correlated points: a false-alarm rate below 4e-4. A record
// of n rows lowers an autocorrelation by 2τ/n, and the kernel widens the density to v + h².
TEST(Predictive, HasTheDensityAndTheAutocorrelationOfTheProcess) {
  constexpr std::size_t rows = 2000;
  constexpr int draws = 200;
  const Case known(1e-6);
  const Record record = record_of(rows, 1, 0);
  const Predictive found = known.ask(&record, draws);
  ASSERT_EQ(found.problem, "");
  EXPECT_EQ(found.draws, draws);
  EXPECT_DOUBLE_EQ(found.sampling, interval);
  EXPECT_DOUBLE_EQ(found.length, rows * interval);
  ASSERT_EQ(found.series.size(), 1u);
  const PredictiveSeries& x = found.series[0];
  EXPECT_EQ(x.kind, "state");
  const double wide = v + x.bandwidth * x.bandwidth;
  ASSERT_GT(x.density.at.size(), 50u);
  for (std::size_t i = 0; i < x.density.at.size(); ++i) {
    const double z = x.density.at[i] - m, exact = std::exp(-z * z / (2 * wide)) / std::sqrt(2 * M_PI * wide);
    if (exact < 0.05) continue;  // the distribution over draws is skewed for rare events
    EXPECT_NEAR(x.density.model[i], exact, 4.5 * median_error(x.density, i, draws)) << z;
  }
  const PredictiveCurve& memory = x.autocorrelation;
  ASSERT_GE(memory.at.size(), 10u);
  EXPECT_DOUBLE_EQ(memory.model[0], 1);
  for (std::size_t i = 1; i < memory.at.size(); ++i)
    EXPECT_NEAR(memory.model[i], std::exp(-a * memory.at[i]), 4.5 * median_error(memory, i, draws) + 6.0 / rows) << i;
  EXPECT_NEAR(x.density.guess[x.density.at.size() / 2],
              std::exp(-0.5 * m * m / (4 / 2.4)) / std::sqrt(2 * M_PI * 4 / 2.4), 0.05);
}

// Each of 300 records lies in the band with probability 0.9, known to √(0.09/400) from the draws and to √(0.09/300)
// from the records: 0.023 together. Four of these standard errors for three quantities give a false-alarm rate of 2e-4.
// A band at the answer alone would contain the mean of less than half of the records.
TEST(Predictive, BandsHoldNineTenthsOfRecords) {
  constexpr std::size_t rows = 200;
  constexpr int draws = 400, records = 300;
  const Record first = record_of(rows, 1000);
  const Predictive found = Case().ask(&first, draws);
  const PredictiveStatistics& statistics = found.statistics;
  ASSERT_THAT(statistics.observables, testing::ElementsAre("mean", "square"));
  const PredictiveCurve& memory = found.series[0].autocorrelation;
  double mean_held = 0, square_held = 0, memory_held = 0;
  for (std::uint64_t seed = 1; seed <= records; ++seed) {
    const Record record = record_of(rows, seed);
    double mean = 0, square = 0;
    for (const double x : record.series.at("x")) {
      mean += x / rows;
      square += x * x / rows;
    }
    const double at_two = statistics::autocorrelation(record.series.at("x"), std::vector<std::size_t>{2})[0];
    mean_held += mean >= statistics.low[0] && mean <= statistics.high[0];
    square_held += square >= statistics.low[1] && square <= statistics.high[1];
    memory_held += at_two >= memory.low[2] && at_two <= memory.high[2];
  }
  EXPECT_NEAR(mean_held / records, 0.9, 4 * 0.023);
  EXPECT_NEAR(square_held / records, 0.9, 4 * 0.023);
  EXPECT_NEAR(memory_held / records, 0.9, 4 * 0.023);
}

TEST(Predictive, ReportsARecordThatContradictsTheModel) {
  Record record = record_of(300, 5, 0);
  EXPECT_THAT(surprises(Case().ask(&record, 40)), IsEmpty());
  for (double& x : record.series["x"]) x = 0.5 + 3 * (x - 0.5);  // three times as wide
  const Predictive found = Case().ask(&record, 40);
  const std::vector<std::string> sentences = surprises(found);
  EXPECT_THAT(sentences, testing::Contains(HasSubstr("The record's 'square', 2.")));
  EXPECT_THAT(sentences,
              testing::Contains(HasSubstr("density of x deviates from the median more than all of the draws do")));
  EXPECT_THAT(sentences, testing::Not(testing::Contains(HasSubstr("autocorrelation"))));
  EXPECT_EQ(found.statistics.tail[1], 0);
  EXPECT_EQ(found.series[0].density.tail, 0);
  EXPECT_GT(found.series[0].autocorrelation.tail, 0.05);
}

TEST(Predictive, RunsHaveTheMissingValuesOfTheRecord) {
  Record whole = record_of(300, 5, 0), part = whole;
  for (std::size_t row = 3; row < 300; ++row) part.series["x"][row] = none;
  const Predictive all = Case(1e-6).ask(&whole, 40), few = Case(1e-6).ask(&part, 40);
  // Averages over three rows instead of three hundred have at least five times the spread.
  EXPECT_GT(few.statistics.high[0] - few.statistics.low[0], 4 * (all.statistics.high[0] - all.statistics.low[0]));
}

TEST(Predictive, IsTheSameOnAnyNumberOfThreads) {
  const Record record = record_of(100, 5);
  Case one, three;
  one.simulation.threads = 1;
  three.simulation.threads = 3;
  const Predictive a_few = one.ask(&record, 40), many = three.ask(&record, 40);
  EXPECT_EQ(a_few.series[0].density.high, many.series[0].density.high);
  EXPECT_EQ(a_few.series[0].autocorrelation.low, many.series[0].autocorrelation.low);
  EXPECT_EQ(a_few.statistics.model, many.statistics.model);
}

TEST(Predictive, WithoutARecordRunsHaveTheLengthOfTheCalibration) {
  const Predictive found = Case().ask(nullptr, 40);
  ASSERT_EQ(found.problem, "");
  EXPECT_DOUBLE_EQ(found.length, 50);
  ASSERT_EQ(found.series.size(), 1u);
  EXPECT_THAT(found.series[0].density.record, IsEmpty());
  EXPECT_TRUE(std::isnan(found.series[0].density.tail));
  EXPECT_TRUE(std::isnan(found.statistics.record[0]));
  EXPECT_THAT(surprises(found), IsEmpty());
}

TEST(Predictive, ReportsWhyThereIsNone) {
  Record record = record_of(100, 5);
  record.interval = 0;
  EXPECT_THAT(Case().ask(&record, 40).problem, HasSubstr("'interval' in [targets]"));
  Case nothing;
  nothing.calibration.posterior = {};
  EXPECT_THAT(nothing.ask(nullptr, 40).problem, HasSubstr("no posterior"));
  Case wild;
  wild.model = symbolic::build(
      symbolic::Description().parameter("m", 0).parameter("s", 2).state("x", "m*x^3", "s").observable("mean", "x"));
  EXPECT_THAT(wild.ask(nullptr, 40).problem, HasSubstr("do not hold"));
}

}  // namespace
}  // namespace gfdt::calibrate
