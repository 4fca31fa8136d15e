#include "gfdt/gpu/control_variate/device_sums.hpp"

#include <algorithm>

#include "gfdt/gpu/driver/compiler.hpp"

namespace gfdt::control_variate {

/// Text of the kernels.
extern const char* const sums_kernels_text;

namespace {

constexpr std::size_t width = static_cast<std::size_t>(lanes);
/// Largest number of samples per batch, and the bytes they may occupy.
constexpr std::size_t most_samples = 4096, batch_bytes = std::size_t{1} << 28;
/// Number of slices of a batch, which are summed by different threads.
constexpr unsigned slices = 32;
/// Must match sums_kernels.cuh.
constexpr std::size_t tile = 64;
constexpr unsigned tile_threads = 256;
struct Segment {
  unsigned group, first, end;
};

std::size_t bytes_per_sample(const score::Samples& samples, const DictionaryValues& values, const Targets& targets) {
  const std::size_t k = values.functions(), changed = targets.solutions.empty() ? 0 : k;
  return DeviceDictionary::bytes_per_sample(values.layout()) +
         (static_cast<std::size_t>(samples.dimension()) + targets.quantity_count + k + targets.count + changed) *
             sizeof(double);
}

std::size_t blocks_of(std::size_t count) { return (count + width - 1) / width; }

}  // namespace

/// Input of the device for a part of the samples, in blocks of [row][lane]. Lanes beyond the last sample repeat it.
struct DeviceSums::Given {
  codegen::AlignedArray<double> states, quantities;
};

std::unique_ptr<DeviceSums> DeviceSums::make(const score::Samples& samples, const DictionaryValues& values,
                                             const Targets& targets, bool products, std::size_t most_groups) {
  const gpu::Device* const device = gpu::Device::find();
  if (!device || targets.count == 0 || !gpu::compiler_missing().empty() || !fits_device(values.layout()))
    return nullptr;
  const std::size_t room = std::min(most_samples, batch_bytes / bytes_per_sample(samples, values, targets)) / width;
  if (room == 0) return nullptr;
  try {
    device->use();
    return std::unique_ptr<DeviceSums>(
        new DeviceSums(*device, samples, values, targets, products, most_groups, static_cast<unsigned>(room * width)));
  } catch (const gpu::OutOfMemory&) {
    return nullptr;
  }
}

DeviceSums::DeviceSums(const gpu::Device& device, const score::Samples& samples, const DictionaryValues& values,
                       const Targets& targets, bool products, std::size_t most_groups, unsigned room)
    : device_(device),
      samples_(samples),
      targets_(targets),
      parameters_(values.parameters()),
      functions_(values.functions()),
      columns_(functions_ + targets.count),
      first_column_(products ? 0 : functions_),
      room_(room),
      dictionary_(device, values, sums_kernels_text, room, !targets.solutions.empty()) {
  const std::string& source = dictionary_.source();
  targets_kernel_ = gpu::Kernel(device, source, "gfdt_targets");
  combine_ = gpu::Kernel(device, source, "gfdt_combine");
  group_sums_kernel_ = gpu::Kernel(device, source, "gfdt_group_sums");
  products_kernel_ = gpu::Kernel(device, source, "gfdt_products");
  total_ = gpu::Kernel(device, source, "gfdt_total");
  const auto doubles = [&](std::size_t count) { return gpu::Memory(device, count * sizeof(double)); };
  states_ = doubles(room * static_cast<std::size_t>(samples.dimension()));
  given_ = doubles(room * targets.quantity_count);
  values_ = doubles(room * columns_);
  changed_ = doubles(targets.solutions.empty() ? 0 : room * functions_);
  coefficients_ = doubles(targets.solutions.size());
  if (!targets.solutions.empty()) device.upload(std::span<const double>(targets.solutions), coefficients_.address());
  quantity_of_ = gpu::Memory(device, targets.count * sizeof(int));
  device.upload(std::span<const int>(targets.quantity_of), quantity_of_.address());
  sums_ = doubles(slices * functions_ * (columns_ - first_column_));
  segments_ = gpu::Memory(device, room * sizeof(Segment));
  group_sums_ = doubles(most_groups * (columns_ + targets.count));
}

DeviceSums::Given DeviceSums::given_to(std::size_t first, std::size_t end) const {
  const std::size_t dimension = static_cast<std::size_t>(samples_.dimension()), blocks = blocks_of(end - first);
  Given given{codegen::AlignedArray<double>(blocks * dimension * width),
              codegen::AlignedArray<double>(blocks * targets_.quantity_count * width)};
  for (std::size_t block = 0; block < blocks; ++block) {
    double* const states = &given.states[block * dimension * width];
    for (std::size_t lane = 0; lane < width; ++lane) {
      const double* const x = samples_[std::min(first + block * width + lane, end - 1)];
      for (std::size_t c = 0; c < dimension; ++c) states[c * width + lane] = x[c];
    }
    if (targets_.quantities) targets_.quantities(states, &given.quantities[block * targets_.quantity_count * width]);
  }
  return given;
}

void DeviceSums::add(const SampleSpan& span, std::size_t first_block, const Given& given) {
  const std::size_t blocks = blocks_of(span.samples);
  const auto upload = [&](const codegen::AlignedArray<double>& from, std::size_t rows, const gpu::Memory& to) {
    if (rows > 0)
      device_.upload(std::span(from.data() + first_block * rows * width, blocks * rows * width), to.address());
  };
  upload(given.states, static_cast<std::size_t>(samples_.dimension()), states_);
  upload(given.quantities, targets_.quantity_count, given_);
  const unsigned k = static_cast<unsigned>(functions_), t = static_cast<unsigned>(targets_.count),
                 columns = static_cast<unsigned>(columns_), p = static_cast<unsigned>(parameters_);
  dictionary_.load(span, states_.address());
  dictionary_.generate(span, {values_.address(), columns_, 1});
  targets_kernel_.launch(groups_for(span.samples) * t, threads_a_group, span, k, t, columns,
                         static_cast<unsigned>(targets_.quantity_count), quantity_of_.address(), given_.address(),
                         values_.address());
  const unsigned sets = static_cast<unsigned>(targets_.solutions.size() / functions_);
  for (unsigned j = 0; j < p && sets > 0; ++j)
    if (dictionary_.change(span, j, {changed_.address(), 1, span.room}))
      combine_.launch(groups_for(span.samples) * sets, threads_a_group, span, k, sets, columns, k + j, p,
                      coefficients_.address(), changed_.address(), values_.address());
  const std::size_t down = (functions_ + tile - 1) / tile, across = (columns_ - first_column_ + tile - 1) / tile;
  products_kernel_.launch(static_cast<unsigned>(down * across) * slices, tile_threads, span, slices, k, columns,
                          static_cast<unsigned>(first_column_), values_.address(), sums_.address());
}

void DeviceSums::add_groups(std::span<const std::size_t> bounds, std::size_t first, std::size_t end) {
  std::vector<Segment> segments;
  const auto begin = std::upper_bound(bounds.begin(), bounds.end(), first) - 1;
  for (auto group = begin; group + 1 < bounds.end() && *group < end; ++group)
    segments.push_back({static_cast<unsigned>(group - bounds.begin()),
                        static_cast<unsigned>(std::max(*group, first) - first),
                        static_cast<unsigned>(std::min(group[1], end) - first)});
  device_.upload(std::span<const Segment>(segments), segments_.address());
  group_sums_kernel_.launch_for(segments.size() * (columns_ + targets_.count), static_cast<unsigned>(segments.size()),
                                static_cast<unsigned>(functions_), static_cast<unsigned>(columns_), segments_.address(),
                                values_.address(), group_sums_.address());
}

std::vector<double> DeviceSums::numbers(const gpu::Memory& memory, std::size_t count) const {
  std::vector<double> result(count);
  device_.download(memory.address(), std::span(result));
  return result;
}

void DeviceSums::sum(std::span<const std::size_t> bounds, FunctionMoments& functions, TargetMoments& targets,
                     std::span<std::vector<double>> function_means, std::span<std::vector<double>> target_means) {
  const std::size_t first = bounds.front(), end = bounds.back(), groups = bounds.size() - 1;
  const std::size_t wide = columns_ - first_column_, sums_a_group = columns_ + targets_.count;
  const Given given = given_to(first, end);
  std::vector<double> products, of_groups;
  {
    std::lock_guard lock(mutex_);
    device_.use();
    device_.clear(sums_);
    device_.clear(group_sums_);
    for (std::size_t at = first; at < end; at += room_) {
      const std::size_t count = std::min<std::size_t>(room_, end - at);
      add({static_cast<unsigned>(count), room_}, (at - first) / width, given);
      add_groups(bounds, at, at + count);
    }
    total_.launch_for(functions_ * wide, slices, static_cast<unsigned long long>(functions_ * wide), sums_.address());
    products = numbers(sums_, functions_ * wide);
    of_groups = numbers(group_sums_, groups * sums_a_group);
  }
  using Eigen::Index;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Index k = static_cast<Index>(functions_), t = static_cast<Index>(targets_.count);
  const Eigen::Map<const Rows> sums(products.data(), k, static_cast<Index>(wide));
  const Eigen::Map<const Rows> group_sums(of_groups.data(), static_cast<Index>(groups),
                                          static_cast<Index>(sums_a_group));
  const Eigen::VectorXd all = group_sums.colwise().sum();
  functions = {static_cast<double>(end - first), all.head(k),
               first_column_ == 0 ? Eigen::MatrixXd(sums.leftCols(k)) : Eigen::MatrixXd(0, 0)};
  targets = {all.segment(k, t), all.tail(t), sums.rightCols(t)};
  for (std::size_t g = 0; g < groups; ++g) {
    const double count = static_cast<double>(bounds[g + 1] - bounds[g]);
    const double* const row = of_groups.data() + g * sums_a_group;
    for (std::size_t i = 0; i < columns_; ++i)
      (i < functions_ ? function_means : target_means)[g].push_back(row[i] / count);
  }
}

}  // namespace gfdt::control_variate
