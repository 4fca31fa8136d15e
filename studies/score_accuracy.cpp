// Accuracy of the score estimators for distributions with a known score, over seeds: root-mean-square errors of s and
// of ∇s relative to the exact ones, weighted by the density. Prints one JSON object.
//   study_score_accuracy [seeds] [samples]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <functional>

#include "../tests/score/estimators/exact_laws.hpp"
#include "gfdt/score/estimators/denoising.hpp"
#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/score/estimators/kgmm.hpp"
#include "gfdt/score/fields/corrected_field.hpp"
#include "gfdt/score/fields/linear_correction.hpp"

namespace {

using namespace gfdt::score;

struct Estimate {
  std::shared_ptr<const Field> field;
  double seconds = 0;
};

Estimate corrected(const Fit& fit, const Samples& samples) {
  return {std::make_shared<CorrectedField>(fit.field, linear_correction(*fit.field, samples).matrix), fit.wall_seconds};
}

using Estimator = std::function<Estimate(const Samples&, std::uint64_t seed)>;

Estimate by_gaussian(const Samples& samples, std::uint64_t) {
  return {std::make_shared<GaussianField>(fit_gaussian(samples)), 0};
}
Estimate by_kgmm(const Samples& samples, std::uint64_t seed) {
  return corrected(fit_kgmm(samples, {.seed = seed}), samples);
}
Estimate by_dsm(const Samples& samples, std::uint64_t seed) {
  return corrected(fit_denoising(samples, {.seed = seed}), samples);
}

}  // namespace

int main(int argc, char** argv) {
  const int seeds = argc > 1 ? std::atoi(argv[1]) : 5;
  const auto count = static_cast<std::size_t>(argc > 2 ? std::atof(argv[2]) : 1e6);
  const std::pair<const char*, laws::Law> cases[] = {{"scalar", laws::scalar_model()},
                                                     {"double well", laws::double_well()},
                                                     {"Gaussian in 3 dimensions", laws::correlated_gaussian()},
                                                     {"mixture in 2 dimensions", laws::three_hills()}};
  const std::pair<const char*, Estimator> methods[] = {{"gaussian", by_gaussian}, {"kgmm", by_kgmm}, {"dsm", by_dsm}};
  fmt::print("{{\"command\": \"make study\", \"samples\": {}, \"seeds\": {}, \"results\": [", count, seeds);
  const char* separator = "\n";
  for (const auto& [law_name, law] : cases)
    for (const auto& [method_name, method] : methods) {
      std::vector<double> score, jacobian, seconds;
      for (int seed = 1; seed <= seeds; ++seed) {
        const Samples samples = laws::samples_of(law, count, static_cast<std::uint64_t>(seed));
        const Estimate estimate = method(samples, static_cast<std::uint64_t>(seed));
        const laws::RelativeErrors errors = laws::relative_errors(law, *estimate.field);
        score.push_back(errors.score);
        jacobian.push_back(errors.jacobian);
        seconds.push_back(estimate.seconds);
      }
      fmt::print(
          "{}  {{\"law\": \"{}\", \"method\": \"{}\", \"score\": [{:.5f}], \"jacobian\": [{:.5f}], "
          "\"seconds\": [{:.2f}]}}",
          separator, law_name, method_name, fmt::join(score, ", "), fmt::join(jacobian, ", "),
          fmt::join(seconds, ", "));
      std::fflush(stdout);
      separator = ",\n";
    }
  fmt::print("\n]}}\n");
  return 0;
}
