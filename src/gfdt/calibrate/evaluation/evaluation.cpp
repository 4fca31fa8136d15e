#include "gfdt/calibrate/evaluation/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gfdt::calibrate {
namespace {

bool finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

const char* name(Request::Purpose purpose) {
  switch (purpose) {
    case Request::Purpose::jacobian:
      return "jacobian";
    case Request::Purpose::statistics:
      return "statistics";
    case Request::Purpose::stability:
      return "stability";
  }
  return "";
}

std::string flaw(const Evaluation& evaluation, Request::Purpose purpose, std::size_t targets, std::size_t parameters) {
  if (purpose == Request::Purpose::stability) return {};
  if (evaluation.statistics.size() != targets || evaluation.mean_covariance.size() != targets * targets)
    return fmt::format("There are {} targets, but {} statistics with a covariance of {} numbers.", targets,
                       evaluation.statistics.size(), evaluation.mean_covariance.size());
  for (const statistics::Average& average : evaluation.statistics)
    if (!std::isfinite(average.mean) || !std::isfinite(average.standard_deviation))
      return fmt::format("The statistic '{}' is not a finite number.", average.name);
  if (!finite(evaluation.mean_covariance)) return "The errors of the statistics are not finite numbers.";
  if (purpose == Request::Purpose::statistics || evaluation.declined) return {};
  const std::size_t size = targets * parameters;
  if (evaluation.jacobian.size() != size || evaluation.jacobian_error.size() != size)
    return fmt::format("The evaluation has {} derivatives with {} standard errors instead of {}.",
                       evaluation.jacobian.size(), evaluation.jacobian_error.size(), size);
  if (!finite(evaluation.jacobian)) return "A derivative is not a finite number.";
  if (!finite(evaluation.jacobian_error))
    return "The error of a derivative is not a finite number: the run needs more members.";
  return {};
}

std::vector<Evaluation> Evaluator::evaluate_all(std::span<const Request> requests, const simulate::Control& control) {
  std::vector<Evaluation> answers;
  for (const Request& request : requests) {
    answers.push_back(evaluate(request, control));
    if (answers.back().cancelled) break;
  }
  return answers;
}

void pack(const Evaluation& evaluation, Packer& packer) {
  packer.put(std::uint64_t{evaluation.statistics.size()});
  for (const statistics::Average& average : evaluation.statistics) {
    packer.put(average.name);
    for (const double value : {average.mean, average.standard_error, average.degrees_of_freedom,
                               average.standard_deviation, average.autocorrelation_time, average.effective_samples})
      packer.put(value);
    packer.put(average.autocorrelation_resolved);
    packer.put(average.plain.has_value());
    packer.put(average.plain.value_or(statistics::PlainAverage{}));
  }
  packer.put(evaluation.mean_covariance);
  packer.put(evaluation.observable_covariance);
  packer.put(evaluation.methods);
  packer.put(evaluation.warnings);
  packer.put(evaluation.simulated_time);
  packer.put(evaluation.wall_seconds);
  packer.put(evaluation.cancelled);
  packer.put(evaluation.problem);
}

Evaluation unpack_evaluation(Unpacker& unpacker) {
  Evaluation evaluation;
  evaluation.statistics.resize(unpacker.get<std::uint64_t>());
  for (statistics::Average& average : evaluation.statistics) {
    unpacker.get(average.name);
    for (double* value : {&average.mean, &average.standard_error, &average.degrees_of_freedom,
                          &average.standard_deviation, &average.autocorrelation_time, &average.effective_samples})
      unpacker.get(*value);
    unpacker.get(average.autocorrelation_resolved);
    const auto replaced = unpacker.get<bool>();
    const auto plain = unpacker.get<statistics::PlainAverage>();
    if (replaced) average.plain = plain;
  }
  unpacker.get(evaluation.mean_covariance);
  unpacker.get(evaluation.observable_covariance);
  unpacker.get(evaluation.methods);
  unpacker.get(evaluation.warnings);
  unpacker.get(evaluation.simulated_time);
  unpacker.get(evaluation.wall_seconds);
  unpacker.get(evaluation.cancelled);
  unpacker.get(evaluation.problem);
  return evaluation;
}

}  // namespace gfdt::calibrate
