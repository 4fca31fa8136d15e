#include "gfdt/score/estimators/bisecting_tree.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <optional>
#include <queue>

#include "gfdt/base/symmetric_eigen.hpp"
#include "gfdt/codegen/lanes/isa.hpp"

namespace gfdt::score {

GFDT_DECLARE_FOR_EACH_ISA(void descend(int dimension, int depth, const float* weights, int nodes,
                                       const float* threshold, const int* child, const float* rows, long stride,
                                       long count, int* node);)

namespace {

constexpr std::size_t lane_multiple = 16;
constexpr int most_lloyd_steps = 20;

std::size_t padded(std::size_t count) { return (count + lane_multiple - 1) / lane_multiple * lane_multiple; }

struct HalfSpace {
  std::vector<float> weights;
  float threshold = 0;
};

struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

/// The points in rows [component][point], sorted so that the points of a part are contiguous.
class Points {
 public:
  Points(std::span<const float> points, int dimension)
      : dimension_(dimension),
        count_(points.size() / static_cast<std::size_t>(dimension)),
        stride_(count_ + lane_multiple),
        rows_(stride_ * static_cast<std::size_t>(dimension)),
        side_(padded(count_)),
        moved_(count_) {
    for (std::size_t i = 0; i < count_; ++i)
      for (int c = 0; c < dimension; ++c) row(c)[i] = points[i * static_cast<std::size_t>(dimension) + c];
  }

  std::size_t count() const { return count_; }

  /// Splits the points of a range into two sides, first side first, and returns the index of the cut. Returns nothing
  /// if all points are the same.
  std::optional<std::size_t> split(Range range, HalfSpace& cut) {
    find_mean_and_covariance(range);
    const SymmetricEigen spectrum = symmetric_eigen(covariance_);
    if (!(spectrum.values.tail<1>()[0] > 0)) return std::nullopt;
    Eigen::VectorXd direction = spectrum.vectors.rightCols<1>();
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0) direction = -direction;
    const double deviation = std::sqrt(spectrum.values.tail<1>()[0]);
    std::size_t second = two_means(range, direction, deviation, cut);
    if (second == 0 || second == range.size()) second = cut_at_median(range, direction, cut);
    if (second == 0 || second == range.size()) return std::nullopt;
    sort_by_side(range);
    return range.end - second;
  }

 private:
  float* row(int c) { return rows_.data() + static_cast<std::size_t>(c) * stride_; }

  void find_mean_and_covariance(Range range) {
    const auto n = static_cast<double>(range.size());
    mean_.resize(dimension_);
    covariance_.resize(dimension_, dimension_);
    for (int c = 0; c < dimension_; ++c) {
      double sum = 0;
      for (std::size_t i = range.begin; i < range.end; ++i) sum += row(c)[i];
      mean_[c] = sum / n;
    }
    for (int a = 0; a < dimension_; ++a)
      for (int b = 0; b <= a; ++b) {
        double sum = 0;
        for (std::size_t i = range.begin; i < range.end; ++i) sum += (row(a)[i] - mean_[a]) * (row(b)[i] - mean_[b]);
        covariance_(a, b) = covariance_(b, a) = sum / n;
      }
  }

  /// Fills side_ and returns the number of points on the second side. The code that answers queries decides, so that
  /// both treat points on the edge in the same way.
  std::size_t find_sides(Range range, const HalfSpace& cut) {
    constexpr int nodes = 3;
    std::vector<float> weights(static_cast<std::size_t>(nodes * dimension_));
    for (int c = 0; c < dimension_; ++c) weights[static_cast<std::size_t>(nodes * c)] = cut.weights[c];
    const float threshold[nodes] = {cut.threshold, 0, 0};
    const int child[nodes] = {1, 1, 2};
    GFDT_CHOOSE_ISA(lanes::best_isa(), descend)
    (dimension_, 1, weights.data(), nodes, threshold, child, rows_.data() + range.begin, static_cast<long>(stride_),
     static_cast<long>(padded(range.size())), side_.data());
    std::size_t second = 0;
    for (std::size_t i = 0; i < range.size(); ++i) second += static_cast<std::size_t>(--side_[i]);
    return second;
  }

  /// A point is closer to b than to a if (b − a)·x > (b − a)·(a + b)/2. The initial centres are the means of the halves
  /// of a normal distribution, √(2/π) standard deviations from its mean.
  std::size_t two_means(Range range, const Eigen::VectorXd& direction, double deviation, HalfSpace& cut) {
    const Eigen::VectorXd step = direction * (deviation * std::sqrt(2 / std::numbers::pi));
    Eigen::VectorXd a = mean_ - step, b = mean_ + step;
    const auto n = static_cast<double>(range.size());
    std::size_t second = 0;
    for (int iteration = 0; iteration < most_lloyd_steps; ++iteration) {
      const Eigen::VectorXd normal = b - a;
      set(cut, normal, normal.dot(a + b) / 2);
      second = find_sides(range, cut);
      if (second == 0 || second == range.size()) return second;
      const auto m = static_cast<double>(second);
      const Eigen::VectorXd last_b = b;
      for (int c = 0; c < dimension_; ++c) {
        const float* x = row(c) + range.begin;
        double sum = 0;
        for (std::size_t i = 0; i < range.size(); ++i) sum += static_cast<double>(x[i] * static_cast<float>(side_[i]));
        b[c] = sum / m;
        a[c] = (mean_[c] * n - sum) / (n - m);
      }
      if ((b - last_b).norm() < settled * deviation) break;
    }
    return second;
  }

  /// Cuts perpendicular to the principal direction so that both halves have about the same number of points; the cut is
  /// moved if many points share the median.
  std::size_t cut_at_median(Range range, const Eigen::VectorXd& direction, HalfSpace& cut) {
    set(cut, direction, 0);
    std::vector<float> projections(range.size());
    for (int c = 0; c < dimension_; ++c)
      for (std::size_t i = 0; i < range.size(); ++i) projections[i] += cut.weights[c] * row(c)[range.begin + i];
    std::ranges::sort(projections);
    const auto middle = projections.begin() + static_cast<std::ptrdiff_t>((projections.size() - 1) / 2);
    const auto below = std::lower_bound(projections.begin(), projections.end(), projections.back());
    if (below == projections.begin()) return 0;
    cut.threshold = *std::min(middle, below - 1);
    return find_sides(range, cut);
  }

  void set(HalfSpace& cut, const Eigen::VectorXd& normal, double threshold) const {
    cut.weights.resize(static_cast<std::size_t>(dimension_));
    for (int c = 0; c < dimension_; ++c) cut.weights[c] = static_cast<float>(normal[c]);
    cut.threshold = static_cast<float>(threshold);
  }

  void sort_by_side(Range range) {
    for (int c = 0; c < dimension_; ++c) {
      float* x = row(c) + range.begin;
      std::size_t first = 0, second = 0;
      for (std::size_t i = 0; i < range.size(); ++i) {
        if (side_[i] == 0)
          x[first++] = x[i];
        else
          moved_[second++] = x[i];
      }
      std::copy_n(moved_.begin(), second, x + first);
    }
  }

  static constexpr double settled = 1e-3;  // convergence threshold: movement of a centre, in standard deviations

  int dimension_;
  std::size_t count_, stride_;
  std::vector<float> rows_;
  std::vector<std::int32_t> side_;
  std::vector<float> moved_;
  Eigen::VectorXd mean_;
  Eigen::MatrixXd covariance_;
};

}  // namespace

BisectingTree::BisectingTree(std::span<const float> points, int dimension, int leaves) : dimension_(dimension) {
  assert(dimension > 0 && leaves > 0 && points.size() % static_cast<std::size_t>(dimension) == 0);
  struct Node {
    Range range;
    int depth = 0;
    int child = -1;
    HalfSpace cut;
  };
  Points sorted(points, dimension);
  std::vector<Node> nodes{{{0, sorted.count()}, 0, -1, {}}};
  const auto emptier = [&nodes](int a, int b) {
    return std::pair(nodes[a].range.size(), -a) < std::pair(nodes[b].range.size(), -b);
  };
  std::priority_queue<int, std::vector<int>, decltype(emptier)> queue(emptier);
  queue.push(0);
  while (leaves_ < leaves && !queue.empty()) {
    const int parent = queue.top();
    queue.pop();
    const Range range = nodes[parent].range;
    if (range.size() < 2) break;
    const auto middle = sorted.split(range, nodes[parent].cut);
    if (!middle) continue;
    nodes[parent].child = static_cast<int>(nodes.size());
    const int depth = nodes[parent].depth + 1;
    depth_ = std::max(depth_, depth);
    for (const Range half : {Range{range.begin, *middle}, Range{*middle, range.end}}) {
      nodes.push_back({half, depth, -1, {}});
      queue.push(static_cast<int>(nodes.size()) - 1);
    }
    ++leaves_;
  }

  const std::size_t count = nodes.size();
  weights_.resize(count * static_cast<std::size_t>(dimension));
  threshold_.resize(count);
  child_.resize(count);
  leaf_.resize(count, -1);
  int leaf = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const bool is_leaf = nodes[n].child < 0;
    child_[n] = is_leaf ? static_cast<int>(n) : nodes[n].child;
    if (is_leaf) {
      leaf_[n] = leaf++;
      continue;
    }
    threshold_[n] = nodes[n].cut.threshold;
    for (int c = 0; c < dimension; ++c) weights_[static_cast<std::size_t>(c) * count + n] = nodes[n].cut.weights[c];
  }
}

void BisectingTree::leaves_of(const float* rows, std::size_t stride, std::size_t count, std::int32_t* leaf) const {
  assert(count % lane_multiple == 0);
  GFDT_CHOOSE_ISA(lanes::best_isa(), descend)
  (dimension_, depth_, weights_.data(), static_cast<int>(child_.size()), threshold_.data(), child_.data(), rows,
   static_cast<long>(stride), static_cast<long>(count), leaf);
  for (std::size_t i = 0; i < count; ++i) leaf[i] = leaf_[static_cast<std::size_t>(leaf[i])];
}

int BisectingTree::leaf_of(const float* x) const {
  std::vector<float> rows(lane_multiple * static_cast<std::size_t>(dimension_));
  for (int c = 0; c < dimension_; ++c) rows[lane_multiple * static_cast<std::size_t>(c)] = x[c];
  std::int32_t leaf[lane_multiple];
  leaves_of(rows.data(), lane_multiple, lane_multiple, leaf);
  return leaf[0];
}

}  // namespace gfdt::score
