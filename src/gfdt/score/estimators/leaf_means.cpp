#include "gfdt/score/estimators/leaf_means.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gfdt/codegen/program/aligned_array.hpp"
#include "gfdt/codegen/random/normals.hpp"
#include "gfdt/parallel/spread.hpp"

namespace gfdt::score {
namespace {

constexpr std::size_t chunk = 1024;  // number of samples whose noise is drawn at once
constexpr std::size_t slices = 16;   // slices of the samples; their sums are added in order

std::size_t noise_rows(int dimension) { return static_cast<std::size_t>((dimension + 3) / 4 * 4); }

/// The noise of `count` samples starting at `first`, in rows of the width of a chunk.
void draw_noise(std::span<float> rows, std::size_t first, std::uint64_t seed, std::size_t pass) {
  std::uint32_t ids[chunk];
  std::iota(ids, ids + chunk, static_cast<std::uint32_t>(first));
  codegen::fill_normals(rows, ids, seed, codegen::Purpose::sampling, pass * (rows.size() / chunk / 4));
}

/// Σ1, Σz and Σx per leaf, [leaf][1 + 2 components].
class Sums {
 public:
  Sums(int leaves, int dimension)
      : dimension_(dimension), width_(static_cast<std::size_t>(1 + 2 * dimension)), values_(leaves * width_) {}

  std::size_t width() const { return width_; }
  std::vector<double>& all() { return values_; }
  const double* operator[](std::size_t leaf) const { return values_.data() + leaf * width_; }

  void add(std::span<const std::int32_t> leaf, const float* noise, double sign, const float* points) {
    for (std::size_t i = 0; i < leaf.size(); ++i) {
      double* sum = values_.data() + static_cast<std::size_t>(leaf[i]) * width_;
      *sum++ += 1;
      for (int c = 0; c < dimension_; ++c) *sum++ += sign * static_cast<double>(noise[c * chunk + i]);
      for (int c = 0; c < dimension_; ++c) *sum++ += static_cast<double>(points[c * chunk + i]);
    }
  }

 private:
  int dimension_;
  std::size_t width_;
  std::vector<double> values_;
};

struct Pass {
  const BisectingTree& tree;
  std::span<const float> samples;
  float noise;
  std::uint64_t seed;
  std::size_t number;

  void add(std::size_t first, std::size_t end, Sums& sums) const {
    const int dimension = tree.dimension();
    codegen::AlignedArray<float> z(noise_rows(dimension) * chunk), x(static_cast<std::size_t>(dimension) * chunk);
    std::vector<std::int32_t> leaf(chunk);
    for (; first < end; first += chunk) {
      const std::size_t count = std::min(chunk, end - first);
      draw_noise(z.span(), first, seed, number);
      for (const float sign : {1.0f, -1.0f}) {
        for (int c = 0; c < dimension; ++c) {
          const float* from = samples.data() + first * static_cast<std::size_t>(dimension) + c;
          const std::size_t row = static_cast<std::size_t>(c) * chunk;
          for (std::size_t i = 0; i < count; ++i)
            x[row + i] = from[i * static_cast<std::size_t>(dimension)] + sign * noise * z[row + i];
        }
        tree.leaves_of(x.data(), chunk, (count + 15) / 16 * 16, leaf.data());
        sums.add(std::span(leaf).first(count), z.data(), static_cast<double>(sign), x.data());
      }
    }
  }
};

/// Replaces the means by those of the sums and computes the change of the means of the noise.
void update(LeafMeans& means, const std::vector<Sums>& parts) {
  const auto d = static_cast<std::size_t>(means.dimension);
  double moved = 0, total = 0;
  std::vector<double> sum(1 + 2 * d);
  for (std::size_t leaf = 0; leaf < means.count.size(); ++leaf) {
    std::ranges::fill(sum, 0.0);
    for (const Sums& part : parts)
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += part[leaf][k];
    const double n = means.count[leaf] = sum[0];
    if (n == 0) continue;
    for (std::size_t c = 0; c < d; ++c) {
      const double mean = sum[1 + c] / n, before = means.noise[leaf * d + c];
      moved += n * (mean - before) * (mean - before);
      total += n * mean * mean;
      means.noise[leaf * d + c] = mean;
      means.centroid[leaf * d + c] = sum[1 + d + c] / n;
    }
  }
  means.change = means.passes > 0 ? std::sqrt(moved / total) : std::numeric_limits<double>::infinity();
  ++means.passes;
}

}  // namespace

LeafMeans leaf_means(const BisectingTree& tree, std::span<const float> samples, const Perturbing& perturbing) {
  const int d = tree.dimension();
  const std::size_t count = samples.size() / static_cast<std::size_t>(d);
  const std::size_t numbers = static_cast<std::size_t>(tree.leaves()) * static_cast<std::size_t>(d);
  LeafMeans means{.dimension = d,
                  .count = std::vector<double>(static_cast<std::size_t>(tree.leaves())),
                  .noise = std::vector<double>(numbers),
                  .centroid = std::vector<double>(numbers)};
  std::vector<Sums> parts(slices, Sums(tree.leaves(), d));
  while (means.passes < perturbing.passes && !means.settled) {
    const Pass pass{tree, samples, static_cast<float>(perturbing.noise), perturbing.seed,
                    static_cast<std::size_t>(means.passes)};
    for_each_block_on_ranks(
        "means over leaves", slices, perturbing.threads,
        [&](std::size_t slice) { pass.add(count * slice / slices, count * (slice + 1) / slices, parts[slice]); },
        {[&](std::size_t slice, Packer& packer) { packer.put(parts[slice].all()); },
         [&](std::size_t slice, Unpacker& unpacker) { unpacker.get(parts[slice].all()); }});
    update(means, parts);
    means.settled = means.change < perturbing.tolerance;
  }
  return means;
}

std::vector<float> perturbed(std::span<const float> samples, int dimension, std::size_t stride, double noise,
                             std::uint64_t seed) {
  const auto d = static_cast<std::size_t>(dimension);
  const std::size_t count = (samples.size() / d + stride - 1) / stride;
  std::vector<float> points(count * d);
  codegen::AlignedArray<float> z(noise_rows(dimension) * chunk);
  for (std::size_t first = 0; first < count; first += chunk) {
    draw_noise(z.span(), first, seed, 0);
    for (std::size_t i = 0; i < std::min(chunk, count - first); ++i)
      for (std::size_t c = 0; c < d; ++c)
        points[(first + i) * d + c] =
            samples[(first + i) * stride * d + c] + static_cast<float>(noise) * z[c * chunk + i];
  }
  return points;
}

}  // namespace gfdt::score
