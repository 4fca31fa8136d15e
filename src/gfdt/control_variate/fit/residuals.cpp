#include "gfdt/control_variate/fit/residuals.hpp"

#include <algorithm>

#include "gfdt/codegen/lanes/isa.hpp"
#include "gfdt/control_variate/controlled_statistics.hpp"
#include "gfdt/control_variate/dictionary/dictionary_values.hpp"

namespace gfdt::control_variate {

GFDT_DECLARE_FOR_EACH_ISA(void add_multiple(double factor, const double* from, double* to);)

namespace {

constexpr std::size_t width = static_cast<std::size_t>(lanes);
/// Share of the standard deviation of A below which the time-step bias of A + L u is negligible.
constexpr double negligible_share = 0.02;

}  // namespace

statistics::ObservedFunctions residuals(const symbolic::Model& model, const ControlVariate& fit,
                                        const Quantities& observables) {
  const std::size_t count = model.observables.size(), dimension = static_cast<std::size_t>(model.own_dimension());
  auto values = std::make_shared<DictionaryValues>(model, *fit.dictionary, std::vector<std::optional<Operator>>{});
  const auto all = std::make_shared<const statistics::StateFunction>(
      [dictionary = fit.dictionary, values, observables, coefficients = fit.coefficients, count, dimension](
          const double* states, std::size_t number, double* out) {
        static const auto add = GFDT_CHOOSE_ISA(lanes::best_isa(), add_multiple);
        const std::size_t functions = values->functions();
        const auto memory = values->memory();
        codegen::AlignedArray<double> rows(dimension * width), generated(functions * width), observed(count * width);
        for (std::size_t first = 0; first < number; first += width) {
          for (std::size_t lane = 0; lane < width; ++lane)
            for (std::size_t c = 0; c < dimension; ++c)
              rows[c * width + lane] = states[std::min(first + lane, number - 1) * dimension + c];
          values->load(rows.data(), *memory);
          values->generated(generated.data(), *memory);
          observables(rows.data(), observed.data());
          for (std::size_t m = 0; m < count; ++m) {
            double* const row = &observed[m * width];
            for (std::size_t k = 0; k < functions; ++k)
              if (const double c = coefficients[m * functions + k]; c != 0) add(c, &generated[k * width], row);
            for (std::size_t lane = 0; lane < width && first + lane < number; ++lane)
              out[(first + lane) * count + m] = row[lane];
          }
        }
      });
  statistics::ObservedFunctions result;
  for (std::size_t m = 0; m < count; ++m)
    result.emplace(model.observables[m].name, statistics::ObservedFunction(all, count, m));
  return result;
}

statistics::TimeStepBias time_step_bias(const symbolic::Model& model, const simulate::Options& options,
                                        std::span<const statistics::Average> averages, const ControlVariate* fit,
                                        const statistics::ObservedFunctions& functions,
                                        const simulate::Control& control) {
  statistics::ObservedFunctions unresolved;
  if (fit) {
    unresolved = residuals(model, *fit, observables_of(model, functions));
    for (std::size_t m = 0; m < model.observables.size(); ++m)
      if (fit->share[m] <= negligible_share) unresolved.erase(model.observables[m].name);
  }
  return statistics::time_step_bias(model, options, averages, functions, unresolved, control);
}

}  // namespace gfdt::control_variate
