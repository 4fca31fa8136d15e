#include <algorithm>

#include "gfdt/network/operation.hpp"

namespace gfdt::network {
namespace {

/// Copies the ends of each ring into its halos.
template <class T>
void wrap(const Tensor& tensor, T* data, int samples) {
  const long stride = tensor.stride, ring = tensor.sites * stride;
  for (int i = 0; i < samples; ++i) {
    T* first = data + i * tensor.sample_stride() + tensor.lead * stride;
    std::copy_n(first + ring - tensor.lead * stride, tensor.lead * stride, first - tensor.lead * stride);
    std::copy_n(first, tensor.tail * stride, first + ring);
  }
}

/// y[r] = bias + Σ_t W_t x[stride·r + t − lead], computed as a product of overlapping windows with the weights.
template <class T>
class ConvolutionOperation final : public Operation<T> {
 public:
  ConvolutionOperation(const Plan& plan, const Convolution& layer, std::size_t number, bool accumulate)
      : Operation<T>(number, number, number + 1),
        layer_(layer),
        x_(plan.tensors[number]),
        y_(plan.tensors[number + 1]),
        first_(plan.first_parameter[number]),
        accumulate_(accumulate),
        depth_(layer.kernel == 1 ? layer.in : layer.kernel * x_.stride),
        weights_(new_array(depth_ * y_.stride)),
        bias_(new_array(y_.stride)) {
    if (number > 0) transposed_ = new_array(backward_depth() * backward_columns());
  }
  std::unique_ptr<Operation<T>> clone() const override { return std::make_unique<ConvolutionOperation>(*this); }

  void allocate(Workspace<T>& workspace) const override {
    workspace.gradient[this->number_] = new_array((depth_ + 1) * y_.stride);
  }

  void prepare(const T* parameters) override {
    const T* w = parameters + first_;
    const int taps = layer_.kernel, in = layer_.in, out = layer_.out;
    for (int t = 0; t < taps; ++t)
      kernels<T>().pack({w + t * in * out, out, in, out, t * x_.stride, depth_, y_.stride, weights_.data()});
    std::copy_n(w + taps * in * out, out, bias_.data());
    if (this->number_ == 0) return;
    if (layer_.stride > 1) {
      AlignedArray<T> rows(static_cast<std::size_t>(taps * x_.stride * out + column_unit));
      for (int t = 0; t < taps; ++t) std::copy_n(w + t * in * out, in * out, rows.data() + t * x_.stride * out);
      kernels<T>().pack_transposed(
          {rows.data(), out, out, taps * x_.stride, 0, backward_depth(), backward_columns(), transposed_.data()});
    } else {
      for (int t = 0; t < taps; ++t)
        kernels<T>().pack_transposed({w + (taps - 1 - t) * in * out, out, out, in, t * y_.stride, backward_depth(),
                                      backward_columns(), transposed_.data()});
    }
  }

  void forward(Workspace<T>& workspace) const override {
    apply(workspace.value[this->in_], workspace.value[this->out_], bias_.data(), workspace.samples);
  }

  void tangent(Workspace<T>& workspace) const override {
    apply(workspace.companion[this->in_], workspace.companion[this->out_], nullptr, workspace.samples);
  }

  void backward(Workspace<T>& workspace) const override {
    T* dy = workspace.companion[this->out_].data();
    T* gradient = workspace.gradient[this->number_].data();
    const Rows<const T> d = y_.rows<const T>(dy);
    const Rows<const T> x = x_.rows<const T>(workspace.value[this->in_].data(), -lead(), layer_.stride);
    kernels<T>().outer_product(joined(OuterProduct<T>{x, depth_, d, y_.stride, y_.sites, workspace.samples, gradient}));
    kernels<T>().column_sums({d, y_.stride, y_.sites, workspace.samples, gradient + depth_ * y_.stride});
    if (this->number_ > 0) pass_back(workspace, dy);
  }

  void take_gradient(Workspace<T>& workspace, T* gradient) const override {
    AlignedArray<T>& sums = workspace.gradient[this->number_];
    T* to = gradient + first_;
    const int out = layer_.out;
    for (int t = 0; t < layer_.kernel; ++t)
      for (int i = 0; i < layer_.in; ++i) to = std::copy_n(sums.data() + (t * x_.stride + i) * y_.stride, out, to);
    std::copy_n(sums.data() + depth_ * y_.stride, out, to);
    std::fill_n(sums.data(), sums.size(), T{0});
  }

 private:
  static AlignedArray<T> new_array(int size) { return AlignedArray<T>(static_cast<std::size_t>(size)); }
  int lead() const { return layer_.stride > 1 ? 0 : (layer_.kernel - 1) / 2; }
  int backward_depth() const {
    return layer_.stride > 1 || layer_.kernel == 1 ? layer_.out : layer_.kernel * y_.stride;
  }
  int backward_columns() const { return layer_.stride > 1 ? layer_.kernel * x_.stride : x_.stride; }

  /// Samples without halos are merged into a single block of rows.
  template <class P>
  static P joined(P p) {
    auto& second = [&]() -> auto& {
      if constexpr (requires { p.c; })
        return p.c;
      else
        return p.d;
    }
    ();
    if (p.a.block_stride == p.rows * p.a.row_stride && second.block_stride == p.rows * second.row_stride) {
      p.rows *= p.blocks;
      p.blocks = 1;
    }
    return p;
  }

  void apply(AlignedArray<T>& x, AlignedArray<T>& y, const T* bias, int samples) const {
    if (layer_.kernel > 1 && layer_.stride == 1) wrap(x_, x.data(), samples);
    kernels<T>().product(joined(Product<T>{x_.rows<const T>(x.data(), -lead(), layer_.stride), depth_, weights_.data(),
                                           bias, y_.rows(y.data()), y_.stride, y_.sites, samples, false}));
  }

  /// dx[r] = Σ_t W_tᵀ dy[r + lead − t]: the same product with the taps in reverse order. With a stride, each row of dy
  /// gives `stride` rows of dx.
  void pass_back(Workspace<T>& workspace, T* dy) const {
    T* dx = workspace.companion[this->in_].data();
    const bool strided = layer_.stride > 1;
    if (layer_.kernel > 1 && !strided) wrap(y_, dy, workspace.samples);
    const int shift = strided ? 0 : -(layer_.kernel - 1 - lead());
    kernels<T>().product(joined(Product<T>{y_.rows<const T>(dy, shift), backward_depth(), transposed_.data(), nullptr,
                                           x_.rows(dx, 0, layer_.stride), backward_columns(), y_.sites,
                                           workspace.samples, accumulate_}));
  }

  Convolution layer_;
  Tensor x_, y_;
  std::size_t first_;
  bool accumulate_;  ///< whether a join has already contributed to dx
  int depth_;
  AlignedArray<T> weights_, transposed_, bias_;
};

}  // namespace

template <class T>
std::unique_ptr<Operation<T>> make_convolution(const Plan& plan, const Convolution& layer, std::size_t number,
                                               bool accumulate) {
  return std::make_unique<ConvolutionOperation<T>>(plan, layer, number, accumulate);
}
template std::unique_ptr<Operation<float>> make_convolution(const Plan&, const Convolution&, std::size_t, bool);
template std::unique_ptr<Operation<double>> make_convolution(const Plan&, const Convolution&, std::size_t, bool);

}  // namespace gfdt::network
