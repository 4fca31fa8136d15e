#include "gfdt/gpu/network/device_trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gfdt/base/error.hpp"
#include "gfdt/gpu/network/placement.hpp"

namespace gfdt::gpu {
namespace {

using network::AdamRate;
using network::Epoch;
using network::Loss;

// Must match examples.cuh and training_kernels.cuh.
struct ExampleSource {
  Address inputs, targets, weights;
  unsigned long long noise_seed, turn_seed;
  float noise;
  unsigned turn, sites, fields;
};
struct Batch {
  Address order;
  unsigned count, round, slices, chunk;
};
struct EpochSums {
  double sum, weight, broken;
};

constexpr unsigned threads = 32 * warps;
/// Number of operations per batch below which one group is as fast as many.
constexpr double operations_for_one_group = 8e6;
/// Thread groups per multiprocessor.
constexpr unsigned most_neighbours = 2;
/// Batches per launch of a single group, limited for progress and cancellation.
constexpr std::size_t batches_at_once = 256;

class GpuTrainer final : public DeviceTrainer {
 public:
  GpuTrainer(const Device& device, const network::Network<float>& network, const network::Examples& examples,
             const network::ExampleTable& table, const network::TrainingOptions& options, const Layout& layout,
             bool precise)
      : device_(device),
        slicing_(network::slicing_of(network, options.batch)),
        alone_(layout.alone >= 0 ? layout.alone == 1
                                 : 3 * network.architecture().operations() * options.batch < operations_for_one_group),
        placement_(device, network.architecture(),
                   samples_for(device, network.architecture(), options.batch, layout, alone_),
                   most_neighbours * static_cast<unsigned>(device.multiprocessors())),
        inputs_(copy_of(table.inputs)),
        targets_(copy_of(table.targets)),
        weights_(copy_of(table.weights)),
        order_(device, examples.size() * sizeof(std::uint32_t)) {
    source_ = {.inputs = inputs_.address(),
               .targets = targets_.address(),
               .weights = weights_.address(),
               .noise_seed = table.noise_seed,
               .turn_seed = table.turn_seed,
               .noise = table.noise,
               .turn = table.turn ? 1u : 0u,
               .sites = static_cast<unsigned>(table.sites),
               .fields = static_cast<unsigned>(table.fields)};
    const std::size_t bytes = placement_.program().parameters * sizeof(float);
    mean_ = Memory(device, bytes);
    square_ = Memory(device, bytes);
    gradients_ = Memory(device, placement_.groups() * bytes);
    device.clear(gradients_);
    losses_ = Memory(device, placement_.groups() * sizeof(Loss));
    for (Memory& sums : sums_) sums = Memory(device, sizeof(EpochSums));
    // With one group per multiprocessor, a thread can use twice as many registers.
    const bool crowded = placement_.groups_for(static_cast<std::size_t>(options.batch)) >
                         static_cast<unsigned>(device.multiprocessors());
    const std::string source = training_source(precise, crowded ? static_cast<int>(most_neighbours) : 1);
    gradient_ = Kernel(device, source, "gfdt_gradient");
    gradient_.set_group_memory(placement_.group_bytes());
    step_ = Kernel(device, source, "gfdt_step");
    step_.set_group_memory(threads * sizeof(Loss));
    train_alone_ = Kernel(device, source, "gfdt_train_alone");
    train_alone_.set_group_memory(placement_.group_bytes());
  }

  std::vector<float> parameters() override { return placement_.parameters(); }

  void start(std::span<const float> parameters) override {
    placement_.set_parameters(parameters);
    device_.clear(mean_);
    device_.clear(square_);
  }

  Loss run(std::span<const std::uint32_t> examples, const Epoch& epoch) override {
    begin(examples);
    std::vector<AdamRate> rates;
    for (std::size_t batch = 0; batch < epoch.batches; ++batch) rates.push_back(epoch.rate(batch));
    if (rates_.bytes() < rates.size() * sizeof(AdamRate)) rates_ = Memory(device_, rates.size() * sizeof(AdamRate));
    device_.upload(std::span<const AdamRate>(rates), rates_.address());
    if (alone_)
      run_alone(examples.size(), epoch);
    else
      run_together(examples.size(), epoch);
    return sums();
  }

  Loss loss(std::span<const std::uint32_t> examples, std::uint32_t round) override {
    begin(examples);
    visit({order_.address(), static_cast<unsigned>(examples.size()), round, slices(), chunk()}, false, 0);
    return sums();
  }

  std::vector<float> gradient(std::span<const std::uint32_t> examples, std::uint32_t round) override {
    begin(examples);
    visit({order_.address(), static_cast<unsigned>(examples.size()), round, slices(), chunk()}, true, 0);
    const Program& program = placement_.program();
    std::vector<float> all(program.parameters * placement_.groups_for(examples.size()));
    device_.download(gradients_.address(), std::span(all));
    for (std::size_t i = program.parameters; i < all.size(); ++i) all[i % program.parameters] += all[i];
    std::vector<float> result(program.host_parameters());
    program.to_host(all, result);
    return result;
  }

  std::vector<Cost> costs(std::span<const std::uint32_t> examples) override {
    const std::vector<Operation>& operations = placement_.program().operations;
    const Memory clocks(device_, 3 * operations.size() * sizeof(long long));
    device_.clear(clocks);
    clocks_ = clocks.address();
    gradient(examples, 0);
    clocks_ = 0;
    std::vector<long long> cycles(3 * operations.size());
    device_.download(clocks.address(), std::span(cycles));
    std::vector<Cost> result;
    const char* const passes[] = {"forward", "weights", "backward"};
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      const Operation& o = operations[i % operations.size()];
      const char* const kind = o.kind == Operation::convolution ? "convolution"
                               : o.kind == Operation::join      ? "join"
                                                                : "activation";
      if (cycles[i] > 0)
        result.push_back({fmt::format("{} {} {} x {}-{}, {} taps", passes[i / operations.size()], kind, o.sites,
                                      o.in_channels, o.out_channels, o.taps),
                          static_cast<double>(cycles[i])});
    }
    return result;
  }

 private:
  static int samples_for(const Device& device, const network::Architecture& architecture, int batch,
                         const Layout& layout, bool alone) {
    if (layout.samples > 0) return layout.samples;
    // All groups run concurrently: one per multiprocessor, or as many as necessary.
    const int groups = alone ? 1 : device.multiprocessors(), neighbours = alone ? 1 : static_cast<int>(most_neighbours);
    const auto share = [batch](int among) { return (batch + among - 1) / among; };
    return program_of(architecture).best_samples(share(neighbours * groups), share(groups), device.group_bytes());
  }

  Memory copy_of(std::span<const float> numbers) const {
    Memory memory(device_, numbers.size_bytes());
    if (!numbers.empty()) device_.upload(numbers, memory.address());
    return memory;
  }

  unsigned slices() const { return static_cast<unsigned>(slicing_.slices); }
  unsigned chunk() const { return static_cast<unsigned>(slicing_.chunk); }

  void begin(std::span<const std::uint32_t> examples) {
    device_.upload(examples, order_.address());
    device_.clear(sums_[0]);
    current_ = 0;
  }

  /// Computes the gradients of a batch, and takes a step if there is a rate for it.
  void visit(const Batch& batch, bool backward, Address rate) {
    const unsigned groups = placement_.groups_for(batch.count);
    KernelNetwork network = placement_.network();
    network.clocks = clocks_;
    gradient_.launch(groups, threads, network, source_, batch, gradients_.address(), losses_.address(),
                     backward ? 1u : 0u);
    const unsigned pieces = backward ? (network.parameter_count + threads - 1) / threads : 1;
    step_.launch(pieces, threads, network, gradients_.address(), losses_.address(), groups, mean_.address(),
                 square_.address(), rate, sums_[current_].address(), sums_[1 - current_].address());
    current_ = 1 - current_;
  }

  void run_together(std::size_t examples, const Epoch& epoch) {
    for (std::size_t batch = 0; batch < epoch.batches; ++batch) {
      const std::size_t from = batch * examples / epoch.batches, to = (batch + 1) * examples / epoch.batches;
      visit({order_.address() + from * sizeof(std::uint32_t), static_cast<unsigned>(to - from), epoch.round, slices(),
             chunk()},
            true, rates_.address() + batch * sizeof(AdamRate));
      if (!epoch.go_on(batch)) return;
    }
  }

  void run_alone(std::size_t examples, const Epoch& epoch) {
    const Batch all{order_.address(), static_cast<unsigned>(examples), epoch.round, slices(), chunk()};
    for (std::size_t first = 0; first < epoch.batches; first += batches_at_once) {
      const std::size_t last = std::min(first + batches_at_once, epoch.batches);
      train_alone_.launch(1, threads, placement_.network(), source_, all, static_cast<unsigned>(first),
                          static_cast<unsigned>(last), static_cast<unsigned>(epoch.batches), gradients_.address(),
                          mean_.address(), square_.address(), rates_.address(), sums_[0].address());
      if (!epoch.go_on(last - 1)) return;
    }
  }

  Loss sums() const {
    EpochSums result{};
    device_.download(sums_[current_].address(), std::span(&result, 1));
    if (result.broken != 0) return {std::numeric_limits<double>::quiet_NaN(), 1};
    return {result.sum, result.weight};
  }

  const Device& device_;
  network::Slicing slicing_;
  bool alone_;
  Placement placement_;
  Memory inputs_, targets_, weights_, order_;
  Memory mean_, square_, gradients_, losses_, rates_;
  Memory sums_[2];  ///< sums of the epoch, used alternately
  int current_ = 0;
  Address clocks_ = 0;
  ExampleSource source_{};
  Kernel gradient_, step_, train_alone_;
};

}  // namespace

std::unique_ptr<DeviceTrainer> make_device_trainer(const network::Network<float>& network,
                                                   const network::Examples& examples,
                                                   const network::TrainingOptions& options, const Layout& layout,
                                                   bool precise) {
  if (const std::string missing = missing_for(network.architecture()); !missing.empty()) throw Error(missing);
  const auto table = examples.table();
  if (!table) throw Error("These examples cannot be given to a GPU.");
  const Device& device = *Device::find();
  device.use();
  return std::make_unique<GpuTrainer>(device, network, examples, *table, options, layout, precise);
}

}  // namespace gfdt::gpu
