#include "gfdt/network/elementwise.hpp"

#include "gfdt/codegen/lanes/arithmetic.hpp"
#include "gfdt/codegen/lanes/exponential.hpp"

namespace gfdt::network::GFDT_LANES_NAMESPACE {
namespace {

namespace v = ::GFDT_LANES_NAMESPACE;
using v::Vector;
using v::width;

/// Calls work(block, row) for every row.
template <class Work>
GFDT_LANES_INLINE void for_rows(int blocks, int rows, Work work) {
  for (int block = 0; block < blocks; ++block)
    for (int row = 0; row < rows; ++row) work(block, row);
}

template <class T>
GFDT_LANES_INLINE T* at(const Rows<T>& rows, int block, int row) {
  return rows.data + block * rows.block_stride + row * rows.row_stride;
}

/// 1/(1 + e^{−x}) with e^{−x} = 2ⁿ e^r; 0 or 1 to rounding beyond ±`far`.
template <class V>
GFDT_LANES_INLINE V logistic(V x) {
  using T = v::Element<V>;
  using F = v::Format<T>;
  constexpr T far = sizeof(T) == 4 ? T(80) : T(700);
  V y = v::select(x < -far, v::constant<V>(far), -x);
  y = v::select(x > far, v::constant<V>(-far), y);
  const V shifted = y * static_cast<T>(1.44269504088896340736) + F::rounder;
  const V power = v::from_bits((v::bits_of(shifted) - F::rounder_bits + F::bias) << F::mantissa);
  const V e = power * v::expm1_near_zero(v::exp_remainder(y, shifted - F::rounder)) + power;
  return T(1) / (T(1) + e);
}

template <class T>
GFDT_LANES_INLINE void average_groups(const GroupNormRows<T>& p, T* sums) {
  const T share = T(1) / static_cast<T>(p.group_channels * p.rows);
  for (int group = 0; group < p.groups; ++group) {
    T* first = sums + group * p.group_channels;
    T total = 0;
    for (int c = 0; c < p.group_channels; ++c) total += first[c];
    for (int c = 0; c < p.group_channels; ++c) first[c] = total * share;
  }
  for (int c = p.groups * p.group_channels; c < p.channels; ++c) sums[c] = 0;
}

template <class T>
void group_statistics(const GroupNormRows<T>& p) {
  for (int block = 0; block < p.blocks; ++block) {
    T* mean = p.mean + static_cast<long>(block) * p.channels;
    T* inverse = p.inverse + static_cast<long>(block) * p.channels;
    for (int c = 0; c < p.channels; c += width<T>) {
      Vector<T> sum{};
      for (int row = 0; row < p.rows; ++row) sum += v::load(at(p.x, block, row) + c);
      v::store(mean + c, sum);
    }
    average_groups(p, mean);
    for (int c = 0; c < p.channels; c += width<T>) {
      Vector<T> sum{};
      const Vector<T> centre = v::load(mean + c);
      for (int row = 0; row < p.rows; ++row) {
        const Vector<T> off = v::load(at(p.x, block, row) + c) - centre;
        sum += off * off;
      }
      v::store(inverse + c, sum);
    }
    average_groups(p, inverse);
    for (int c = 0; c < p.channels; c += width<T>)
      v::store(inverse + c, T(1) / v::sqrt(v::load(inverse + c) + static_cast<T>(group_norm_epsilon)));
    for (int c = p.groups * p.group_channels; c < p.channels; ++c) inverse[c] = 0;
  }
}

/// d ↦ inverse · (e − mean(e) − x̂ mean(e x̂)) with e = d · factor[c] and means over the group. This map is symmetric:
/// it is the derivative of x̂ with respect to x as well as its transpose.
template <class T>
GFDT_LANES_INLINE void project_groups(const GroupNormRows<T>& p, int block, const Rows<const T>& d, const T* factor,
                                      const Rows<T>& to, const T* after) {
  const T* mean = p.mean + static_cast<long>(block) * p.channels;
  const T* inverse = p.inverse + static_cast<long>(block) * p.channels;
  T* first = p.sums;
  T* second = p.sums + p.channels;
  for (int c = 0; c < p.channels; c += width<T>) {
    Vector<T> sum{}, along{};
    const Vector<T> centre = v::load(mean + c), scale = v::load(inverse + c);
    for (int row = 0; row < p.rows; ++row) {
      const Vector<T> e = v::load(at(d, block, row) + c);
      sum += e;
      along += e * ((v::load(at(p.x, block, row) + c) - centre) * scale);
    }
    const Vector<T> by = factor ? v::load(factor + c) : v::constant<Vector<T>>(1);
    v::store(first + c, sum * by);
    v::store(second + c, along * by);
  }
  average_groups(p, first);
  average_groups(p, second);
  for (int c = 0; c < p.channels; c += width<T>) {
    const Vector<T> centre = v::load(mean + c), scale = v::load(inverse + c);
    const Vector<T> by = factor ? v::load(factor + c) : v::constant<Vector<T>>(1);
    const Vector<T> out = after ? scale * v::load(after + c) : scale;
    const Vector<T> m1 = v::load(first + c), m2 = v::load(second + c);
    for (int row = 0; row < p.rows; ++row) {
      const Vector<T> e = v::load(at(d, block, row) + c) * by;
      const Vector<T> normal = (v::load(at(p.x, block, row) + c) - centre) * scale;
      v::store(at(to, block, row) + c, out * (e - m1 - normal * m2));
    }
  }
}

}  // namespace

template <class T>
void swish(const SwishRows<T>& p) {
  for_rows(p.blocks, p.rows, [&](int block, int row) {
    const T* x = at(p.x, block, row);
    T* y = at(p.y, block, row);
    T* slope = at(p.slope, block, row);
    for (int c = 0; c < p.channels; c += width<T>) {
      const Vector<T> value = v::load(x + c), s = logistic(value), product = value * s;
      v::store(y + c, product);
      v::store(slope + c, s + product * (T(1) - s));
    }
  });
}

template <class T>
void scale(const ScaleRows<T>& p) {
  for_rows(p.blocks, p.rows, [&](int block, int row) {
    const T* x = at(p.x, block, row);
    const T* slope = at(p.slope, block, row);
    T* y = at(p.y, block, row);
    for (int c = 0; c < p.channels; c += width<T>) v::store(y + c, v::load(x + c) * v::load(slope + c));
  });
}

template <class T>
void column_sums(const ColumnSums<T>& p) {
  for (int c = 0; c < p.channels; c += width<T>) {
    Vector<T> sum = v::load(p.sum + c);
    for_rows(p.blocks, p.rows, [&](int block, int row) { sum += v::load(at(p.x, block, row) + c); });
    v::store(p.sum + c, sum);
  }
}

/// Writes n to `y`; if `slope` is not null, writes swish(n) to `y` and swish′(n) to `slope`.
template <class T>
void group_norm(const GroupNormRows<T>& p, const Rows<T>& y, const Rows<T>* slope) {
  group_statistics(p);
  for (int block = 0; block < p.blocks; ++block)
    for (int c = 0; c < p.channels; c += width<T>) {
      const Vector<T> factor = v::load(p.scale + c) * v::load(p.inverse + static_cast<long>(block) * p.channels + c);
      const Vector<T> offset =
          v::load(p.shift + c) - factor * v::load(p.mean + static_cast<long>(block) * p.channels + c);
      for (int row = 0; row < p.rows; ++row) {
        const Vector<T> n = factor * v::load(at(p.x, block, row) + c) + offset;
        if (!slope) {
          v::store(at(y, block, row) + c, n);
          continue;
        }
        const Vector<T> s = logistic(n), product = n * s;
        v::store(at(y, block, row) + c, product);
        v::store(at(*slope, block, row) + c, s + product * (T(1) - s));
      }
    }
}

/// Derivative of n in the direction dx.
template <class T>
void group_norm_tangent(const GroupNormRows<T>& p, const Rows<const T>& dx, const Rows<T>& dn) {
  for (int block = 0; block < p.blocks; ++block)
    project_groups(p, block, dx, static_cast<const T*>(nullptr), dn, p.scale);
}

/// Writes the gradient with respect to x, given dn, to `dx`, and adds those with respect to scale and shift.
template <class T>
void group_norm_gradient(const GroupNormRows<T>& p, const Rows<const T>& dn, const Rows<T>& dx, T* dscale, T* dshift) {
  for (int block = 0; block < p.blocks; ++block) {
    const T* mean = p.mean + static_cast<long>(block) * p.channels;
    const T* inverse = p.inverse + static_cast<long>(block) * p.channels;
    for (int c = 0; c < p.channels; c += width<T>) {
      Vector<T> sum = v::load(dshift + c), along = v::load(dscale + c);
      const Vector<T> centre = v::load(mean + c), scale = v::load(inverse + c);
      for (int row = 0; row < p.rows; ++row) {
        const Vector<T> e = v::load(at(dn, block, row) + c);
        sum += e;
        along += e * ((v::load(at(p.x, block, row) + c) - centre) * scale);
      }
      v::store(dshift + c, sum);
      v::store(dscale + c, along);
    }
    project_groups(p, block, dn, p.scale, dx, static_cast<const T*>(nullptr));
  }
}

template <class T>
void adam(const AdamStep<T>& p) {
  const T old1 = static_cast<T>(adam_beta1), new1 = static_cast<T>(1 - adam_beta1);
  const T old2 = static_cast<T>(adam_beta2), new2 = static_cast<T>(1 - adam_beta2);
  for (long i = 0; i < p.size; i += width<T>) {
    Vector<T> g = v::load(p.gradient + i);
    for (int slice = 1; slice < p.slices; ++slice) g += v::load(p.gradient + slice * p.slice_stride + i);
    g *= p.scale;
    const Vector<T> m = old1 * v::load(p.mean + i) + new1 * g;
    const Vector<T> s = old2 * v::load(p.square + i) + new2 * g * g;
    v::store(p.mean + i, m);
    v::store(p.square + i, s);
    v::store(p.parameters + i, v::load(p.parameters + i) - p.rate * m / (v::sqrt(s) + p.epsilon));
  }
}

template void swish(const SwishRows<float>&);
template void swish(const SwishRows<double>&);
template void scale(const ScaleRows<float>&);
template void scale(const ScaleRows<double>&);
template void column_sums(const ColumnSums<float>&);
template void column_sums(const ColumnSums<double>&);
template void group_norm(const GroupNormRows<float>&, const Rows<float>&, const Rows<float>*);
template void group_norm(const GroupNormRows<double>&, const Rows<double>&, const Rows<double>*);
template void group_norm_tangent(const GroupNormRows<float>&, const Rows<const float>&, const Rows<float>&);
template void group_norm_tangent(const GroupNormRows<double>&, const Rows<const double>&, const Rows<double>&);
template void group_norm_gradient(const GroupNormRows<float>&, const Rows<const float>&, const Rows<float>&, float*,
                                  float*);
template void group_norm_gradient(const GroupNormRows<double>&, const Rows<const double>&, const Rows<double>&, double*,
                                  double*);
template void adam(const AdamStep<float>&);
template void adam(const AdamStep<double>&);

}  // namespace gfdt::network::GFDT_LANES_NAMESPACE
