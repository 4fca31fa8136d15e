#include "gfdt/network/network.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gfdt/base/philox.hpp"
#include "gfdt/network/operation.hpp"

namespace gfdt::network {
namespace {

/// Halos are as wide as the convolutions before and after a tensor require.
Plan make_plan(const Architecture& architecture) {
  Plan plan;
  for (const Shape& shape : shapes(architecture))
    plan.tensors.push_back({shape.sites, shape.channels, padded(shape.channels), 0, 0});
  if (std::holds_alternative<Convolution>(architecture.layers.front())) plan.tensors[0].stride = architecture.channels;
  std::size_t first = 0;
  for (std::size_t i = 0; i < architecture.layers.size(); ++i) {
    plan.first_parameter.push_back(first);
    first += parameter_count(architecture.layers[i]);
    const auto* layer = std::get_if<Convolution>(&architecture.layers[i]);
    if (!layer || layer->stride > 1 || is_fast(*layer, plan.tensors[i].sites)) continue;
    const int lead = (layer->kernel - 1) / 2, tail = layer->kernel - 1 - lead;
    Tensor &x = plan.tensors[i], &y = plan.tensors[i + 1];
    x.lead = std::max(x.lead, lead), x.tail = std::max(x.tail, tail);
    if (i > 0) y.lead = std::max(y.lead, tail), y.tail = std::max(y.tail, lead);
  }
  return plan;
}

/// Calls work(address of the site in the tensor, index of the site over all samples).
template <class T, class Work>
void for_sites(const Tensor& tensor, T* data, int samples, Work work) {
  const Rows<T> rows = tensor.rows(data);
  for (int i = 0; i < samples; ++i)
    for (int site = 0; site < tensor.sites; ++site)
      work(rows.data + i * rows.block_stride + site * rows.row_stride, static_cast<long>(i) * tensor.sites + site);
}

template <class T>
void put(const Tensor& tensor, const T* from, T* data, int samples) {
  for_sites(tensor, data, samples,
            [&](T* site, long number) { std::copy_n(from + number * tensor.channels, tensor.channels, site); });
}

template <class T>
void get(const Tensor& tensor, const T* data, T* to, int samples) {
  for_sites(tensor, data, samples,
            [&](const T* site, long number) { std::copy_n(site, tensor.channels, to + number * tensor.channels); });
}

}  // namespace

template <class T>
struct Network<T>::Parts {
  explicit Parts(Architecture a) : architecture(std::move(a)), plan(make_plan(architecture)) {
    const std::vector<Layer>& layers = architecture.layers;
    std::vector<int> uses(layers.size() + 1, 0);  // number of later operations that use a tensor; these run first in
                                                  // the backward pass
    for (std::size_t i = layers.size(); i-- > 0;)
      if (const auto* join = std::get_if<UpsampleAndJoin>(&layers[i])) {
        const bool again = uses[static_cast<std::size_t>(join->skip) + 1]++ > 0;
        operations.push_back(make_join<T>(plan, *join, i, again));
      } else if (const auto* convolution = std::get_if<Convolution>(&layers[i])) {
        const bool fast = is_fast(*convolution, plan.tensors[i].sites);
        operations.push_back(
            (fast ? make_fast_convolution<T> : make_convolution<T>)(plan, *convolution, i, uses[i] > 0));
      } else if (const auto* norm = std::get_if<GroupNorm>(&layers[i])) {
        operations.push_back(make_activation<T>(plan, norm, false, i, i + 1));
      } else {
        const auto* before = i > 0 ? std::get_if<GroupNorm>(&layers[i - 1]) : nullptr;
        operations.push_back(make_activation<T>(plan, before, true, before ? i - 1 : i, i + 1));
        if (before) --i;
      }
    std::ranges::reverse(operations);
    count = architecture.parameters();
    const auto unit = static_cast<std::size_t>(column_unit);
    parameters = AlignedArray<T>((count + unit - 1) / unit * unit + unit);
  }
  Parts(const Parts& other)
      : architecture(other.architecture), plan(other.plan), parameters(other.parameters), count(other.count) {
    for (const auto& operation : other.operations) operations.push_back(operation->clone());
  }

  const Tensor& in() const { return plan.tensors.front(); }
  const Tensor& out() const { return plan.tensors.back(); }

  Architecture architecture;
  Plan plan;
  std::vector<std::unique_ptr<Operation<T>>> operations;
  AlignedArray<T> parameters;  ///< followed by an unused unit, for loads of whole vectors
  std::size_t count;
};

template <class T>
Network<T>::Network(Architecture architecture) : parts_(std::make_unique<Parts>(std::move(architecture))) {}
template <class T>
Network<T>::~Network() = default;
template <class T>
Network<T>::Network(Network&&) noexcept = default;
template <class T>
Network<T>& Network<T>::operator=(Network&&) noexcept = default;
template <class T>
Network<T>::Network(const Network& other) : parts_(std::make_unique<Parts>(*other.parts_)) {}

template <class T>
const Architecture& Network<T>::architecture() const {
  return parts_->architecture;
}

template <class T>
void Network<T>::initialise(std::uint64_t seed, double last_scale) {
  const codegen::Stream stream(seed, codegen::Purpose::training, 0);
  std::uint64_t position = 0;
  T* to = parts_->parameters.data();
  const std::vector<Layer>& layers = architecture().layers;
  for (const Layer& layer : layers)
    if (const auto* convolution = std::get_if<Convolution>(&layer)) {
      const int inputs = convolution->kernel * convolution->in;
      const double bound = std::sqrt(3.0 / inputs) * (&layer == &layers.back() ? last_scale : 1.0);
      for (int i = 0; i < inputs * convolution->out; ++i)
        *to++ = static_cast<T>(bound * (2 * stream.uniform(position++) - 1));
      to = std::fill_n(to, convolution->out, T{0});
    } else if (const auto* norm = std::get_if<GroupNorm>(&layer)) {
      to = std::fill_n(to, norm->channels, T{1});
      to = std::fill_n(to, norm->channels, T{0});
    }
  prepare();
}

template <class T>
std::span<const T> Network<T>::parameters() const {
  return {parts_->parameters.data(), parts_->count};
}
template <class T>
std::span<T> Network<T>::parameters() {
  return {parts_->parameters.data(), parts_->count};
}
template <class T>
std::span<T> Network<T>::padded_parameters() {
  return {parts_->parameters.data(), parts_->parameters.size() - static_cast<std::size_t>(column_unit)};
}
template <class T>
void Network<T>::prepare() {
  for (auto& operation : parts_->operations) operation->prepare(parts_->parameters.data());
}

template <class T>
std::unique_ptr<Workspace<T>> Network<T>::workspace(int samples) const {
  auto result = std::make_unique<Workspace<T>>();
  result->capacity = samples;
  for (const Tensor& tensor : parts_->plan.tensors) {
    const auto size = static_cast<std::size_t>(samples * tensor.sample_stride());
    result->value.emplace_back(size);
    result->companion.emplace_back(size);
  }
  const std::size_t layers = architecture().layers.size();
  result->slope.resize(layers), result->kept.resize(layers), result->gradient.resize(layers);
  for (const auto& operation : parts_->operations) operation->allocate(*result);
  return result;
}

template <class T>
int Network<T>::best_samples() const {
  constexpr long cache = 200'000;  // approximate capacity of a core's cache in numbers
  long numbers = 0;
  for (const Tensor& tensor : parts_->plan.tensors) numbers += 2 * tensor.sample_stride();
  return static_cast<int>(std::clamp(cache / std::max(numbers, 1L), 4L, 256L));
}

template <class T>
void Network<T>::forward(Workspace<T>& workspace, int samples, const T* x, T* y) const {
  assert(samples <= workspace.capacity);
  workspace.samples = samples;
  put(parts_->in(), x, workspace.value.front().data(), samples);
  for (const auto& operation : parts_->operations) operation->forward(workspace);
  get<T>(parts_->out(), workspace.value.back().data(), y, samples);
}

template <class T>
void Network<T>::tangent(Workspace<T>& workspace, const T* v, T* dy) const {
  put(parts_->in(), v, workspace.companion.front().data(), workspace.samples);
  for (const auto& operation : parts_->operations) operation->tangent(workspace);
  get<T>(parts_->out(), workspace.companion.back().data(), dy, workspace.samples);
}

template <class T>
bool Network<T>::has_window() const {
  bool first = true;
  for (const Layer& layer : architecture().layers) {
    const auto* convolution = std::get_if<Convolution>(&layer);
    if (first ? !convolution || convolution->stride > 1
              : !std::holds_alternative<Swish>(layer) && !(convolution && convolution->kernel == 1))
      return false;
    first = false;
  }
  return true;
}

template <class T>
void Network<T>::window_tangent(Workspace<T>& workspace, int offset, int channel, T* dy) const {
  assert(has_window());
  const auto& layer = std::get<Convolution>(architecture().layers.front());
  const int tap = offset + (layer.kernel - 1) / 2;
  const Tensor& hidden = parts_->plan.tensors[1];
  const Rows<T> rows = hidden.rows(workspace.companion[1].data());
  const T* weights = parts_->parameters.data() + (tap * layer.in + channel) * layer.out;
  for (int i = 0; i < workspace.samples; ++i)
    for (int site = 0; site < hidden.sites; ++site) {
      T* row = rows.data + i * rows.block_stride + site * rows.row_stride;
      if (tap >= 0 && tap < layer.kernel)
        std::copy_n(weights, layer.out, row);
      else
        std::fill_n(row, layer.out, T{0});
    }
  for (std::size_t i = 1; i < parts_->operations.size(); ++i) parts_->operations[i]->tangent(workspace);
  get<T>(parts_->out(), workspace.companion.back().data(), dy, workspace.samples);
}

template <class T>
void Network<T>::backward(Workspace<T>& workspace, const T* dy) const {
  put(parts_->out(), dy, workspace.companion.back().data(), workspace.samples);
  for (auto operation = parts_->operations.rbegin(); operation != parts_->operations.rend(); ++operation)
    (*operation)->backward(workspace);
}

template <class T>
void Network<T>::take_gradient(Workspace<T>& workspace, T* gradient) const {
  for (const auto& operation : parts_->operations) operation->take_gradient(workspace, gradient);
}

template class Network<float>;
template class Network<double>;

}  // namespace gfdt::network
