#include "gfdt/score/estimators/kgmm.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "gfdt/base/error.hpp"
#include "gfdt/base/linear_solve.hpp"
#include "gfdt/base/philox.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/gpu/network/train.hpp"
#include "gfdt/score/estimators/leaf_means.hpp"
#include "gfdt/score/estimators/moments.hpp"
#include "gfdt/score/estimators/normalisation.hpp"
#include "gfdt/score/fields/network_field.hpp"

namespace gfdt::score {
namespace {

using Matrix = Eigen::MatrixXd;

constexpr int least_samples_a_leaf = 10;
// Scale of the initial weights relative to the usual ones: a network that starts out smooth fits the score long before
// the noise of the means.
constexpr float initial_share = 0.5f;

network::Architecture architecture_of(int dimension, const KgmmOptions& options) {
  std::vector<int> widths{dimension};
  widths.insert(widths.end(), options.hidden.begin(), options.hidden.end());
  widths.push_back(dimension);
  return network::mlp(widths);
}

/// Seeds of the parts of a fit, so that they use distinct random numbers.
std::uint64_t seed_of_part(std::uint64_t seed, std::uint32_t part) {
  return codegen::Stream(seed, codegen::Purpose::training, 0x6b676d00 + part).wide(0);
}

/// The covariance of x̂.
Matrix covariance_of(const Samples& samples, const Normalisation& normalisation, int threads) {
  const Moments moments = moments_of(samples, threads);
  const Eigen::Index d = samples.dimension();
  const Eigen::Map<const Eigen::VectorXd> std(normalisation.std.data(), d);
  const auto scale = std.cwiseInverse().asDiagonal();
  return scale * Eigen::Map<const Matrix>(moments.covariance.data(), d, d) * scale;
}

/// −(C + σ²)⁻¹: the score of a Gaussian to which noise of level σ was added, as a matrix acting on x̂.
Matrix gaussian_score(const Matrix& covariance, double noise) {
  return -inverse(covariance + noise * noise * Matrix::Identity(covariance.rows(), covariance.cols()));
}

/// Scores at the centroids of leaves, minus the Gaussian part.
struct LeafScores {
  int dimension = 0;
  std::vector<float> centroids, scores, weights;
  double scale = 1;  ///< the factor by which the scores were divided to make their mean square 1
};

Eigen::VectorXd residual(const LeafMeans& means, std::size_t leaf, double noise, const Matrix& gaussian) {
  const auto at = static_cast<std::ptrdiff_t>(leaf) * means.dimension;
  const Eigen::Map<const Eigen::VectorXd> z(means.noise.data() + at, means.dimension);
  const Eigen::Map<const Eigen::VectorXd> x(means.centroid.data() + at, means.dimension);
  return -z / noise - gaussian * x;
}

struct Level {
  double noise = 0;
  double share = 1;  ///< weight in the extrapolated score
  Matrix gaussian;
  LeafMeans means;
};

LeafScores leaf_scores(const std::vector<Level>& levels) {
  const LeafMeans& finest = levels.front().means;
  LeafScores result;
  result.dimension = finest.dimension;
  const auto d = static_cast<std::size_t>(finest.dimension);
  std::vector<double> scores;
  double squares = 0, total = 0;
  for (std::size_t leaf = 0; leaf < finest.count.size(); ++leaf) {
    if (std::ranges::any_of(levels, [&](const Level& level) { return level.means.count[leaf] == 0; })) continue;
    Eigen::VectorXd score = Eigen::VectorXd::Zero(finest.dimension);
    for (const Level& level : levels) score += level.share * residual(level.means, leaf, level.noise, level.gaussian);
    const double weight = finest.count[leaf];
    squares += weight * score.squaredNorm();
    total += weight * static_cast<double>(d);
    scores.insert(scores.end(), score.begin(), score.end());
    for (std::size_t c = 0; c < d; ++c) result.centroids.push_back(static_cast<float>(finest.centroid[leaf * d + c]));
    result.weights.push_back(static_cast<float>(weight));
  }
  if (squares > 0) result.scale = std::sqrt(squares / total);
  for (const double score : scores) result.scores.push_back(static_cast<float>(score / result.scale));
  const double mean_weight = total / static_cast<double>(d * result.weights.size());
  for (float& weight : result.weights) weight = static_cast<float>(weight / mean_weight);
  return result;
}

class LeafExamples : public network::Examples {
 public:
  explicit LeafExamples(const LeafScores& leaves) : leaves_(leaves) {}

  std::size_t size() const override { return leaves_.weights.size(); }

  void get(std::span<const std::uint32_t> examples, std::uint32_t, float* inputs, float* targets,
           float* weights) const override {
    const auto d = static_cast<std::size_t>(leaves_.dimension);
    for (const std::uint32_t leaf : examples) {
      inputs = std::copy_n(leaves_.centroids.data() + leaf * d, d, inputs);
      targets = std::copy_n(leaves_.scores.data() + leaf * d, d, targets);
      *weights++ = leaves_.weights[leaf];
    }
  }

  std::optional<network::ExampleTable> table() const override {
    return network::ExampleTable{.inputs = leaves_.centroids, .targets = leaves_.scores, .weights = leaves_.weights};
  }

 private:
  const LeafScores& leaves_;
};

int leaves_of(const Samples& samples, const KgmmOptions& options) {
  return options.leaves > 0 ? options.leaves : default_leaves(samples.size());
}

void check(const Samples& samples, const KgmmOptions& options) {
  if (const std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  check(samples);
  if (samples.dimension() > most_kgmm_dimensions)
    throw Error(
        fmt::format("A state of {} components has too much room for leaves to fill (KGMM goes to {}). Use denoising "
                    "score matching.",
                    samples.dimension(), most_kgmm_dimensions));
  const int leaves = leaves_of(samples, options);
  if (samples.size() < static_cast<std::size_t>(leaves) * least_samples_a_leaf)
    throw Error(
        fmt::format("{} samples are too few for {} leaves: a leaf needs {}. Ask for fewer leaves or take more samples.",
                    samples.size(), leaves, least_samples_a_leaf));
  const std::size_t parameters = architecture_of(samples.dimension(), options).parameters();
  if (samples.size() < parameters)
    throw Error(
        fmt::format("{} samples are too few for a network of {} parameters. Take more samples or a smaller "
                    "network.",
                    samples.size(), parameters));
}

/// Means over the leaves of one tree at each noise level.
std::vector<Level> perturb(const Samples& samples, const std::vector<float>& points, const Matrix& covariance,
                           double noise, const KgmmOptions& options) {
  const int d = samples.dimension();
  const std::size_t stride = (samples.size() + options.tree_subsample - 1) / options.tree_subsample;
  const BisectingTree tree(perturbed(points, d, stride, noise, seed_of_part(options.seed, 0)), d,
                           leaves_of(samples, options));
  std::vector<Level> levels{{noise, options.extrapolate ? 4.0 / 3 : 1.0, {}, {}}};
  if (options.extrapolate) levels.push_back({2 * noise, -1.0 / 3, {}, {}});
  for (std::size_t l = 0; l < levels.size(); ++l) {
    levels[l].gaussian = options.gaussian_part ? gaussian_score(covariance, levels[l].noise) : Matrix::Zero(d, d);
    levels[l].means = leaf_means(tree, points,
                                 {.noise = levels[l].noise,
                                  .passes = options.passes,
                                  .tolerance = options.tolerance,
                                  .seed = seed_of_part(options.seed, static_cast<std::uint32_t>(1 + l)),
                                  .threads = options.threads});
  }
  return levels;
}

network::Network<float> fresh_network(int dimension, const KgmmOptions& options) {
  network::Network<float> network(architecture_of(dimension, options));
  network.initialise(options.seed);
  for (float& parameter : network.parameters()) parameter *= initial_share;
  network.prepare();
  return network;
}

}  // namespace

std::string KgmmOptions::problem() const {
  if (noise && !(*noise > 0 && *noise <= 1))
    return fmt::format("The noise level is {}; it must lie between 0 and 1 standard deviations, such as 0.1.", *noise);
  if (leaves < 0) return fmt::format("The number of leaves is {}; it must be positive, or 0 for the default.", leaves);
  if (passes < 1) return fmt::format("The number of passes is {}; it must be at least 1.", passes);
  if (!(tolerance >= 0)) return fmt::format("The tolerance is {}; it must not be negative.", tolerance);
  if (tree_subsample < 2) return "The tree needs a subsample of at least 2 samples; leave out tree_subsample.";
  if (std::ranges::any_of(hidden, [](int width) { return width < 1; }))
    return "A hidden layer of the network has no units; every width must be at least 1.";
  if (threads < 0) return fmt::format("The number of threads is {}; it must be positive, or 0 for all.", threads);
  return training.problem();
}

double default_noise(std::size_t samples) { return 0.08 * std::pow(1e6 / static_cast<double>(samples), 0.09); }

int default_leaves(std::size_t samples) {
  return static_cast<int>(std::clamp<std::size_t>(samples / least_samples_a_leaf, 1, 4096));
}

KgmmFit fit_kgmm(const Samples& samples, const KgmmOptions& options, const network::Network<float>* start,
                 const ProgressListener& progress, const Cancellation* cancellation) {
  const Stopwatch watch;
  check(samples, options);
  const int d = samples.dimension();
  const double noise = options.noise.value_or(default_noise(samples.size()));
  const Normalisation normalisation = normalisation_of(samples);
  const Matrix covariance = covariance_of(samples, normalisation, options.threads);
  const std::vector<Level> levels = perturb(samples, normalised(samples, normalisation), covariance, noise, options);
  const LeafScores scores = leaf_scores(levels);

  network::Network<float> network = fresh_network(d, options);
  KgmmFit fit;
  fit.warm = start != nullptr && start->architecture() == network.architecture();
  if (fit.warm) network = network::Network<float>(*start);
  network::TrainingOptions training = options.training;
  training.seed = options.seed;
  training.threads = options.threads;
  training.device = options.device;
  fit.method = "kgmm";
  fit.leaves = static_cast<int>(scores.weights.size());
  fit.passes = levels.front().means.passes;
  fit.change = levels.front().means.change;
  fit.settled = levels.front().means.settled;
  fit.training = gpu::train(network, LeafExamples(scores), training, progress, cancellation);

  NetworkScore parts{.method = fit.method,
                     .arrangement = {.fields = d, .sites = 1},
                     .normalisation = normalisation,
                     .noise = noise,
                     .scale = scores.scale,
                     .linear = {},
                     .network = std::move(network)};
  if (options.gaussian_part) {
    const Matrix gaussian = gaussian_score(covariance, 0);
    parts.linear.assign(gaussian.data(), gaussian.data() + gaussian.size());
  }
  fit.field = std::make_shared<NetworkField>(std::move(parts), 10, options.device);
  fit.description = fmt::format("{}, {} leaves, {} passes", fit.field->description(), fit.leaves, fit.passes);
  fit.wall_seconds = watch.seconds();
  return fit;
}

}  // namespace gfdt::score
