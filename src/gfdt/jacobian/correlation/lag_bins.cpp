#include "gfdt/jacobian/correlation/lag_bins.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gfdt/codegen/lanes/isa.hpp"

namespace gfdt::jacobian {

GFDT_DECLARE_FOR_EACH_ISA(void add_products(const double* later, long later_stride, int rows, const double* earlier,
                                            long earlier_stride, int columns, long samples, long lanes, double* sum);
                          void add_squares(const double* x, const double* y, long stride, long samples, long count,
                                           double* sum);
                          void add_running(const double* values, long count, double* sum, double* half);
                          void add_values(const double* values, long count, double* sum);)

namespace {

/// Number of samples whose running sums are stored before they are multiplied; likewise for bins.
constexpr std::size_t batch = 16;

void add_to(std::vector<double>& sum, const std::vector<double>& values) {
  if (sum.empty()) sum.assign(values.size(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

/// One lane of an array [row][lane].
std::vector<double> lane_of(const codegen::AlignedArray<double>& rows, std::size_t lane, std::size_t lanes) {
  std::vector<double> result(rows.size() / lanes);
  for (std::size_t row = 0; row < result.size(); ++row) result[row] = rows[row * lanes + lane];
  return result;
}

}  // namespace

LagBins bins_reaching(double longest, double interval) {
  const double samples = std::max(1.0, std::round(longest / interval));
  const auto wanted = static_cast<std::uint64_t>(samples / wanted_bins);
  LagBins result{.samples = static_cast<int>(std::bit_floor(std::max<std::uint64_t>(1, wanted))), .interval = interval};
  result.bins = static_cast<int>(std::ceil(samples / result.samples));
  return result;
}

void LagSums::pack(Packer& packer) const {
  packer.put(segments);
  packer.put(bins);
  for (const auto* table : {&products, &squares, &later_sum, &earlier_sum, &moments}) packer.put(*table);
}

void LagSums::unpack(Unpacker& unpacker) {
  unpacker.get(segments);
  unpacker.get(bins);
  for (auto* table : {&products, &squares, &later_sum, &earlier_sum, &moments}) unpacker.get(*table);
}

void LagSums::add(const LagSums& other) {
  segments += other.segments;
  bins += other.bins;
  add_to(products, other.products);
  add_to(squares, other.squares);
  add_to(later_sum, other.later_sum);
  add_to(earlier_sum, other.earlier_sum);
  add_to(moments, other.moments);
}

LagProducts::LagProducts(const SignalShape& shape, const LagBins& bins)
    : shape_(shape),
      bins_(bins),
      later_size_(static_cast<std::size_t>(shape.later_rows() * shape.lanes)),
      earlier_size_(static_cast<std::size_t>(shape.earlier * shape.lanes)),
      pairs_(static_cast<std::size_t>(shape.later) * earlier_size_),
      half_(batch * earlier_size_),
      later_bin_(later_size_),
      earlier_bin_(earlier_size_),
      later_bins_((bins.nodes() - 1 + batch) * later_size_),
      earlier_bins_((bins.nodes() - 1 + batch) * earlier_size_),
      products_(bins.nodes() * pairs_),
      squares_(bins.nodes() * later_size_),
      later_sum_(later_size_),
      earlier_sum_(earlier_size_) {}

void LagProducts::add(const double* later, const double* earlier, std::uint64_t samples) {
  const lanes::Isa isa = lanes::best_isa();
  const auto running = GFDT_CHOOSE_ISA(isa, add_running);
  const auto plain = GFDT_CHOOSE_ISA(isa, add_values);
  const long later_size = static_cast<long>(later_size_), earlier_size = static_cast<long>(earlier_size_);
  while (samples > 0) {
    const std::size_t count = std::min<std::size_t>(samples, batch);
    for (std::size_t s = 0; s < count; ++s) {
      running(earlier + s * earlier_size_, earlier_size, earlier_bin_.data(), half_.data() + s * earlier_size_);
      plain(later + s * later_size_, later_size, later_bin_.data());
      if (++in_bin_ == bins_.samples) close_bin();
    }
    GFDT_CHOOSE_ISA(isa, add_products)
    (later, later_size, shape_.later, half_.data(), earlier_size, shape_.earlier, static_cast<long>(count),
     shape_.lanes, products_.data());
    later += count * later_size_;
    earlier += count * earlier_size_;
    samples -= count;
  }
}

void LagProducts::close_bin() {
  const std::size_t place = bins_.nodes() - 1 + static_cast<std::size_t>(pending_);
  const auto plain = GFDT_CHOOSE_ISA(lanes::best_isa(), add_values);
  plain(later_bin_.data(), static_cast<long>(later_size_), later_sum_.data());
  plain(earlier_bin_.data(), static_cast<long>(earlier_size_), earlier_sum_.data());
  std::copy_n(later_bin_.data(), later_size_, later_bins_.data() + place * later_size_);
  std::copy_n(earlier_bin_.data(), earlier_size_, earlier_bins_.data() + place * earlier_size_);
  std::ranges::fill(later_bin_.span(), 0.0);
  std::ranges::fill(earlier_bin_.span(), 0.0);
  in_bin_ = 0;
  ++closed_;
  if (++pending_ == static_cast<int>(batch)) multiply_bins();
}

void LagProducts::multiply_bins() {
  const lanes::Isa isa = lanes::best_isa();
  const std::size_t reach = bins_.nodes() - 1, count = static_cast<std::size_t>(pending_);
  const double* now = later_bins_.data() + reach * later_size_;
  for (std::size_t lag = 0; lag <= reach; ++lag) {
    if (lag > 0) GFDT_CHOOSE_ISA(isa, add_products)
    (now, static_cast<long>(later_size_), shape_.later, earlier_bins_.data() + (reach - lag) * earlier_size_,
     static_cast<long>(earlier_size_), shape_.earlier, pending_, shape_.lanes, products_.data() + lag * pairs_);
    GFDT_CHOOSE_ISA(isa, add_squares)
    (now, now - lag * later_size_, static_cast<long>(later_size_), pending_, static_cast<long>(later_size_),
     squares_.data() + lag * later_size_);
  }
  std::copy_n(later_bins_.data() + count * later_size_, reach * later_size_, later_bins_.data());
  std::copy_n(earlier_bins_.data() + count * earlier_size_, reach * earlier_size_, earlier_bins_.data());
  pending_ = 0;
}

std::vector<LagSums> LagProducts::finish() {
  multiply_bins();
  const std::size_t lanes = static_cast<std::size_t>(shape_.lanes);
  std::vector<LagSums> result;
  for (std::size_t lane = 0; lane < lanes; ++lane)
    result.push_back({1,
                      closed_,
                      lane_of(products_, lane, lanes),
                      lane_of(squares_, lane, lanes),
                      lane_of(later_sum_, lane, lanes),
                      lane_of(earlier_sum_, lane, lanes),
                      {}});
  for (auto* array :
       {&later_bin_, &earlier_bin_, &later_bins_, &earlier_bins_, &products_, &squares_, &later_sum_, &earlier_sum_})
    std::ranges::fill(array->span(), 0.0);
  in_bin_ = 0;
  closed_ = 0;
  return result;
}

}  // namespace gfdt::jacobian
