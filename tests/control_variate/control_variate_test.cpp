#include "gfdt/control_variate/control_variate.hpp"

#include <gmock/gmock.h>

#include <numbers>
#include <numeric>
#include <random>

#include "../symbolic/model/paper_models.hpp"
#include "cubic_model.hpp"
#include "gfdt/base/linear_solve.hpp"
#include "gfdt/base/symmetric_eigen.hpp"
#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/control_variate/fit/residuals.hpp"
#include "gfdt/score/exact/linear.hpp"
#include "gfdt/score/exact/lyapunov.hpp"
#include "gfdt/score/exact/stationary_statistics.hpp"

namespace gfdt::control_variate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using symbolic::build;
using symbolic::Description;
using testing::HasSubstr;

std::vector<std::string> parameters_of(const symbolic::Model& model) {
  std::vector<std::string> names;
  for (const symbolic::Parameter& parameter : model.parameters) names.push_back(parameter.name);
  return names;
}

Request question_of(const symbolic::Model& model) {
  return {.model = model,
          .observables = model.observables.size(),
          .values = observables_of(model, {}),
          .parameters = parameters_of(model),
          .memory = 1};
}

/// The samples are independent: each one represents one autocorrelation time.
ControlVariate fitted(Request request, const score::Samples& samples) {
  request.time = static_cast<double>(samples.size());
  return fit_control_variate(request, samples);
}

/// The same number of independent states in each group, from `draw(generator, state)`.
template <class Draw>
score::Samples drawn(const symbolic::Model& model, std::size_t groups, std::size_t each, std::uint64_t seed,
                     Draw draw) {
  score::Samples samples{{static_cast<int>(model.states.size()), sites_of(model)}, {}, {}, {}};
  for (const symbolic::Field& state : model.states) samples.names.push_back(state.name);
  std::mt19937_64 generator(seed);
  std::vector<double> state(static_cast<std::size_t>(model.dimension()));
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t i = 0; i < each; ++i) {
      draw(generator, state);
      samples.values.insert(samples.values.end(), state.begin(), state.end());
      samples.group.push_back(static_cast<std::uint32_t>(g));
    }
  return samples;
}

/// Mean and covariance of dx = (A x + b)dt + Σ dW, and their derivatives for a change of A, b and D.
struct Moments {
  VectorXd mean;
  MatrixXd covariance;
};

struct LinearDistribution {
  explicit LinearDistribution(const score::LinearModel& linear) {
    const Eigen::Index d = static_cast<Eigen::Index>(linear.b.size());
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    a = Eigen::Map<const Rows>(linear.a.data(), d, d);
    diffusion = Eigen::Map<const Rows>(linear.diffusion.data(), d, d);
    b = Eigen::Map<const VectorXd>(linear.b.data(), d);
  }

  static MatrixXd lyapunov(const MatrixXd& a, const MatrixXd& diffusion) {
    const auto list = [](const MatrixXd& m) {
      const MatrixXd rows = m.transpose();
      return std::vector<double>(rows.data(), rows.data() + rows.size());
    };
    const std::vector<double> c =
        score::solve_lyapunov(list(a), list(diffusion), static_cast<int>(a.rows())).covariance;
    return Eigen::Map<const MatrixXd>(c.data(), a.rows(), a.cols());
  }
  Moments moments() const { return {-linear_solution(a, b), lyapunov(a, diffusion)}; }

  MatrixXd a, diffusion;
  VectorXd b;
};

/// <x xᵀ> and its derivatives with respect to parameters, exactly: A and b are linear in each parameter, D is
/// quadratic.
MatrixXd second_moments(const symbolic::Model& model) {
  const Moments m = LinearDistribution(score::linear_model(model)).moments();
  return m.covariance + m.mean * m.mean.transpose();
}
MatrixXd second_moments_slope(symbolic::Model model, std::size_t parameter) {
  const LinearDistribution at(score::linear_model(model));
  const Moments m = at.moments();
  double& value = model.parameters[parameter].value;
  const double h = 0.25, middle = value;
  value = middle + h;
  const LinearDistribution above(score::linear_model(model));
  value = middle - h;
  const LinearDistribution below(score::linear_model(model));
  const MatrixXd da = (above.a - below.a) / (2 * h), dd = (above.diffusion - below.diffusion) / (2 * h);
  const VectorXd db = (above.b - below.b) / (2 * h), dm = -linear_solution(at.a, da * m.mean + db);
  const MatrixXd dc = LinearDistribution::lyapunov(at.a, da * m.covariance + m.covariance * da.transpose() + dd);
  return dc + dm * m.mean.transpose() + m.mean * dm.transpose();
}

score::Samples gaussian(const symbolic::Model& model, std::size_t groups, std::size_t each, std::uint64_t seed) {
  const Moments m = LinearDistribution(score::linear_model(model)).moments();
  const SymmetricEigen eigen = symmetric_eigen(m.covariance);
  const MatrixXd root = eigen.vectors * eigen.values.cwiseSqrt().asDiagonal();
  return drawn(model, groups, each, seed, [&](std::mt19937_64& generator, std::vector<double>& x) {
    std::normal_distribution<double> normal;
    VectorXd z(static_cast<Eigen::Index>(x.size()));
    for (double& value : z) value = normal(generator);
    Eigen::Map<VectorXd>(x.data(), z.size()) = m.mean + root * z;
  });
}

symbolic::Model linear_of_three() {
  Description d;
  d.parameter("a", 1.1).parameter("b", 0.6).parameter("f", 0.4).parameter("s", 0.8).parameter("idle", 3);
  d.state("x", "-a*x + b*y").state("y", "-y - b*x + 0.3*z + f").state("z", "-1.5*z + a*x");
  d.diffusion = {{"x", {{"w1", "s"}, {"w2", "0.3"}}}, {"y", {{"w1", "0.5"}, {"w3", "s*b"}}}, {"z", {{"w2", "1"}}}};
  return build(d.observable("xx", "x^2").observable("xy", "x*y").observable("zz", "z^2"));
}

TEST(ControlVariate, UsesFewerSamplesForExpensiveLeadingTerms) {
  const symbolic::Model model = linear_of_three();
  Request request = question_of(model);
  const score::Samples samples = gaussian(model, 8, 400, 3);
  const ControlVariate all = fitted(request, samples);
  request.most_work_on_terms = 1e6;
  const ControlVariate fewer = fitted(request, samples);
  EXPECT_EQ(all.statistics[0].value, fewer.statistics[0].value);
  EXPECT_NE(all.leading[0].value, fewer.leading[0].value);
  for (std::size_t at = 0; at < all.leading.size(); ++at) {
    EXPECT_NEAR(all.leading[at].value, fewer.leading[at].value, 1e-8);
    EXPECT_LT(std::hypot(fewer.leading[at].standard_error, fewer.leading[at].bias), 2e-5);
  }
}

// If quadratic functions solve Poisson's equation, there is no noise: 800 samples give all digits.
TEST(ControlVariate, OfALinearModelIsExact) {
  const symbolic::Model model = linear_of_three();
  const ControlVariate fit = fitted(question_of(model), gaussian(model, 8, 100, 3));
  const std::pair<Eigen::Index, Eigen::Index> entries[] = {{0, 0}, {0, 1}, {2, 2}};
  const MatrixXd seconds = second_moments(model);
  for (std::size_t m = 0; m < 3; ++m) {
    const auto [i, j] = entries[m];
    EXPECT_NEAR(fit.statistics[m].value, seconds(i, j), 1e-8);
    EXPECT_LT(fit.statistics[m].standard_error, 1.01e-4 * fit.plain[m].standard_error);
    EXPECT_GT(fit.plain[m].standard_error, 0.005);
    EXPECT_LT(fit.share[m], 1e-7);
    for (std::size_t p = 0; p < 5; ++p) {
      const Averaged& term = fit.leading[m * 5 + p];
      EXPECT_NEAR(term.value, second_moments_slope(model, p)(i, j), 1e-8) << m << ' ' << model.parameters[p].name;
      EXPECT_LT(std::hypot(term.standard_error, term.bias), 2e-5);
    }
    EXPECT_EQ(fit.leading[m * 5 + 4].value, 0) << "the parameter appears nowhere";
    EXPECT_EQ(fit.leading[m * 5 + 4].standard_error, 0);
    EXPECT_EQ(fit.leading[m * 5 + 4].bias, 0);
  }
}

// The same for sums over a ring whose neighbours share noise.
TEST(ControlVariate, OfALinearRingIsExact) {
  Description d;
  d.index("k", 6).parameter("a", 1.4).parameter("b", 0.5).parameter("f", 0.3).parameter("s", 0.7);
  d.state("X[k]", "-a*X[k] + b*X[k+1] + 0.2*X[k-2] + f");
  d.diffusion = {{"X", {{"w[k]", "s"}, {"w[k+1]", "b"}}}};
  const symbolic::Model model =
      build(d.observable("second", "mean(k, X[k]^2)").observable("far", "mean(k, X[k]*X[k+2])"));
  const ControlVariate fit = fitted(question_of(model), gaussian(model, 8, 150, 3));
  for (std::size_t m = 0; m < 2; ++m) {
    const Eigen::Index column = m == 0 ? 0 : 2;
    EXPECT_NEAR(fit.statistics[m].value, second_moments(model)(0, column), 1e-8);
    EXPECT_LT(fit.share[m], 1e-7);
    for (std::size_t p = 0; p < 4; ++p)
      EXPECT_NEAR(fit.leading[m * 4 + p].value, second_moments_slope(model, p)(0, column), 1e-8) << m << ' ' << p;
  }
}

TEST(ControlVariate, MakesTheResidualsOfALinearModelConstant) {
  const symbolic::Model model = linear_of_three();
  const Request request = question_of(model);
  const ControlVariate fit = fitted(request, gaussian(model, 8, 100, 3));
  const statistics::ObservedFunctions left = residuals(model, fit, request.values);
  constexpr std::size_t number = 70;
  std::vector<double> states(3 * number), values(3 * number);
  for (std::size_t i = 0; i < 3 * number; ++i) states[i] = 2 * std::sin(static_cast<double>(i));
  (*left.at("xx").values)(states.data(), number, values.data());
  for (std::size_t i = 0; i < number; ++i)
    for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(values[i * 3 + m], fit.statistics[m].value, 1e-6);
}

/// Samples from the density exp(2 ∫F/s²), by inversion of the distribution function on a fine grid.
score::Samples of_cubic(const symbolic::Model& model, std::size_t groups, std::size_t each, std::uint64_t seed) {
  const auto p = model.parameter_values();
  constexpr int cells = 40000;
  constexpr double from = -4, to = 4, step = (to - from) / cells;
  static std::vector<double> total;
  if (total.empty()) {
    total.push_back(0);
    for (int i = 0; i < cells; ++i) {
      const double x = from + (i + 0.5) * step;
      const double potential = p.at("r") * x + x * x / 4 - p.at("c") * x * x * x * x / 4;
      total.push_back(total.back() + std::exp(2 * potential / (p.at("s") * p.at("s"))));
    }
  }
  return drawn(model, groups, each, seed, [&](std::mt19937_64& generator, std::vector<double>& x) {
    const double level = std::uniform_real_distribution<double>(0, total.back())(generator);
    const auto above = std::ranges::upper_bound(total, level);
    const double cell = static_cast<double>(above - total.begin() - 1);
    x[0] = from + step * (cell + (level - *(above - 1)) / (*above - *(above - 1)));
  });
}

Request cubic_question(const symbolic::Model& model) {
  Request request = question_of(model);
  request.direct = [](const double* states, double* values) {
    for (std::size_t lane = 0; lane < 64; ++lane) values[lane] = states[lane] * states[lane];
  };
  request.direct_entries = {1 * 4 + 3};
  return request;
}

// Reference values by quadrature. 15 values within 4 standard errors: a false-alarm rate of about 1/400 with Student's
// t of 31 degrees of freedom.
TEST(ControlVariate, OfAScalarModelAgreesWithQuadrature) {
  const symbolic::Model model = cubic();
  const std::vector<double> means = score::stationary_statistics(model).mean,
                            slopes = score::stationary_jacobian(model);
  const ControlVariate fit = fitted(cubic_question(model), of_cubic(model, 32, 4000, 5));
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_NEAR(fit.statistics[m].value, means[m], 4 * fit.statistics[m].standard_error);
    EXPECT_LT(fit.statistics[m].standard_error, fit.plain[m].standard_error / (m == 2 ? 4 : 20)) << m;
    for (std::size_t p = 0; p < 4; ++p) {
      const Averaged& term = fit.leading[m * 4 + p];
      const double error = std::hypot(term.standard_error, term.bias);
      EXPECT_LE(std::abs(term.value - slopes[m * 4 + p]), 4 * error + 1e-9) << m << ' ' << p;
      EXPECT_LT(error, (m == 2 ? 0.05 : 0.01) * (0.1 + std::abs(slopes[m * 4 + p]))) << m << ' ' << p;
    }
  }
  // k occurs in one observable only, so there is only the direct term.
  EXPECT_EQ(fit.leading[0 * 4 + 3].value, 0);
  EXPECT_NEAR(fit.leading[1 * 4 + 3].value, means[1] / 1.3, 4 * fit.leading[1 * 4 + 3].standard_error);
}

// 12 seeds with 9 entries each: at least 90 % must be within 2 standard errors. For independent entries, and the 94.6 %
// of Student's t with 31 degrees of freedom, fewer than 98 of 108 have a probability of 3 %, and fewer than 31 of 36
// statistics one of 1.2 %.
TEST(ControlVariate, StandardErrorsCoverTheExactValues) {
  const symbolic::Model model = cubic();
  const std::vector<double> means = score::stationary_statistics(model).mean,
                            slopes = score::stationary_jacobian(model);
  int within = 0, of_statistics = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Request request = cubic_question(model);
    request.parameters = {"r", "c", "s"};
    request.direct = {};
    request.direct_entries = {};
    const ControlVariate fit = fitted(request, of_cubic(model, 32, 400, 100 + seed));
    for (std::size_t m = 0; m < 3; ++m) {
      of_statistics += std::abs(fit.statistics[m].value - means[m]) <= 2 * fit.statistics[m].standard_error;
      for (std::size_t p = 0; p < 3; ++p) {
        const Averaged& term = fit.leading[m * 3 + p];
        within += std::abs(term.value - slopes[m * 4 + p]) <= 2 * std::hypot(term.standard_error, term.bias);
      }
    }
  }
  EXPECT_GE(within, 98);
  EXPECT_GE(of_statistics, 31);
}

TEST(ControlVariate, IsTheSameOnAnyNumberOfThreads) {
  const symbolic::Model model = cubic();
  const score::Samples samples = of_cubic(model, 20, 203, 7);
  Request request = cubic_question(model);
  request.threads = 1;
  const ControlVariate one = fitted(request, samples);
  request.threads = 2;
  const ControlVariate two = fitted(request, samples);
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(one.statistics[m].value, two.statistics[m].value);
  for (std::size_t i = 0; i < one.leading.size(); ++i) {
    EXPECT_EQ(one.leading[i].value, two.leading[i].value);
    EXPECT_EQ(one.leading[i].standard_error, two.leading[i].standard_error);
    EXPECT_EQ(one.leading[i].bias, two.leading[i].bias);
  }
  EXPECT_EQ(one.coefficients, two.coefficients);
}

// Groups with fewer samples than are used for the remainder.
TEST(ControlVariate, AcceptsManyGroupsOfFewSamples) {
  const symbolic::Model model = cubic();
  const std::vector<double> slopes = score::stationary_jacobian(model);
  const ControlVariate fit = fitted(cubic_question(model), of_cubic(model, 1500, 3, 9));
  EXPECT_EQ(fit.degrees_of_freedom, 1499);
  for (std::size_t p = 0; p < 3; ++p)
    EXPECT_LT(std::abs(fit.leading[p].value - slopes[p]),
              4 * std::hypot(fit.leading[p].standard_error, fit.leading[p].bias));
}

// No smooth function is correlated with the observable: a leading term of zero would not be an estimate.
TEST(ControlVariate, HasNoLeadingTermIfNoFunctionHelps) {
  Description d;
  d.parameter("a", 1).parameter("idle", 1).state("x", "-a*x", "1");
  const symbolic::Model model = build(d);
  Request request = question_of(model);
  request.observables = 3;
  request.values = [](const double* x, double* values) {
    for (std::size_t lane = 0; lane < 64; ++lane) {
      values[lane] = x[lane] * x[lane];
      values[64 + lane] = std::sin(1e7 * x[lane]);
      values[128 + lane] = 0.3;
    }
  };
  // Functions that help only by chance are not a solution either.
  for (const std::uint64_t seed : {1, 7, 8})
    EXPECT_TRUE(std::isinf(fitted(request, gaussian(model, 16, 100, seed)).leading[2].bias)) << seed;
  const ControlVariate fit = fitted(request, gaussian(model, 16, 100, 4));
  ASSERT_EQ(fit.functions[1], 0u);
  EXPECT_NEAR(fit.leading[0].value, -0.5, 1e-8);
  EXPECT_TRUE(std::isinf(fit.leading[2].bias));
  EXPECT_EQ(fit.leading[3].value, 0) << "what appears nowhere changes nothing";
  EXPECT_NEAR(fit.leading[4].value, 0, 1e-12) << "of a constant";
}

std::string refusal(const symbolic::Model& model, const score::Samples& samples) {
  try {
    fitted(question_of(model), samples);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(ControlVariate, RejectsUnsupportedModelsAndTooFewSamples) {
  Description driven = symbolic::ou().observable("second", "x^2");
  driven.time = true;
  score::Samples samples{{2, 1}, {"x", "t"}, std::vector<double>(2000, 1.0), std::vector<std::uint32_t>(1000, 0)};
  EXPECT_THAT(refusal(build(driven), samples), HasSubstr("depends on time"));
  EXPECT_THAT(refusal(cubic(), of_cubic(cubic(), 7, 100, 1)), HasSubstr("at least 8 members"));
  EXPECT_THAT(refusal(cubic(), of_cubic(cubic(), 8, 4, 1)), HasSubstr("too few samples"));
}

// At a state that is not among those used to scale the coordinates.
TEST(ControlVariate, RejectsFunctionsThatAreNotFinite) {
  Description d;
  d.state("x", "-x - exp(log(x + 10) - 3)", "1");
  const symbolic::Model model = build(d.observable("mean", "x"));
  score::Samples samples = gaussian(build(Description().state("x", "-x", "1")), 33, 1000, 2);
  samples.values[1] = -11;
  EXPECT_THAT(refusal(model, samples), HasSubstr("not finite"));
}

TEST(ControlVariate, KeepsStatisticsOfFewerFunctionsUnlessMoreHalveTheErrors) {
  const auto fit = [](std::size_t functions, double value, const std::vector<double>& errors) {
    ControlVariate made;
    for (const double error : errors) {
      made.statistics.push_back({.value = value, .standard_error = error, .bias = 0, .influence = {}});
      made.functions.push_back(functions);
    }
    return made;
  };
  ControlVariate larger = fit(30, 2, {0.6, 0.5, 0.4, 1.5});
  larger.keep_statistics_of(fit(10, 1, {1, 1, 1, 1}));
  EXPECT_THAT(larger.functions, testing::ElementsAre(10, 10, 30, 10));
  for (std::size_t m = 0; m < 4; ++m) EXPECT_EQ(larger.statistics[m].value, m == 2 ? 2 : 1);
  EXPECT_EQ(larger.statistics[0].standard_error, 1);
}

// No sample of the fit has both x > 1.5 and y > 1.5: products of the two ramps are zero at all samples.
TEST(ControlVariate, IsBoundedAtStatesOutsideTheSamples) {
  Description d;
  d.state("x", "-x", "1").state("y", "-y", "1");
  const symbolic::Model model = build(d.observable("far", "x > 1.5 or y > 1.5"));
  const Request request = question_of(model);
  const score::Samples samples = drawn(model, 16, 500, 3, [](std::mt19937_64& generator, std::vector<double>& x) {
    std::normal_distribution<double> normal(0, std::sqrt(0.5));
    do {
      x = {normal(generator), normal(generator)};
    } while (x[0] > 1.5 && x[1] > 1.5);
  });
  const ControlVariate fit = fitted(request, samples);
  const statistics::ObservedFunctions left = residuals(model, fit, request.values);
  const double state[] = {1.7, 1.6};
  double value = 0;
  (*left.at("far").values)(state, 1, &value);
  EXPECT_LT(std::abs(value), 20);
}

// A noise amplitude changes no linear function: these functions alone do not show its effect on an indicator.
TEST(ControlVariate, HasNoLeadingTermThatItsFunctionsCannotResolve) {
  Description d;
  d.parameter("s", 0.8).state("x", "-x", "s").state("y", "x - y", "s").state("z", "y - z", "s");
  const symbolic::Model model = build(d.observable("mean", "z").observable("high", "z > 0.5"));
  Request request = question_of(model);
  request.most_functions = 3;
  const ControlVariate fit = fitted(request, gaussian(model, 16, 500, 4));
  ASSERT_EQ(fit.dictionary->functions.size(), 3u);
  EXPECT_EQ(fit.leading[0].value, 0);
  EXPECT_LT(fit.leading[0].bias, 1e-6);  // z is linear: its mean does not depend on s
  EXPECT_EQ(fit.leading[1].bias, std::numeric_limits<double>::infinity());
}

// One half of the groups has no state above 0, where the indicator changes.
TEST(ControlVariate, HasALargeErrorIfTheHalvesDisagree) {
  Description d;
  d.parameter("m", 0.0).state("x", "m - x", "1");
  const symbolic::Model model = build(d.observable("positive", "x > 0"));
  std::size_t drawn_states = 0;
  const score::Samples samples = drawn(model, 16, 500, 5, [&](std::mt19937_64& generator, std::vector<double>& x) {
    std::normal_distribution<double> normal(0, std::sqrt(0.5));
    x[0] = drawn_states++ < 4000 ? -std::abs(normal(generator)) : normal(generator);
  });
  const ControlVariate fit = fitted(question_of(model), samples);
  const double error = std::hypot(fit.leading[0].standard_error, fit.leading[0].bias);
  EXPECT_LT(std::abs(fit.leading[0].value - std::sqrt(1 / std::numbers::pi)), 3 * error);
}

}  // namespace
}  // namespace gfdt::control_variate
