#include "calibration_figure.hpp"

#include <cmath>

#include "gfdt/report/convergence_figure.hpp"

namespace gfdt::app {
namespace {

using calibrate::Calibration;
using report::ConvergenceSeries;

void add_point(ConvergenceSeries& series, std::size_t step, const std::vector<double>& parameters,
               const calibrate::Mismatch& mismatch, const std::vector<double>& answer) {
  series.step.push_back(static_cast<double>(step));
  series.mismatch.push_back(mismatch.norm);
  for (std::size_t m = 0; m < mismatch.residual.size(); ++m) series.statistics[m].push_back(mismatch.residual[m]);
  for (std::size_t j = 0; j < parameters.size(); ++j) series.parameters[j].push_back(parameters[j] - answer[j]);
}

ConvergenceSeries series_of(const NamedCalibration& named, const calibrate::Problem& problem) {
  const Calibration& calibration = named.calibration;
  ConvergenceSeries series{.method = named.name,
                           .step = {},
                           .mismatch = {},
                           .statistics = std::vector<std::vector<double>>(problem.targets.size()),
                           .parameters = std::vector<std::vector<double>>(problem.parameters.size())};
  std::size_t last = 0;
  for (std::size_t i = 0; i < calibration.iterations.size() && !calibration.parameters.empty(); ++i) {
    const calibrate::Iteration& iteration = calibration.iterations[i];
    if (!iteration.accepted || iteration.mismatch.residual.empty()) continue;
    add_point(series, i, iteration.parameters, iteration.mismatch, calibration.parameters);
    last = i;
  }
  // The answer is a step further where a run of its own confirms it.
  if (!series.step.empty() && calibration.iterations[last].parameters != calibration.parameters)
    add_point(series, calibration.iterations.size(), calibration.parameters, calibration.mismatch,
              calibration.parameters);
  return series;
}

}  // namespace

std::string convergence_figure(const std::vector<NamedCalibration>& calibrations, const calibrate::Problem& problem) {
  report::Convergence figure;
  figure.title = "Convergence of the calibration";
  figure.statistics = problem.targets.observables;
  for (const calibrate::FreeParameter& parameter : problem.parameters) figure.parameters.push_back(parameter.name);
  figure.parameters_from = "the answer";
  for (const NamedCalibration& named : calibrations) {
    figure.methods.push_back(series_of(named, problem));
    // E‖r‖² = tr N for a mismatch that is nothing but noise.
    const std::vector<double>& noise = named.calibration.mismatch.noise;
    const std::size_t size = problem.targets.size();
    double trace = 0;
    for (std::size_t m = 0; noise.size() == size * size && m < size; ++m) trace += noise[m * size + m];
    if (trace > 0 && !figure.noise) figure.noise = std::sqrt(trace);
  }
  return report::convergence_svg(figure);
}

}  // namespace gfdt::app
