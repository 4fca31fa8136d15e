#include "gfdt/jacobian/correlation/lag_spectra.hpp"

#include <algorithm>
#include <cmath>

#include "gfdt/codegen/lanes/isa.hpp"

namespace gfdt::jacobian {

GFDT_DECLARE_FOR_EACH_ISA(void add_products(const double* later, long later_stride, int rows, const double* earlier,
                                            long earlier_stride, int columns, long samples, long lanes, double* sum);
                          void add_running(const double* values, long count, double* sum, double* half);
                          void add_values(const double* values, long count, double* sum);)

LagSpectra::LagSpectra(const SignalShape& shape, const LagBins& bins)
    : shape_(shape),
      bins_(bins),
      later_size_(static_cast<std::size_t>(shape.later_rows() * shape.lanes)),
      earlier_size_(static_cast<std::size_t>(shape.earlier * shape.lanes)) {
  if (bins.samples == 1) return;
  later_bin_ = codegen::AlignedArray<double>(later_size_);
  earlier_bin_ = codegen::AlignedArray<double>(earlier_size_);
  half_ = codegen::AlignedArray<double>(earlier_size_);
  same_bin_ = codegen::AlignedArray<double>(static_cast<std::size_t>(shape.later) * earlier_size_);
}

void LagSpectra::add(const double* later, const double* earlier, std::uint64_t samples) {
  if (!spectra_)
    spectra_ = std::make_unique<statistics::LaggedProducts>(shape_.later, shape_.earlier, shape_.lanes,
                                                            static_cast<int>(bins_.nodes()));
  if (bins_.samples == 1)
    spectra_->add(later, earlier, samples, later_size_, earlier_size_);
  else
    add_samples(later, earlier, samples);
}

void LagSpectra::add_samples(const double* later, const double* earlier, std::uint64_t samples) {
  const lanes::Isa isa = lanes::best_isa();
  const auto running = GFDT_CHOOSE_ISA(isa, add_running);
  const auto plain = GFDT_CHOOSE_ISA(isa, add_values);
  const auto multiply = GFDT_CHOOSE_ISA(isa, add_products);
  const long later_size = static_cast<long>(later_size_), earlier_size = static_cast<long>(earlier_size_);
  for (std::uint64_t s = 0; s < samples; ++s, later += later_size, earlier += earlier_size) {
    running(earlier, earlier_size, earlier_bin_.data(), half_.data());
    plain(later, later_size, later_bin_.data());
    multiply(later, later_size, shape_.later, half_.data(), earlier_size, shape_.earlier, 1, shape_.lanes,
             same_bin_.data());
    if (++in_bin_ < bins_.samples) continue;
    spectra_->add(later_bin_.data(), earlier_bin_.data(), 1);
    std::ranges::fill(later_bin_.span(), 0.0);
    std::ranges::fill(earlier_bin_.span(), 0.0);
    in_bin_ = 0;
  }
}

std::vector<LagSums> LagSpectra::finish() {
  const std::size_t lanes = static_cast<std::size_t>(shape_.lanes);
  std::vector<LagSums> result(lanes);
  if (!spectra_) return result;
  std::vector<statistics::LaggedSums> sums = spectra_->finish();
  spectra_.reset();
  const std::size_t later = static_cast<std::size_t>(shape_.later), earlier = static_cast<std::size_t>(shape_.earlier);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    LagSums& to = result[lane];
    const statistics::LaggedSums from = std::move(sums[lane]);
    to.segments = 1;
    to.bins = static_cast<std::uint64_t>(from.count[0]);
    to.products.resize(bins_.nodes() * later * earlier);
    to.later_sum.resize(static_cast<std::size_t>(shape_.later_rows()));
    for (std::size_t m = 0; m < later; ++m) {
      to.later_sum[m] = from.entry(m, 0, 0, 0, 0).later;
      for (std::size_t j = 0; j < earlier; ++j) {
        if (m == 0) to.earlier_sum.push_back(from.entry(0, j, 0, 0, 0).earlier);
        double* product = to.products.data() + m * earlier + j;
        for (std::size_t node = 0; node < bins_.nodes(); ++node)
          product[node * later * earlier] = from.entry(m, j, node, 0, 0).product;
        product[0] = bins_.samples == 1 ? product[0] / 2 : same_bin_[(m * earlier + j) * lanes + lane];
      }
    }
  }
  for (auto* array : {&later_bin_, &earlier_bin_, &same_bin_}) std::ranges::fill(array->span(), 0.0);
  in_bin_ = 0;
  return result;
}

LagBins fine_bins_reaching(double longest, double interval, const SignalShape& shape) {
  const double samples = std::max(1.0, std::ceil(longest / interval - 1e-9));
  LagBins result{.samples = 1, .bins = static_cast<int>(std::min(samples, 1e9)), .interval = interval};
  const auto bytes = [&] {
    return statistics::LaggedProducts::bytes(shape.later, shape.earlier, 8, static_cast<int>(result.nodes()));
  };
  while (result.bins > 1 && (result.bins >= most_nodes || bytes() > most_bytes_of_eight)) {
    result.samples *= 2;
    result.bins = static_cast<int>(std::ceil(samples / result.samples));
  }
  return result;
}

}  // namespace gfdt::jacobian
