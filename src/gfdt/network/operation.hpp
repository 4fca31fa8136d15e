#pragma once

#include <memory>
#include <vector>

#include "gfdt/network/kernels.hpp"
#include "gfdt/network/shape.hpp"
#include "gfdt/network/workspace.hpp"

namespace gfdt::network {

/// Number of channels, rounded up to a multiple of column_unit.
inline int padded(int channels) { return (channels + column_unit - 1) / column_unit * column_unit; }

/// Memory layout of a tensor between two layers. A sample has a halo of `lead` sites, its sites, and a halo of `tail`
/// sites. A site has `stride` numbers, of which the first `channels` are valid and the others are zero.
struct Tensor {
  int sites = 1;
  int channels = 1;
  int stride = 1;
  int lead = 0;
  int tail = 0;

  long sample_stride() const { return static_cast<long>(lead + sites + tail) * stride; }
  /// Rows that start `shift` sites after a sample's first site and are `step` sites apart.
  template <class T>
  Rows<T> rows(T* data, int shift = 0, int step = 1) const {
    return {data + static_cast<long>(lead + shift) * stride, static_cast<long>(step) * stride, sample_stride()};
  }
};

/// An operation of a network, which maps one tensor to another.
template <class T>
class Operation {
 public:
  Operation(std::size_t number, std::size_t in, std::size_t out) : number_(number), in_(in), out_(out) {}
  virtual ~Operation() = default;
  virtual std::unique_ptr<Operation> clone() const = 0;

  virtual void allocate(Workspace<T>& workspace) const = 0;
  /// Converts the parameters to the layout of the products.
  virtual void prepare(const T* parameters) = 0;
  virtual void forward(Workspace<T>& workspace) const = 0;
  virtual void tangent(Workspace<T>& workspace) const = 0;
  /// Adds to the gradient of the parameters, and computes the gradient with respect to the input unless it is the input
  /// of the network.
  virtual void backward(Workspace<T>& workspace) const = 0;
  /// Writes the accumulated gradient of the parameters and clears it.
  virtual void take_gradient(Workspace<T>& workspace, T* gradient) const = 0;

 protected:
  std::size_t number_, in_, out_;
};

/// The tensors of a network, and the first parameter of each layer.
struct Plan {
  std::vector<Tensor> tensors;  ///< the input, followed by the output of each layer
  std::vector<std::size_t> first_parameter;
};

/// The operation of layer `number`. `accumulate`: whether a join has already contributed to the gradient with respect
/// to the input.
template <class T>
std::unique_ptr<Operation<T>> make_convolution(const Plan& plan, const Convolution& layer, std::size_t number,
                                               bool accumulate);
/// The same with fewer multiplications; requires `is_fast`.
template <class T>
std::unique_ptr<Operation<T>> make_fast_convolution(const Plan& plan, const Convolution& layer, std::size_t number,
                                                    bool accumulate);
/// Whether the fast algorithm supports a convolution on this number of sites.
bool is_fast(const Convolution& layer, int sites);
/// An optional group norm (may be null) followed by an optional Swish, from tensor `in` to tensor `out`.
template <class T>
std::unique_ptr<Operation<T>> make_activation(const Plan& plan, const GroupNorm* norm, bool swish, std::size_t in,
                                              std::size_t out);
/// `accumulate`: whether a later join has already contributed to the gradient of the skip tensor.
template <class T>
std::unique_ptr<Operation<T>> make_join(const Plan& plan, const UpsampleAndJoin& layer, std::size_t number,
                                        bool accumulate);

}  // namespace gfdt::network
