#include <algorithm>

#include "gfdt/network/operation.hpp"

namespace gfdt::network {
namespace {

/// swish(n), where n is the group normalization of x, or x itself; Swish may be absent.
template <class T>
class ActivationOperation final : public Operation<T> {
 public:
  ActivationOperation(const Plan& plan, const GroupNorm* norm, bool swish, std::size_t in, std::size_t out)
      : Operation<T>(in, in, out), x_(plan.tensors[in]), y_(plan.tensors[out]), swish_(swish) {
    if (!norm) return;
    groups_ = norm->groups;
    first_ = plan.first_parameter[in];
    scale_and_shift_ = AlignedArray<T>(2 * static_cast<std::size_t>(x_.stride));
  }
  std::unique_ptr<Operation<T>> clone() const override { return std::make_unique<ActivationOperation>(*this); }

  void allocate(Workspace<T>& workspace) const override {
    const auto samples = static_cast<std::size_t>(workspace.capacity), stride = static_cast<std::size_t>(x_.stride);
    if (swish_) workspace.slope[this->number_] = AlignedArray<T>(samples * static_cast<std::size_t>(x_.sites) * stride);
    if (groups_ == 0) return;
    workspace.kept[this->number_] = AlignedArray<T>((2 * samples + 2) * stride);
    workspace.gradient[this->number_] = AlignedArray<T>(2 * stride);
  }

  void prepare(const T* parameters) override {
    if (groups_ == 0) return;
    std::copy_n(parameters + first_, x_.channels, scale_and_shift_.data());
    std::copy_n(parameters + first_ + x_.channels, x_.channels, scale_and_shift_.data() + x_.stride);
  }

  void forward(Workspace<T>& workspace) const override {
    const Rows<T> y = y_.rows(workspace.value[this->out_].data());
    Rows<T> slope = slope_rows(workspace);
    if (groups_ > 0) {
      kernels<T>().group_norm(norm_rows(workspace), y, swish_ ? &slope : nullptr);
    } else {
      kernels<T>().swish(
          {x_.rows<const T>(workspace.value[this->in_].data()), y, slope, x_.stride, x_.sites, workspace.samples});
    }
  }

  void tangent(Workspace<T>& workspace) const override {
    const Rows<T> dy = y_.rows(workspace.companion[this->out_].data());
    Rows<const T> dx = x_.rows<const T>(workspace.companion[this->in_].data());
    if (groups_ > 0) {
      kernels<T>().group_norm_tangent(norm_rows(workspace), dx, dy);
      dx = {dy.data, dy.row_stride, dy.block_stride};
    }
    if (swish_) scale(workspace, dx, dy);
  }

  void backward(Workspace<T>& workspace) const override {
    const Rows<T> dx = x_.rows(workspace.companion[this->in_].data());
    Rows<const T> dy = y_.rows<const T>(workspace.companion[this->out_].data());
    if (swish_) {
      scale(workspace, dy, dx);
      dy = {dx.data, dx.row_stride, dx.block_stride};
    }
    if (groups_ == 0) return;
    T* gradient = workspace.gradient[this->number_].data();
    kernels<T>().group_norm_gradient(norm_rows(workspace), dy, dx, gradient, gradient + x_.stride);
  }

  void take_gradient(Workspace<T>& workspace, T* gradient) const override {
    if (groups_ == 0) return;
    AlignedArray<T>& sums = workspace.gradient[this->number_];
    std::copy_n(sums.data(), x_.channels, gradient + first_);
    std::copy_n(sums.data() + x_.stride, x_.channels, gradient + first_ + x_.channels);
    std::fill_n(sums.data(), sums.size(), T{0});
  }

 private:
  Rows<T> slope_rows(Workspace<T>& workspace) const {
    const Tensor bare{x_.sites, x_.channels, x_.stride, 0, 0};
    return bare.rows(workspace.slope[this->number_].data());
  }

  void scale(Workspace<T>& workspace, const Rows<const T>& from, const Rows<T>& to) const {
    const Rows<T> by = slope_rows(workspace);
    kernels<T>().scale({from, {by.data, by.row_stride, by.block_stride}, to, x_.stride, x_.sites, workspace.samples});
  }

  GroupNormRows<T> norm_rows(Workspace<T>& workspace) const {
    const long stride = x_.stride;
    T* sums = workspace.kept[this->number_].data();
    T* mean = sums + 2 * stride;
    return {x_.rows<const T>(workspace.value[this->in_].data()),
            x_.stride,
            x_.sites,
            workspace.samples,
            groups_,
            x_.channels / groups_,
            scale_and_shift_.data(),
            scale_and_shift_.data() + stride,
            mean,
            mean + workspace.capacity * stride,
            sums};
  }

  Tensor x_, y_;
  bool swish_;
  int groups_ = 0;  ///< 0: no normalization
  std::size_t first_ = 0;
  AlignedArray<T> scale_and_shift_;
};

}  // namespace

template <class T>
std::unique_ptr<Operation<T>> make_activation(const Plan& plan, const GroupNorm* norm, bool swish, std::size_t in,
                                              std::size_t out) {
  return std::make_unique<ActivationOperation<T>>(plan, norm, swish, in, out);
}
template std::unique_ptr<Operation<float>> make_activation(const Plan&, const GroupNorm*, bool, std::size_t,
                                                           std::size_t);
template std::unique_ptr<Operation<double>> make_activation(const Plan&, const GroupNorm*, bool, std::size_t,
                                                            std::size_t);

}  // namespace gfdt::network
