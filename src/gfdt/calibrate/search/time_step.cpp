#include "gfdt/calibrate/search/time_step.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gfdt/base/with_error.hpp"
#include "gfdt/calibrate/search/linear_model.hpp"

namespace gfdt::calibrate {
namespace {

/// In standard errors of the parameters. With this bias a 95 % interval contains the true value 92 % of the time.
constexpr double tolerable = 0.5;

}  // namespace

Diagnostic judge_time_step(const statistics::TimeStepBias& bias, const simulate::Options& options,
                           std::span<const statistics::Average> averages, const Mismatch& mismatch) {
  Diagnostic diagnostic{.check = Check::time_step,
                        .text = "It biases the parameters by less than half of their standard errors."};
  if (!bias.compared || bias.too_short) return diagnostic;
  if (bias.ratio == 0) {
    diagnostic.verdict = Verdict::warning;
    diagnostic.text = fmt::format("Members blow up with twice the time step {:g}: the bias is unknown.", options.dt);
    diagnostic.remedy = statistics::advice_on_time_step(options);
    return diagnostic;
  }
  std::vector<double> visible;
  for (std::size_t m = 0; m < averages.size(); ++m)
    visible.push_back(std::copysign(bias.size(m, statistics::TimeStepBias::visible), bias.value[m]));
  const Eigen::VectorXd biases = vector_of(visible);
  const Eigen::MatrixXd noise = matrix_of(mismatch.noise, averages.size());
  const double shift = std::sqrt(biases.dot(pseudo_inverse(noise) * biases));
  if (!(shift > tolerable)) return diagnostic;
  Eigen::Index worst = 0;
  biases.cwiseAbs().cwiseQuotient(noise.diagonal().cwiseSqrt()).maxCoeff(&worst);
  const auto observable = static_cast<std::size_t>(worst);
  diagnostic.verdict = Verdict::warning;
  diagnostic.text = fmt::format(
      "The bias of {} is about {}, and that of the parameters up to {:.2g} of their standard errors, which do not "
      "include it.",
      averages[observable].name, with_error(std::abs(bias.value[observable]), bias.standard_error[observable]), shift);
  diagnostic.remedy = statistics::advice_on_time_step(options);
  return diagnostic;
}

}  // namespace gfdt::calibrate
