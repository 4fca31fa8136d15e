#include "gfdt/jacobian/remainder/moment_sums.hpp"

#include <algorithm>

#include "gfdt/codegen/lanes/isa.hpp"

namespace gfdt::jacobian {

GFDT_DECLARE_FOR_EACH_ISA(void add_products(const double* later, long later_stride, int rows, const double* earlier,
                                            long earlier_stride, int columns, long samples, long lanes, double* sum);)

MomentSums::MomentSums(const Signals& signals)
    : shape_(signals.shape()),
      basis_(signals.groups().back()),
      dynamics_rows_(signals.basis()->dynamics_rows()),
      sums_(static_cast<std::size_t>((shape_.earlier + dynamics_rows_) * basis_.rows * shape_.lanes)) {}

void MomentSums::add(const double* earlier, const double* dynamics, std::uint64_t first, std::uint64_t samples) {
  const auto products = GFDT_CHOOSE_ISA(lanes::best_isa(), add_products);
  const long lanes = shape_.lanes, earlier_size = shape_.earlier * lanes, dynamics_size = dynamics_rows_ * lanes;
  double* const of_dynamics = sums_.data() + shape_.earlier * basis_.rows * lanes;
  const bool all = basis_.stride == 1;
  const std::uint64_t skipped = (basis_.stride - first % basis_.stride) % basis_.stride;
  for (std::uint64_t s = skipped; s < samples; s += all ? samples : basis_.stride) {
    const double* row = earlier + static_cast<long>(s) * earlier_size;
    const double* functions = row + basis_.first_row * lanes;
    const long count = all ? static_cast<long>(samples) : 1;
    products(row, earlier_size, shape_.earlier, functions, earlier_size, basis_.rows, count, lanes, sums_.data());
    products(dynamics + static_cast<long>(s) * dynamics_size, dynamics_size, dynamics_rows_, functions, earlier_size,
             basis_.rows, count, lanes, of_dynamics);
  }
}

std::vector<double> MomentSums::lane(std::size_t lane) const {
  const std::size_t lanes = static_cast<std::size_t>(shape_.lanes);
  std::vector<double> result(sums_.size() / lanes);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = sums_[i * lanes + lane];
  return result;
}

void MomentSums::clear() { std::ranges::fill(sums_.span(), 0.0); }

}  // namespace gfdt::jacobian
