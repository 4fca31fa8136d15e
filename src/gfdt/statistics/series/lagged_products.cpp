#include "gfdt/statistics/series/lagged_products.hpp"

#include <algorithm>
#include <bit>

namespace gfdt::statistics {
namespace {

constexpr std::size_t width = spectrum_lanes;
constexpr std::size_t point_size = 2 * width;

std::size_t chunk_length(int lags) { return std::bit_ceil(std::max<std::size_t>(static_cast<std::size_t>(lags), 16)); }
std::size_t groups_of(int lanes) { return (static_cast<std::size_t>(lanes) + width - 1) / width; }

}  // namespace

LaggedProducts::Rows::Rows(std::size_t rows_, std::size_t groups, std::size_t chunk_)
    : rows(rows_),
      chunk(chunk_),
      reference(groups * rows * width),
      total(reference.size()),
      samples(groups * rows * chunk * width) {}

template <class T>
void LaggedProducts::Rows::put(const T* values, std::size_t lanes, std::size_t time, bool first) {
  for (std::size_t row = 0; row < rows; ++row, values += lanes)
    for (std::size_t start = 0; start < lanes; start += width) {
      std::size_t place = start / width * rows + row, count = std::min(width, lanes - start);
      double* zero = reference.data() + place * width;
      double* to = samples.data() + (place * chunk + time) * width;
      if (first) std::copy_n(values + start, count, zero);
      for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<double>(values[start + i]) - zero[i];
    }
}

void LaggedProducts::Rows::close(std::size_t length) {
  for (std::size_t place = 0; place < total.size() / width; ++place) {
    double* row = samples.data() + place * chunk * width;
    std::fill(row + length * width, row + chunk * width, 0.0);
    for (std::size_t time = 0; time < length; ++time)
      for (std::size_t i = 0; i < width; ++i) total[place * width + i] += row[time * width + i];
  }
}

LaggedProducts::LaggedProducts(int later, int earlier, int lanes, int lags, lanes::Isa isa)
    : lanes_(static_cast<std::size_t>(lanes)),
      lags_(static_cast<std::size_t>(lags)),
      chunk_(chunk_length(lags)),
      groups_(groups_of(lanes)),
      spectrum_(chunk_, isa),
      later_(static_cast<std::size_t>(later), groups_, chunk_),
      earlier_(static_cast<std::size_t>(earlier), groups_, chunk_),
      first_(later_.samples.size()),
      last_(earlier_.samples.size()),
      later_spectra_(later_.rows * chunk_ * point_size),
      earlier_spectra_(earlier_.rows * chunk_ * point_size),
      before_(groups_ * earlier_spectra_.size()),
      sum_(groups_ * later_.rows * earlier_.rows * chunk_ * point_size) {}

std::size_t LaggedProducts::bytes(int later, int earlier, int lanes, int lags) {
  std::size_t a = static_cast<std::size_t>(later), b = static_cast<std::size_t>(earlier), groups = groups_of(lanes);
  std::size_t points = a + b + groups * (a + 2 * b + a * b);  // the samples of two rows are as large as one spectrum
  return sizeof(double) * (chunk_length(lags) * (points * point_size + 2) + 2 * groups * (a + b) * width);
}

template <class T>
void LaggedProducts::add(const T* later, const T* earlier, std::uint64_t samples, std::size_t later_stride,
                         std::size_t earlier_stride) {
  if (later_stride == 0) later_stride = later_.rows * lanes_;
  if (earlier_stride == 0) earlier_stride = earlier_.rows * lanes_;
  for (std::uint64_t s = 0; s < samples; ++s, later += later_stride, earlier += earlier_stride) {
    std::size_t time = samples_ % chunk_;
    later_.put(later, lanes_, time, samples_ == 0);
    earlier_.put(earlier, lanes_, time, samples_ == 0);
    if (++samples_ % chunk_ == 0) close_chunk();
  }
}

void LaggedProducts::close_chunk() {
  std::size_t length = (samples_ - 1) % chunk_ + 1, row_size = chunk_ * width, spectrum_size = chunk_ * point_size;
  later_.close(length);
  earlier_.close(length);
  for (std::size_t group = 0; group < groups_; ++group) {
    for (std::size_t m = 0; m < later_.rows; ++m)
      spectrum_.forward(later_.samples.data() + (group * later_.rows + m) * row_size,
                        later_spectra_.data() + m * spectrum_size);
    for (std::size_t j = 0; j < earlier_.rows; ++j)
      spectrum_.forward(earlier_.samples.data() + (group * earlier_.rows + j) * row_size,
                        earlier_spectra_.data() + j * spectrum_size);
    spectrum_.add_products({.later_rows = static_cast<long>(later_.rows),
                            .earlier_rows = static_cast<long>(earlier_.rows),
                            .later = later_spectra_.data(),
                            .earlier = earlier_spectra_.data(),
                            .before = before_.data() + group * earlier_spectra_.size(),
                            .sum = sum_.data() + group * later_.rows * earlier_.rows * spectrum_size});
  }
  if (samples_ <= chunk_) std::swap(first_, later_.samples);
  std::swap(last_, earlier_.samples);
}

std::vector<LaggedSums> LaggedProducts::finish() {
  if (samples_ % chunk_ != 0) close_chunk();
  std::vector<LaggedSums> lanes(groups_ * width, LaggedSums(later_.rows, earlier_.rows, lags_));
  for (std::size_t group = 0; group < groups_; ++group) read_products(group, lanes);
  lanes.resize(lanes_);
  for (std::size_t lane = 0; lane < lanes_; ++lane) read_edges(lane, lanes[lane]);
  return lanes;
}

void LaggedProducts::read_products(std::size_t group, std::vector<LaggedSums>& lanes) {
  std::size_t pairs = later_.rows * earlier_.rows, reach = std::min<std::uint64_t>(lags_, samples_);
  codegen::AlignedArray<double> spectrum(chunk_ * point_size), products(chunk_ * width);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    for (std::size_t point = 0; point < chunk_; ++point)
      std::copy_n(sum_.data() + ((group * chunk_ + point) * pairs + pair) * point_size, point_size,
                  spectrum.data() + point * point_size);
    spectrum_.inverse(spectrum.data(), products.data());
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t lag = 0; lag < reach; ++lag)
        lanes[group * width + i].product[pair * lags_ + lag] = products[lag * width + i];
  }
}

/// The pairs of a lag exclude the start of the later rows and the end of the earlier rows.
void LaggedProducts::read_edges(std::size_t lane, LaggedSums& sums) const {
  std::size_t group = lane / width, i = lane % width, reach = std::min<std::uint64_t>(lags_, samples_);
  for (std::size_t lag = 0; lag < reach; ++lag) sums.count[lag] = static_cast<double>(samples_ - lag);
  for (std::size_t m = 0; m < later_.rows; ++m) {
    std::size_t place = group * later_.rows + m;
    sums.later_reference[m] = later_.reference[place * width + i];
    double rest = later_.total[place * width + i];
    for (std::size_t lag = 0; lag < reach; ++lag) {
      sums.later[m * lags_ + lag] = rest;
      rest -= first_[(place * chunk_ + lag) * width + i];
    }
  }
  for (std::size_t j = 0; j < earlier_.rows; ++j) {
    std::size_t place = group * earlier_.rows + j;
    sums.earlier_reference[j] = earlier_.reference[place * width + i];
    double rest = earlier_.total[place * width + i];
    for (std::size_t lag = 0; lag < reach; ++lag) {
      sums.earlier[j * lags_ + lag] = rest;
      std::uint64_t end = samples_ - 1 - lag;
      const auto& samples = end / chunk_ == (samples_ - 1) / chunk_ ? last_ : earlier_.samples;
      rest -= samples[(place * chunk_ + end % chunk_) * width + i];
    }
  }
}

template void LaggedProducts::add(const float*, const float*, std::uint64_t, std::size_t, std::size_t);
template void LaggedProducts::add(const double*, const double*, std::uint64_t, std::size_t, std::size_t);

}  // namespace gfdt::statistics
