#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "linear_problems.hpp"

namespace gfdt::calibrate {

/// An evaluator whose statistics are a map of the parameters, plus noise that is a pure function of the request. It
/// replaces a simulated model. The derivatives are central differences of the map.
class MapEvaluator : public Evaluator {
 public:
  using Map = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

  /// `noise`: covariance of the errors of the means in a run of length 1.
  MapEvaluator(Map map, Eigen::MatrixXd noise) : map_(std::move(map)), noise_(std::move(noise)) {}

  Evaluation evaluate(const Request& request, const simulate::Control&) override {
    requests.push_back(request);
    Evaluation evaluation;
    evaluation.simulated_time = request.length;
    evaluation.wall_seconds = 0.5;
    if (cancelled_at && requests.size() >= cancelled_at) {
      evaluation.cancelled = true;
      return evaluation;
    }
    if (fails && fails(request)) {
      evaluation.problem = "It blew up.";
      return evaluation;
    }
    if (request.purpose == Request::Purpose::stability) return evaluation;
    const Eigen::VectorXd at = vector_of(request.parameters);
    Normals normals(rough ? request.seed + std::hash<double>()(at.sum()) : request.seed);
    Eigen::VectorXd mean = map_(at);
    const Eigen::MatrixXd covariance = noise_ / request.length;
    if (covariance.norm() > 0) mean += normals.draw(covariance);
    const Eigen::MatrixXd seen = freedom > 0 ? normals.estimate(covariance, freedom) : covariance;
    evaluation.mean_covariance = values_of(seen);
    for (const double value : mean) {
      evaluation.statistics.emplace_back();
      evaluation.statistics.back().mean = value;
      evaluation.statistics.back().standard_deviation = 1;
      evaluation.statistics.back().degrees_of_freedom = freedom;
    }
    evaluation.declined =
        request.wanted && (refuses || (asks && !request.wanted(evaluation.statistics, evaluation.mean_covariance)));
    if (request.purpose == Request::Purpose::statistics || evaluation.declined) return evaluation;
    Eigen::MatrixXd jacobian(mean.size(), at.size());
    for (Eigen::Index j = 0; j < at.size(); ++j) {
      constexpr double h = 1e-5;
      const Eigen::VectorXd by = h * Eigen::VectorXd::Unit(at.size(), j);
      jacobian.col(j) = (map_(at + by) - map_(at - by)) / (2 * h);
    }
    if (misleading.size() > 0) jacobian *= misleading;
    const double error = jacobian_error / std::sqrt(request.length);
    jacobian += error * normals.matrix(mean.size(), at.size());
    evaluation.jacobian = values_of(jacobian);
    evaluation.jacobian_error = std::vector<double>(evaluation.jacobian.size(), error);
    evaluation.scores.resize(request.start.size() + 1);  // one more per call, which tests can verify
    return evaluation;
  }

  int freedom = 0;             ///< degrees of freedom of the reported covariance; 0: it is exact
  double jacobian_error = 0;   ///< standard error of each derivative in a run of length 1
  Eigen::MatrixXd misleading;  ///< multiplies the Jacobian from the right, unless empty
  bool rough = false;          ///< whether other parameters have independent noise, as in chaotic models
  bool asks = false;           ///< whether it evaluates `wanted` before it computes derivatives
  bool refuses = false;        ///< whether it declines all derivatives for requests with `wanted`
  std::function<bool(const Request&)> fails;
  std::size_t cancelled_at = 0;
  std::vector<Request> requests;

 private:
  Map map_;
  Eigen::MatrixXd noise_;
};

/// Parameters a, b, … that start at `guess`, with the given targets of the statistics, and runs of length 1.
inline Problem problem_with(const std::vector<double>& guess, const Eigen::VectorXd& targets,
                            const Eigen::MatrixXd& covariance, std::uint64_t seed = 1) {
  Problem problem;
  for (std::size_t j = 0; j < guess.size(); ++j)
    problem.parameters.push_back({.name = std::string(1, static_cast<char>('a' + j)), .value = guess[j]});
  problem.targets.value = values_of(targets);
  problem.targets.covariance = values_of(covariance);
  for (Eigen::Index m = 0; m < targets.size(); ++m) problem.targets.observables.push_back("A" + std::to_string(m));
  problem.length = 1;
  problem.seed = seed;
  return problem;
}

}  // namespace gfdt::calibrate
