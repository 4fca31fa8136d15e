#include "gfdt/calibrate/targets/observable_covariance.hpp"

#include <fmt/format.h>

#include "gfdt/statistics/ensemble_statistics.hpp"

namespace gfdt::calibrate {

std::vector<double> observable_covariance(const symbolic::Model& model, const simulate::Source& source,
                                          const simulate::Control& control) {
  const std::size_t count = model.observables.size();
  symbolic::Model with_products = model;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i; j < count; ++j)
      with_products.observables.push_back({fmt::format("{}*{}", model.observables[i].name, model.observables[j].name),
                                           model.observables[i].formula * model.observables[j].formula});
  const std::vector<statistics::Average> averages =
      statistics::simulate_statistics(with_products, source, control).observables;
  std::vector<double> result(count * count, 0.0);
  if (averages.empty()) return result;
  std::size_t product = count;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i; j < count; ++j, ++product)
      result[i * count + j] = result[j * count + i] = averages[product].mean - averages[i].mean * averages[j].mean;
  return result;
}

}  // namespace gfdt::calibrate
