#pragma once

#include <memory>
#include <vector>

#include "gfdt/network/kernels.hpp"
#include "gfdt/network/shape.hpp"
#include "gfdt/network/workspace.hpp"

namespace gfdt::network {

inline int padded(int channels) { return (channels + column_unit - 1) / column_unit * column_unit; }

/// How what stands between two layers lies in memory: a sample is a halo of `lead` sites, its sites, and a halo of
/// `tail`; a site has `stride` numbers, of which the first `channels` mean something and the others are zero.
struct Tensor {
  int sites = 1;
  int channels = 1;
  int stride = 1;
  int lead = 0;
  int tail = 0;

  long sample_stride() const { return static_cast<long>(lead + sites + tail) * stride; }
  /// Rows that start `shift` sites after a sample's first, `step` sites apart.
  template <class T>
  Rows<T> rows(T* data, int shift = 0, int step = 1) const {
    return {data + static_cast<long>(lead + shift) * stride, static_cast<long>(step) * stride, sample_stride()};
  }
};

/// A step of a network from one tensor to another.
template <class T>
class Operation {
 public:
  Operation(std::size_t number, std::size_t in, std::size_t out) : number_(number), in_(in), out_(out) {}
  virtual ~Operation() = default;
  virtual std::unique_ptr<Operation> clone() const = 0;

  virtual void allocate(Workspace<T>& workspace) const = 0;
  /// Lays the parameters out for the products.
  virtual void prepare(const T* parameters) = 0;
  virtual void forward(Workspace<T>& workspace) const = 0;
  virtual void tangent(Workspace<T>& workspace) const = 0;
  /// Adds to the parameters' gradient, and passes the loss's derivative on to the input, unless that is the network's.
  virtual void backward(Workspace<T>& workspace) const = 0;
  /// Writes the gradient of its parameters, and clears what was added up.
  virtual void take_gradient(Workspace<T>& workspace, T* gradient) const = 0;

 protected:
  std::size_t number_, in_, out_;
};

/// The tensors of a network and where each layer's parameters begin.
struct Plan {
  std::vector<Tensor> tensors;  ///< the input, then the output of each layer
  std::vector<std::size_t> first_parameter;
};

template <class T>
std::unique_ptr<Operation<T>> make_convolution(const Plan& plan, const Convolution& layer, std::size_t number,
                                               bool accumulate);
/// The same with fewer multiplications, where `is_fast`.
template <class T>
std::unique_ptr<Operation<T>> make_fast_convolution(const Plan& plan, const Convolution& layer, std::size_t number,
                                                    bool accumulate);
bool is_fast(const Convolution& layer, int sites);
/// A group norm (may be null) and a Swish (may be missing) after it, from tensor `in` to tensor `out`.
template <class T>
std::unique_ptr<Operation<T>> make_activation(const Plan& plan, const GroupNorm* norm, bool swish, std::size_t in,
                                              std::size_t out);
template <class T>
std::unique_ptr<Operation<T>> make_join(const Plan& plan, const UpsampleAndJoin& layer, std::size_t number,
                                        bool accumulate);

}  // namespace gfdt::network
