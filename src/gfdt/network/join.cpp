#include <algorithm>

#include "gfdt/network/operation.hpp"

namespace gfdt::network {
namespace {

/// Repeats each site twice and appends the channels of an earlier tensor.
template <class T>
class JoinOperation final : public Operation<T> {
 public:
  JoinOperation(const Plan& plan, const UpsampleAndJoin& layer, std::size_t number, bool accumulate)
      : Operation<T>(number, number, number + 1),
        skip_(static_cast<std::size_t>(layer.skip) + 1),
        x_(plan.tensors[number]),
        s_(plan.tensors[skip_]),
        y_(plan.tensors[number + 1]),
        accumulate_(accumulate) {}
  std::unique_ptr<Operation<T>> clone() const override { return std::make_unique<JoinOperation>(*this); }

  void allocate(Workspace<T>&) const override {}
  void prepare(const T*) override {}
  void take_gradient(Workspace<T>&, T*) const override {}

  void forward(Workspace<T>& workspace) const override { join(workspace.value, workspace.samples); }
  void tangent(Workspace<T>& workspace) const override { join(workspace.companion, workspace.samples); }

  void backward(Workspace<T>& workspace) const override {
    for_sites(workspace.companion, workspace.samples, [&](T* x, T* s, T* y, bool second) {
      for (int c = 0; c < x_.channels; ++c) x[c] = second ? x[c] + y[c] : y[c];
      const T* from = y + x_.channels;
      for (int c = 0; c < s_.channels; ++c) s[c] = accumulate_ ? s[c] + from[c] : from[c];
    });
  }

 private:
  void join(std::vector<AlignedArray<T>>& arrays, int samples) const {
    for_sites(arrays, samples, [&](const T* x, const T* s, T* y, bool) {
      std::copy_n(x, x_.channels, y);
      std::copy_n(s, s_.channels, y + x_.channels);
    });
  }

  /// Calls work(site of x, site of the skip tensor, site of y, whether the site of x was used before).
  template <class Work>
  void for_sites(std::vector<AlignedArray<T>>& arrays, int samples, Work work) const {
    const Rows<T> x = x_.rows(arrays[this->in_].data()), s = s_.rows(arrays[skip_].data()),
                  y = y_.rows(arrays[this->out_].data());
    for (int i = 0; i < samples; ++i)
      for (int site = 0; site < y_.sites; ++site)
        work(x.data + i * x.block_stride + site / 2 * x.row_stride, s.data + i * s.block_stride + site * s.row_stride,
             y.data + i * y.block_stride + site * y.row_stride, site % 2 == 1);
  }

  std::size_t skip_;
  Tensor x_, s_, y_;
  bool accumulate_;  ///< whether a later join has already contributed to the gradient of the skip tensor
};

}  // namespace

template <class T>
std::unique_ptr<Operation<T>> make_join(const Plan& plan, const UpsampleAndJoin& layer, std::size_t number,
                                        bool accumulate) {
  return std::make_unique<JoinOperation<T>>(plan, layer, number, accumulate);
}
template std::unique_ptr<Operation<float>> make_join(const Plan&, const UpsampleAndJoin&, std::size_t, bool);
template std::unique_ptr<Operation<double>> make_join(const Plan&, const UpsampleAndJoin&, std::size_t, bool);

}  // namespace gfdt::network
