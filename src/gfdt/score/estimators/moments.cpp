#include "gfdt/score/estimators/moments.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "gfdt/parallel/spread.hpp"

namespace gfdt::score {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t most_blocks = 64;
/// Limit for the size of all partial sums together.
constexpr std::size_t most_numbers = std::size_t{1} << 26;
constexpr std::size_t least_block = 1024;
/// Number of samples whose deviations are stored at once.
constexpr std::size_t panel = 512;

void add_products(const Samples& samples, const std::vector<double>& mean, std::size_t begin, std::size_t end,
                  double* totals) {
  const Eigen::Index d = samples.dimension();
  const Eigen::Map<const Eigen::RowVectorXd> centre(mean.data(), d);
  Eigen::Map<RowMatrix> total(totals, d, d);
  RowMatrix deviations;
  for (std::size_t first = begin; first < end; first += panel) {
    const Eigen::Index count = static_cast<Eigen::Index>(std::min(panel, end - first));
    deviations = Eigen::Map<const RowMatrix>(samples[first], count, d).rowwise() - centre;
    total.noalias() += deviations.transpose() * deviations;
  }
}

}  // namespace

std::vector<double> sum_over_samples(std::size_t samples, std::size_t totals, const AddRange& add, int threads) {
  const std::size_t fitting = std::clamp<std::size_t>(most_numbers / std::max<std::size_t>(totals, 1), 1, most_blocks);
  const std::size_t blocks = std::clamp<std::size_t>(samples / least_block, 1, fitting);
  std::vector<std::vector<double>> partial(blocks);
  for_each_block_on_ranks("sums over samples", blocks, threads,
                          [&](std::size_t block) {
                            partial[block].assign(totals, 0.0);
                            add(samples * block / blocks, samples * (block + 1) / blocks, partial[block].data());
                          },
                          {[&](std::size_t block, Packer& packer) { packer.put(partial[block]); },
                           [&](std::size_t block, Unpacker& unpacker) { unpacker.get(partial[block]); }});
  for (std::size_t block = 1; block < blocks; ++block)
    for (std::size_t i = 0; i < totals; ++i) partial[0][i] += partial[block][i];
  return std::move(partial[0]);
}

Moments moments_of(const Samples& samples, int threads) {
  const std::size_t d = static_cast<std::size_t>(samples.dimension());
  const double n = static_cast<double>(samples.size());
  Moments moments;
  moments.mean = sum_over_samples(
      samples.size(), d,
      [&](std::size_t begin, std::size_t end, double* totals) {
        for (std::size_t sample = begin; sample < end; ++sample)
          for (std::size_t i = 0; i < d; ++i) totals[i] += samples[sample][i];
      },
      threads);
  for (double& mean : moments.mean) mean /= n;
  moments.covariance = sum_over_samples(
      samples.size(), d * d,
      [&](std::size_t begin, std::size_t end, double* totals) {
        add_products(samples, moments.mean, begin, end, totals);
      },
      threads);
  for (double& product : moments.covariance) product /= n;
  return moments;
}

std::vector<double> circulant_part(const Arrangement& arrangement, const std::vector<double>& matrix) {
  const std::size_t n = static_cast<std::size_t>(arrangement.sites),
                    fields = static_cast<std::size_t>(arrangement.fields);
  const std::size_t d = n * fields;
  std::vector<double> result(matrix.size());
  for (std::size_t a = 0; a < fields; ++a)
    for (std::size_t b = 0; b < fields; ++b)
      for (std::size_t offset = 0; offset < n; ++offset) {
        double total = 0;
        for (std::size_t k = 0; k < n; ++k) total += matrix[(a * n + k) * d + b * n + (k + offset) % n];
        for (std::size_t k = 0; k < n; ++k)
          result[(a * n + k) * d + b * n + (k + offset) % n] = total / static_cast<double>(n);
      }
  return result;
}

Moments averaged_over_translations(const Arrangement& arrangement, Moments moments) {
  if (!arrangement.lattice()) return moments;
  const std::size_t n = static_cast<std::size_t>(arrangement.sites), d = moments.mean.size();
  std::vector<double> mean(d, 0.0);
  for (std::size_t i = 0; i < d; ++i) mean[i / n * n] += moments.mean[i] / static_cast<double>(n);
  for (std::size_t i = 0; i < d; ++i) mean[i] = mean[i / n * n];
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j)
      moments.covariance[i * d + j] += (moments.mean[i] - mean[i]) * (moments.mean[j] - mean[j]);
  return {std::move(mean), circulant_part(arrangement, moments.covariance)};
}

void copy_rows(const Samples& samples, std::size_t first, int lanes, double* x) {
  const std::size_t d = static_cast<std::size_t>(samples.dimension()), width = static_cast<std::size_t>(lanes);
  for (std::size_t lane = 0; lane < width; ++lane)
    for (std::size_t i = 0; i < d; ++i) x[i * width + lane] = samples[first + lane][i];
}

}  // namespace gfdt::score
