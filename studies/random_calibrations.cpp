// Calibrations of random models whose statistics are known exactly: linear ones in one to three dimensions, and double
// wells. Targets are the exact statistics with errors of a known size, the guess is up to 30 % off. How many end
// converged, and how often the region of the answer holds the true parameters. Prints one JSON object.
//   study_random_calibrations [problems [score [first seed]]]
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>

#include "gfdt/base/error.hpp"
#include "gfdt/calibrate/calibration.hpp"
#include "gfdt/calibrate/evaluation/response_evaluator.hpp"
#include "gfdt/data/json.hpp"
#include "gfdt/data/provenance.hpp"
#include "gfdt/score/exact/linear.hpp"
#include "gfdt/score/exact/stationary_statistics.hpp"

namespace {

using namespace gfdt;
using nlohmann::ordered_json;

struct RandomProblem {
  std::string kind;
  symbolic::Description description;  ///< at the true parameters
  std::vector<std::string> free;
  bool linear = false;
  std::map<std::string, double> positive;  ///< lower bounds
};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  double normal() { return std::normal_distribution<double>()(engine_); }
  int up_to(int most) { return std::uniform_int_distribution<int>(1, most)(engine_); }

 private:
  std::mt19937_64 engine_;
};

/// dx_i = (f_i − a_i x_i + w x_{i+1} − w x_{i−1}) dt + s_i dW_i. Statistics at one time do not know the unit of time:
/// the first noise is given.
RandomProblem linear(Dice& dice) {
  RandomProblem result{.kind = "linear", .description = {}, .free = {}, .linear = true, .positive = {}};
  const int dimension = dice.up_to(3);
  symbolic::Description& d = result.description;
  if (dimension > 1) {
    d.parameter("w", dice.between(0.3, 1.0));
    result.free.push_back("w");
  }
  for (int i = 0; i < dimension; ++i) {
    const auto named = [&](const char* letter) { return fmt::format("{}{}", letter, i); };
    d.parameter(named("f"), dice.between(-1, 1)).parameter(named("a"), dice.between(0.5, 2));
    d.parameter(named("s"), dice.between(0.5, 1.5));
    result.free.push_back(named("a"));
    if (i > 0) result.free.push_back(named("s"));
    if (i == 0 || (dimension == 3 && dice.between(0, 1) < 0.5)) result.free.push_back(named("f"));
    result.positive[named("a")] = result.positive[named("s")] = 0;
  }
  for (int i = 0; i < dimension; ++i) {
    std::string drift = fmt::format("f{} - a{}*x{}", i, i, i);
    if (i + 1 < dimension) drift += fmt::format(" + w*x{}", i + 1);
    if (i > 0) drift += fmt::format(" - w*x{}", i - 1);
    d.state(fmt::format("x{}", i), drift, fmt::format("s{}", i));
  }
  for (int i = 0; i < dimension; ++i) d.observable(fmt::format("mean{}", i), fmt::format("x{}", i));
  for (int i = 0; i < dimension; ++i)
    for (int j = i; j < dimension; ++j) d.observable(fmt::format("second{}{}", i, j), fmt::format("x{}*x{}", i, j));
  return result;
}

/// dx = (f + a x − c x³) dt + s dW
RandomProblem double_well(Dice& dice) {
  RandomProblem result{.kind = "double well", .description = {}, .free = {}, .linear = false, .positive = {}};
  const bool noise_free = dice.between(0, 1) < 0.5;
  result.description.parameter("f", dice.between(-0.3, 0.3))
      .parameter("a", dice.between(0.2, 1.0))
      .parameter("c", dice.between(0.5, 1.5))
      .parameter("s", dice.between(0.7, 1.3))
      .state("x", "f + a*x - c*x^3", "s")
      .observable("mean", "x")
      .observable("second", "x^2")
      .observable("high", "x > 1")
      .observable("fourth", "x^4");
  result.free = noise_free ? std::vector<std::string>{"f", "a", "s"} : std::vector<std::string>{"f", "a", "c"};
  result.positive = {{"c", 0}, {"s", 0}};
  return result;
}

struct Moments {
  std::vector<double> mean, standard_deviation;
};

/// Moments of x_i and x_i x_j for a Gaussian.
Moments exact_moments(const RandomProblem& problem, const symbolic::Model& model) {
  if (!problem.linear) {
    const score::StationaryStatistics found = score::stationary_statistics(model);
    return {found.mean, found.standard_deviation};
  }
  const score::GaussianField field = score::exact_linear(model);
  const std::size_t n = field.mean().size();
  const std::vector<double> precision = field.precision();
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::MatrixXd c = Eigen::Map<const Eigen::MatrixXd>(precision.data(), size, size).inverse();
  const auto m = [&](std::size_t i) { return field.mean()[i]; };
  const auto cov = [&](std::size_t i, std::size_t j) {
    return c(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  };
  Moments result;
  for (std::size_t i = 0; i < n; ++i) {
    result.mean.push_back(m(i));
    result.standard_deviation.push_back(std::sqrt(cov(i, i)));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) {
      result.mean.push_back(cov(i, j) + m(i) * m(j));
      result.standard_deviation.push_back(std::sqrt(cov(i, i) * cov(j, j) + cov(i, j) * cov(i, j) +
                                                    m(i) * m(i) * cov(j, j) + m(j) * m(j) * cov(i, i) +
                                                    2 * m(i) * m(j) * cov(i, j)));
    }
  return result;
}

struct Outcome {
  std::string kind, status, explanation;
  bool converged = false, holds = false, finite = true;
  double worst = 0;  ///< largest error of a parameter in its standard errors
  std::size_t iterations = 0, parameters = 0, targets = 0;
  double simulated_time = 0;
};

Outcome solve(std::uint64_t seed, score::Method score) {
  Dice dice(seed);
  const RandomProblem random = dice.between(0, 1) < 0.5 ? linear(dice) : double_well(dice);
  symbolic::Model model = symbolic::build(random.description);
  const Moments exact = exact_moments(random, model);

  calibrate::Problem problem;
  problem.length = 1000;
  problem.seed = seed;
  const std::size_t targets = exact.mean.size();
  problem.targets.covariance.assign(targets * targets, 0.0);
  for (std::size_t m = 0; m < targets; ++m) {
    const double error = exact.standard_deviation[m] * dice.between(0.003, 0.02);
    problem.targets.observables.push_back(model.observables[m].name);
    problem.targets.value.push_back(exact.mean[m] + error * dice.normal());
    problem.targets.covariance[m * targets + m] = error * error;
  }
  std::vector<double> truth;
  for (const std::string& name : random.free) {
    const double value = model.parameter(name).value;
    truth.push_back(value);
    calibrate::FreeParameter parameter{.name = name, .value = value * dice.between(0.7, 1.3)};
    if (random.positive.contains(name)) parameter.lower = random.positive.at(name);
    problem.parameters.push_back(parameter);
  }
  calibrate::Experiment experiment{
      .model = model, .parameters = random.free, .simulation = {}, .score = {}, .response = {}};
  experiment.simulation.scheme = simulate::Scheme::weak2;
  experiment.simulation.members = 100;
  experiment.simulation.length = problem.length;
  experiment.simulation.burn_in = 20;
  experiment.simulation.cadence = 5;
  experiment.score.method = score;
  calibrate::ResponseEvaluator evaluator(experiment);
  const calibrate::Options options;
  const calibrate::Calibration found = calibrate::calibrate(problem, options, evaluator);

  Outcome outcome{.kind = random.kind, .status = calibrate::name(found.status), .explanation = found.explanation};
  outcome.converged = calibrate::converged(found.status);
  outcome.iterations = found.iterations.size();
  outcome.parameters = truth.size();
  outcome.targets = targets;
  outcome.simulated_time = found.simulated_time;
  if (found.parameters.empty()) return outcome;
  outcome.holds = found.posterior.holds(truth, found.parameters, options.confidence);
  for (std::size_t j = 0; j < truth.size(); ++j) {
    outcome.finite =
        outcome.finite && std::isfinite(found.parameters[j]) && !std::isnan(found.posterior.standard_error[j]);
    outcome.worst =
        std::max(outcome.worst, std::abs(found.parameters[j] - truth[j]) / found.posterior.standard_error[j]);
  }
  return outcome;
}

}  // namespace

int main(int argc, char** argv) {
  const int problems = argc > 1 ? std::atoi(argv[1]) : 200;
  const auto score = score::method_named(argc > 2 ? argv[2] : "auto");
  const std::uint64_t first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  if (problems < 1 || !score) {
    fmt::print(stderr, "study_random_calibrations [problems [score [first seed]]]\n");
    return 2;
  }
  std::map<std::string, int> statuses;
  int converged = 0, held = 0, broken = 0;
  ordered_json list = ordered_json::array();
  for (int i = 0; i < problems; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    Outcome outcome;
    try {
      outcome = solve(seed, *score);
    } catch (const Error& error) {
      outcome.status = error.what();
      outcome.finite = false;
    }
    ++statuses[outcome.status];
    converged += outcome.converged;
    held += outcome.converged && outcome.holds;
    broken += !outcome.finite;
    list.push_back({{"seed", seed},
                    {"kind", outcome.kind},
                    {"parameters", outcome.parameters},
                    {"targets", outcome.targets},
                    {"status", outcome.status},
                    {"holds", outcome.holds},
                    {"largest_deviation", data::json_number(outcome.worst)},
                    {"iterations", outcome.iterations},
                    {"simulated_time", outcome.simulated_time}});
    fmt::print(stderr, "{:>4} {:<12} p={} q={} {:<14} {:>2} iterations  {}  largest {:.1f}\n", seed, outcome.kind,
               outcome.parameters, outcome.targets, outcome.status, outcome.iterations,
               outcome.holds ? "holds" : "OUTSIDE", outcome.worst);
    if (!outcome.converged) fmt::print(stderr, "     {}\n", outcome.explanation);
  }
  ordered_json json{
      {"problems", problems}, {"score", score::name(*score)}, {"converged", converged},     {"region_holds", held},
      {"not_finite", broken}, {"statuses", statuses},         {"version", data::version()}, {"outcomes", list}};
  fmt::print("{}", data::json_text(json));
}
