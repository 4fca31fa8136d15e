#include "gfdt/network/fast_convolution.hpp"

#include <algorithm>

#include "gfdt/network/operation.hpp"

namespace gfdt::network {
namespace {

template <class T>
void at_least(AlignedArray<T>& array, std::size_t size) {
  if (array.size() < size) array = AlignedArray<T>(size);
}

template <class T>
class FastConvolutionOperation final : public Operation<T> {
 public:
  FastConvolutionOperation(const Plan& plan, const Convolution& layer, std::size_t number, bool accumulate)
      : Operation<T>(number, number, number + 1),
        layer_(layer),
        x_(plan.tensors[number]),
        y_(plan.tensors[number + 1]),
        first_(plan.first_parameter[number]),
        accumulate_(accumulate),
        weights_(static_cast<std::size_t>(fast_points * layer.in * y_.stride)),
        transposed_(static_cast<std::size_t>(fast_points * layer.out * x_.stride)),
        bias_(static_cast<std::size_t>(y_.stride)) {}
  std::unique_ptr<Operation<T>> clone() const override { return std::make_unique<FastConvolutionOperation>(*this); }

  void allocate(Workspace<T>& workspace) const override {
    const auto points = static_cast<std::size_t>(fast_points * rows(workspace.capacity));
    workspace.kept[this->number_] = AlignedArray<T>(points * static_cast<std::size_t>(x_.stride));
    workspace.gradient[this->number_] =
        AlignedArray<T>(static_cast<std::size_t>((fast_points * layer_.in + 1) * y_.stride));
    at_least(workspace.scratch[0], points * static_cast<std::size_t>(y_.stride));
    at_least(workspace.scratch[1], points * static_cast<std::size_t>(x_.stride));
  }

  void prepare(const T* parameters) override {
    const int in = layer_.in, out = layer_.out;
    AlignedArray<T> points(static_cast<std::size_t>(fast_points * in * out + column_unit));
    kernels<T>().fast_weights(parameters + first_, static_cast<long>(in) * out, points.data());
    for (int p = 0; p < fast_points; ++p) {
      const T* from = points.data() + p * in * out;
      kernels<T>().pack({from, out, in, out, 0, in, y_.stride, weights_.data() + p * in * y_.stride});
      kernels<T>().pack_transposed({from, out, out, in, 0, out, x_.stride, transposed_.data() + p * out * x_.stride});
    }
    std::copy_n(parameters + first_ + fast_kernel * in * out, out, bias_.data());
  }

  void forward(Workspace<T>& workspace) const override {
    apply(workspace, workspace.value, workspace.kept[this->number_].data(), bias_.data());
  }
  void tangent(Workspace<T>& workspace) const override {
    apply(workspace, workspace.companion, workspace.scratch[1].data(), nullptr);
  }

  void backward(Workspace<T>& workspace) const override {
    const int count = rows(workspace.samples);
    T* dy_points = workspace.scratch[0].data();
    T* dx_points = workspace.scratch[1].data();
    const T* x_points = workspace.kept[this->number_].data();
    T* gradient = workspace.gradient[this->number_].data();
    T* dy = workspace.companion[this->out_].data();
    T* dx = workspace.companion[this->in_].data();
    kernels<T>().fast_output_transposed(transform(y_, dy, dy_points, workspace.samples));
    kernels<T>().column_sums(
        {y_.rows<const T>(dy), y_.stride, y_.sites, workspace.samples, gradient + fast_points * layer_.in * y_.stride});
    for (int p = 0; p < fast_points; ++p) {
      const Rows<const T> d{dy_points + static_cast<long>(p) * count * y_.stride, y_.stride, 0};
      const Rows<const T> x{x_points + static_cast<long>(p) * count * x_.stride, x_.stride, 0};
      kernels<T>().outer_product({x, layer_.in, d, y_.stride, count, 1, gradient + p * layer_.in * y_.stride});
      const Rows<T> to{dx_points + static_cast<long>(p) * count * x_.stride, x_.stride, 0};
      kernels<T>().product(
          {d, layer_.out, transposed_.data() + p * layer_.out * x_.stride, nullptr, to, x_.stride, count, 1, false});
    }
    if (!accumulate_) std::fill_n(dx, static_cast<std::size_t>(workspace.samples * x_.sample_stride()), T{0});
    kernels<T>().fast_input_transposed(transform(x_, dx, dx_points, workspace.samples));
  }

  void take_gradient(Workspace<T>& workspace, T* gradient) const override {
    AlignedArray<T>& sums = workspace.gradient[this->number_];
    T* to = gradient + first_;
    kernels<T>().fast_weights_transposed(sums.data(), layer_.in, y_.stride, layer_.out, to);
    std::copy_n(sums.data() + fast_points * layer_.in * y_.stride, layer_.out,
                to + fast_kernel * layer_.in * layer_.out);
    std::fill_n(sums.data(), sums.size(), T{0});
  }

 private:
  int rows(int samples) const { return (y_.sites + fast_outputs - 1) / fast_outputs * samples; }

  FastTransform<T> transform(const Tensor& tensor, T* rings, T* points, int samples) const {
    return {
        tensor.rows(rings),    points, static_cast<long>(rows(samples)) * tensor.stride, tensor.stride, tensor.sites,
        (fast_kernel - 1) / 2, samples};
  }

  void apply(Workspace<T>& workspace, std::vector<AlignedArray<T>>& arrays, T* x_points, const T* bias) const {
    const int count = rows(workspace.samples);
    T* y_points = workspace.scratch[0].data();
    kernels<T>().fast_input(transform(x_, arrays[this->in_].data(), x_points, workspace.samples));
    for (int p = 0; p < fast_points; ++p)
      kernels<T>().product({{x_points + static_cast<long>(p) * count * x_.stride, x_.stride, 0},
                            layer_.in,
                            weights_.data() + p * layer_.in * y_.stride,
                            nullptr,
                            {y_points + static_cast<long>(p) * count * y_.stride, y_.stride, 0},
                            y_.stride,
                            count,
                            1,
                            false});
    kernels<T>().fast_output(transform(y_, arrays[this->out_].data(), y_points, workspace.samples), bias);
  }

  Convolution layer_;
  Tensor x_, y_;
  std::size_t first_;
  bool accumulate_;  ///< whether a join has already contributed to dx
  AlignedArray<T> weights_, transposed_, bias_;
};

}  // namespace

bool is_fast(const Convolution& layer, int sites) {
  return layer.kernel == fast_kernel && layer.stride == 1 && sites <= fast_most_sites && layer.in % column_unit == 0 &&
         layer.out % column_unit == 0;
}

template <class T>
std::unique_ptr<Operation<T>> make_fast_convolution(const Plan& plan, const Convolution& layer, std::size_t number,
                                                    bool accumulate) {
  return std::make_unique<FastConvolutionOperation<T>>(plan, layer, number, accumulate);
}
template std::unique_ptr<Operation<float>> make_fast_convolution(const Plan&, const Convolution&, std::size_t, bool);
template std::unique_ptr<Operation<double>> make_fast_convolution(const Plan&, const Convolution&, std::size_t, bool);

}  // namespace gfdt::network
