#include "gfdt/control_variate/fit/sample_sums.hpp"

#include <algorithm>

#include "gfdt/gpu/control_variate/device_sums.hpp"
#include "gfdt/network/kernels.hpp"
#include "gfdt/parallel/spread.hpp"

namespace gfdt::control_variate {
namespace {

constexpr std::size_t width = static_cast<std::size_t>(lanes);

std::size_t parts_of(std::size_t groups) {
  return quarters * std::clamp<std::size_t>(groups / quarters, 1, most_parts_a_quarter);
}

std::size_t part_of(std::size_t group, std::size_t groups) { return parts_of(groups) * group / groups; }

std::size_t padded(std::size_t columns) {
  constexpr std::size_t unit = network::column_unit;
  return (columns + unit - 1) / unit * unit;
}

/// Accumulates the sums of a part.
class Part {
 public:
  Part(const score::Samples& samples, const DictionaryValues& values, const Targets& targets, bool products)
      : samples_(samples),
        values_(values),
        wanted_(targets),
        memory_(values.memory()),
        functions_(values.functions()),
        targets_(targets.count),
        products_(products),
        depth_(padded(functions_)),
        columns_(padded((products ? functions_ : 0) + targets_)),
        states_(static_cast<std::size_t>(samples.dimension()) * width),
        function_rows_(functions_ * width),
        target_rows_(targets_ * width),
        a_(depth_ * width),
        d_(columns_ * width),
        sums_(functions_ * columns_),
        target_squares_(targets_, 0.0) {}

  void add_group(std::size_t first, std::size_t end, std::vector<double>& function_mean,
                 std::vector<double>& target_mean) {
    function_mean.assign(functions_, 0.0);
    target_mean.assign(targets_, 0.0);
    for (std::size_t at = first; at < end; at += width)
      add_batch(at, std::min(width, end - at), function_mean, target_mean);
    const double count = static_cast<double>(end - first);
    count_ += count;
    for (std::size_t k = 0; k < functions_; ++k) function_sum_[k] += function_mean[k];
    for (std::size_t t = 0; t < targets_; ++t) target_sum_[t] += target_mean[t];
    for (double& mean : function_mean) mean /= count;
    for (double& mean : target_mean) mean /= count;
  }

  void finish(FunctionMoments& functions, TargetMoments& targets) const {
    using Eigen::Index;
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Index k = static_cast<Index>(functions_), t = static_cast<Index>(targets_);
    const Eigen::Map<const Rows> sums(sums_.data(), k, static_cast<Index>(columns_));
    FunctionMoments of_functions{count_, Eigen::Map<const Eigen::VectorXd>(function_sum_.data(), k), {}};
    if (products_)
      of_functions.products = sums.leftCols(k);
    else
      of_functions.products = Eigen::MatrixXd::Zero(0, 0);
    functions.add(of_functions);
    targets.add({Eigen::Map<const Eigen::VectorXd>(target_sum_.data(), t),
                 Eigen::Map<const Eigen::VectorXd>(target_squares_.data(), t), sums.middleCols(products_ ? k : 0, t)});
  }

 private:
  void add_batch(std::size_t first, std::size_t count, std::vector<double>& function_mean,
                 std::vector<double>& target_mean) {
    const std::size_t dimension = static_cast<std::size_t>(samples_.dimension());
    for (std::size_t lane = 0; lane < width; ++lane) {
      const double* const x = samples_[first + std::min(lane, count - 1)];
      for (std::size_t i = 0; i < dimension; ++i) states_[i * width + lane] = x[i];
    }
    values_.load(states_.data(), *memory_);
    values_.generated(function_rows_.data(), *memory_);
    wanted_.write(values_, states_.data(), *memory_, target_rows_.data());
    // Lanes beyond the last sample have weight 0.
    for (std::size_t lane = 0; lane < width; ++lane) {
      const double weight = lane < count ? 1 : 0;
      for (std::size_t k = 0; k < functions_; ++k) a_[lane * depth_ + k] = weight * function_rows_[k * width + lane];
      double* const d = &d_[lane * columns_];
      if (products_) std::copy_n(&a_[lane * depth_], functions_, d);
      for (std::size_t t = 0; t < targets_; ++t)
        d[(products_ ? functions_ : 0) + t] = weight * target_rows_[t * width + lane];
    }
    for (std::size_t k = 0; k < functions_; ++k)
      for (std::size_t lane = 0; lane < count; ++lane) function_mean[k] += function_rows_[k * width + lane];
    for (std::size_t t = 0; t < targets_; ++t)
      for (std::size_t lane = 0; lane < count; ++lane) {
        const double value = target_rows_[t * width + lane];
        target_mean[t] += value;
        target_squares_[t] += value * value;
      }
    network::kernels<double>().outer_product({{a_.data(), static_cast<long>(depth_), 0},
                                              static_cast<int>(functions_),
                                              {d_.data(), static_cast<long>(columns_), 0},
                                              static_cast<int>(columns_),
                                              lanes,
                                              1,
                                              sums_.data()});
  }

  const score::Samples& samples_;
  const DictionaryValues& values_;
  const Targets& wanted_;
  std::shared_ptr<DictionaryValues::Memory> memory_;
  std::size_t functions_, targets_;
  bool products_;
  std::size_t depth_, columns_;
  codegen::AlignedArray<double> states_, function_rows_, target_rows_, a_, d_, sums_;
  std::vector<double> target_squares_;
  std::vector<double> function_sum_ = std::vector<double>(functions_, 0.0);
  std::vector<double> target_sum_ = std::vector<double>(targets_, 0.0);
  double count_ = 0;
};

}  // namespace

std::vector<std::size_t> group_bounds(const score::Samples& samples) {
  std::vector<std::size_t> bounds;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (i == 0 || samples.group[i] != samples.group[i - 1]) bounds.push_back(i);
  bounds.push_back(samples.size());
  return bounds;
}

std::size_t half_of(std::size_t group, std::size_t groups) { return part_of(group, groups) / (parts_of(groups) / 2); }

namespace {

template <class Moments>
Moments merged(const std::vector<Moments>& parts, std::size_t quarter) {
  const std::size_t count = parts.size() / quarters;
  Moments sum = parts[quarter * count];
  for (std::size_t i = 1; i < count; ++i) sum.add(parts[quarter * count + i]);
  return sum;
}

}  // namespace

FunctionMoments SampleSums::functions_of(std::size_t quarter) const { return merged(functions, quarter); }
TargetMoments SampleSums::targets_of(std::size_t quarter) const { return merged(targets, quarter); }

namespace {

/// Number of multiplications to apply an operator to a product, per site.
constexpr double work_a_product = 8;

double work_of(const score::Samples& samples, const DictionaryValues& values, const Targets& targets, bool products) {
  const double k = static_cast<double>(values.functions()), t = static_cast<double>(targets.count);
  const double operators = targets.solutions.empty() ? 1 : 1 + static_cast<double>(values.parameters());
  return static_cast<double>(samples.size()) *
         (k * (products ? k + t : t) + operators * k * work_a_product * values.dictionary().sites);
}

}  // namespace

SampleSums sum_samples(const score::Samples& samples, const DictionaryValues& values, const Targets& targets,
                       bool products, const Workers& workers) {
  const std::vector<std::size_t> bounds = group_bounds(samples);
  const std::size_t groups = bounds.size() - 1, parts = parts_of(groups);
  SampleSums result;
  result.functions.resize(parts);
  result.targets.resize(parts);
  result.function_means.resize(groups);
  result.target_means.resize(groups);
  const auto first_group = [&](std::size_t part) { return (part * groups + parts - 1) / parts; };
  const bool on_device = workers.device && work_of(samples, values, targets, products) >= workers.least_device_work;
  const std::unique_ptr<DeviceSums> device =
      on_device ? DeviceSums::make(samples, values, targets, products, groups / parts + 1) : nullptr;
  const auto sum = [&](std::size_t number) {
    const std::size_t first = first_group(number), end = first_group(number + 1);
    if (device)
      return device->sum(std::span(bounds).subspan(first, end - first + 1), result.functions[number],
                         result.targets[number], std::span(result.function_means).subspan(first, end - first),
                         std::span(result.target_means).subspan(first, end - first));
    Part part(samples, values, targets, products);
    for (std::size_t g = first; g < end; ++g)
      part.add_group(bounds[g], bounds[g + 1], result.function_means[g], result.target_means[g]);
    part.finish(result.functions[number], result.targets[number]);
  };
  const auto pack = [&](std::size_t number, Packer& packer) {
    result.functions[number].pack(packer);
    result.targets[number].pack(packer);
    for (std::size_t g = first_group(number); g < first_group(number + 1); ++g) {
      packer.put(result.function_means[g]);
      packer.put(result.target_means[g]);
    }
  };
  const auto unpack = [&](std::size_t number, Unpacker& unpacker) {
    result.functions[number].unpack(unpacker);
    result.targets[number].unpack(unpacker);
    for (std::size_t g = first_group(number); g < first_group(number + 1); ++g) {
      unpacker.get(result.function_means[g]);
      unpacker.get(result.target_means[g]);
    }
  };
  for_each_block_on_ranks("sums over samples", parts, workers.threads, sum, {pack, unpack});
  return result;
}

}  // namespace gfdt::control_variate
