#include "gfdt/calibrate/posterior/predictive.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/stopwatch.hpp"
#include "gfdt/calibrate/posterior/posterior_draws.hpp"
#include "gfdt/calibrate/posterior/predictive_series.hpp"
#include "gfdt/calibrate/search/stage_seed.hpp"
#include "gfdt/codegen/program/component_names.hpp"

namespace gfdt::calibrate {
namespace {

/// Seed stages of the two kinds of runs, disjoint from those of a search.
enum Stage : std::uint64_t { draws_stage = std::uint64_t{1} << 62, guess_stage };

/// Stores all states of all members.
class SeriesSink : public simulate::Sink {
 public:
  /// [member][row of the state][sample]
  using Series = std::vector<std::vector<std::vector<double>>>;

  explicit SeriesSink(int members) : series_(static_cast<std::size_t>(members)) {}

  std::unique_ptr<simulate::BlockSink> open(const simulate::Block& block) override {
    return std::make_unique<Lanes>(block.members.size());
  }
  void close(const simulate::Block& block, std::unique_ptr<simulate::BlockSink> sink,
             const std::vector<bool>& sound) override {
    auto& lanes = static_cast<Lanes&>(*sink);
    for (std::size_t lane = 0; lane < block.members.size(); ++lane)
      if (sound[lane]) series_[block.members[lane]] = std::move(lanes.series[lane]);
  }

  Series& series() { return series_; }

 private:
  struct Lanes : simulate::BlockSinkOf<Lanes> {
    explicit Lanes(std::size_t members) : series(members) {}

    template <class T>
    void take(const simulate::Record<T>& record) {
      const auto rows = static_cast<std::size_t>(record.rows), lanes = static_cast<std::size_t>(record.lanes);
      for (std::size_t lane = 0; lane < series.size(); ++lane) {
        series[lane].resize(rows);
        for (std::size_t row = 0; row < rows; ++row)
          for (std::uint64_t sample = 0; sample < record.samples; ++sample)
            series[lane][row].push_back(static_cast<double>(record.data[(sample * rows + row) * lanes + lane]));
      }
    }

    void pack(Packer& packer) override { packer.put(series); }
    void unpack(Unpacker& unpacker) override { unpacker.get(series); }

    Series series;
  };

  Series series_;
};

/// Below this number of steps, times states, compilation takes longer than interpretation.
constexpr double worth_compiling = 5e7;

/// Run options with the rows of the record; without a record, with enough rows for the curves.
simulate::Options options_of(const PredictiveRequest& question) {
  simulate::Options options = question.simulation;
  options.burn_in = options.burn_in_time();
  options.members = question.draws;
  if (question.record) {
    const double interval = question.record->interval;
    options.cadence = std::max(1, static_cast<int>(std::ceil(interval / options.dt * (1 - 1e-9))));
    options.dt = interval / options.cadence;
    options.length = interval * (static_cast<double>(question.record->rows()) + 0.5);  // allows for rounding
  } else {
    constexpr double enough = 20000;
    const double samples = static_cast<double>(options.samples());
    options.cadence *= std::max(1, static_cast<int>(std::ceil(samples / enough)));
  }
  const double steps = (*options.burn_in + options.length) / options.dt * options.members * question.model.dimension();
  if (options.backend == codegen::Backend::automatic && steps < worth_compiling)
    options.backend = codegen::Backend::interpreter;
  return options;
}

/// Simulates a model and returns its runs as records, one per member.
class Runs {
 public:
  Runs(const PredictiveRequest& question, const std::vector<Quantity>& quantities, const simulate::Control& control)
      : question_(question), quantities_(quantities), control_(control), options_(options_of(question)) {}

  /// [quantity][run][row]; empty if the runs failed, with the reason in `result`.
  std::vector<std::vector<std::vector<double>>> run(const symbolic::Model& model, std::uint64_t stage,
                                                    Predictive& result) const {
    simulate::Options options = options_;
    options.seed = stage_seed(question_.problem.seed, stage);
    SeriesSink sink(options.members);
    simulate::Sink* const sinks[] = {&sink};
    const simulate::Summary summary = simulate::run(model, options, sinks, control_);
    result.simulated_time += summary.simulated_time;
    result.cancelled |= summary.status == simulate::Status::cancelled;
    if (summary.status == simulate::Status::unstable)
      result.problem = fmt::format("Runs at parameters drawn from the posterior do not hold. {}", summary.explanation);
    if (summary.status != simulate::Status::done) return {};
    constexpr int share = 10;  // of the draws: beyond it, the stable ones no longer follow the posterior
    if (summary.replaced_members * share > options.members && stage == draws_stage) {
      result.problem = fmt::format("{} of {} draws of the parameters from their posterior let the run blow up.",
                                   summary.replaced_members, options.members);
      return {};
    }
    if (summary.replaced_members > 0 && stage == draws_stage)
      result.remarks.push_back(
          fmt::format("{} of {} draws of the parameters let the run blow up, and others were taken.",
                      summary.replaced_members, options.members));
    const std::vector<std::string> names = codegen::component_names(model);
    std::vector<std::vector<std::vector<double>>> values(quantities_.size());
    for (std::vector<std::vector<double>>& member : sink.series()) {
      Record run;
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (question_.record) member[i].resize(question_.record->rows());
        run.series.emplace(names[i], std::move(member[i]));
      }
      std::vector<std::vector<double>> of_run = values_of(quantities_, model, run);
      for (std::size_t i = 0; i < of_run.size(); ++i) values[i].push_back(std::move(of_run[i]));
    }
    return values;
  }

  const simulate::Options& options() const { return options_; }

 private:
  const PredictiveRequest& question_;
  const std::vector<Quantity>& quantities_;
  const simulate::Control& control_;
  simulate::Options options_;
};

std::string why_not(const PredictiveRequest& question) {
  const Calibration& calibration = question.calibration;
  constexpr std::size_t most_parameters = 30;
  constexpr double most_numbers = 2e8;
  if (calibration.posterior.precision.empty() || calibration.parameters.empty())
    return "There is no posterior to draw parameters from.";
  if (calibration.parameters.size() > most_parameters)
    return fmt::format("There are more than {} parameters to draw.", most_parameters);
  if (question.record && !(question.record->interval > 0))
    return "How long a row of the record is in the model's time is not known: 'interval' in [targets] says it.";
  const double rows = question.record ? static_cast<double>(question.record->rows())
                                      : static_cast<double>(options_of(question).samples());
  if (rows * question.draws * question.model.dimension() > most_numbers)
    return fmt::format("{} runs of {:.0f} rows with {} states are too much to be kept in memory.", question.draws, rows,
                       question.model.dimension());
  return {};
}

}  // namespace

Predictive predictive(const PredictiveRequest& question, const simulate::Control& control) {
  const Stopwatch watch;
  Predictive result;
  result.problem = why_not(question);
  if (!result.problem.empty()) return result;
  const PosteriorDistribution law = posterior_distribution(question.problem.parameters, question.calibration.parameters,
                                                           question.calibration.posterior);
  if (!law.undetermined.empty())
    result.remarks.push_back(fmt::format("Not determined by the targets: {}. Draws do not vary along this direction.",
                                         fmt::join(law.undetermined, ", ")));
  const std::vector<Quantity> quantities = quantities_of(question.model, question.record);
  const Runs runs(question, quantities, control);
  const auto draws = runs.run(with_drawn_parameters(question.model, law), draws_stage, result);
  if (draws.empty()) return result;
  symbolic::Model before = question.model;
  for (const FreeParameter& free : question.problem.parameters)
    for (symbolic::Parameter& parameter : before.parameters)
      if (parameter.name == free.name) parameter.value = free.value;
  Predictive of_guess;  // a failure of the runs at the guess is harmless
  const auto guess = runs.run(before, guess_stage, of_guess);
  result.simulated_time += of_guess.simulated_time;
  result.cancelled |= of_guess.cancelled;
  if (result.cancelled) return result;

  result.draws = question.draws;
  result.sampling = runs.options().sample_interval();
  result.length =
      question.record ? result.sampling * static_cast<double>(question.record->rows()) : runs.options().length;
  const std::vector<std::vector<double>> nothing;
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    const Quantity& quantity = quantities[i];
    if (quantity.shown) {
      result.series.push_back(series_of(quantity, draws[i], guess.empty() ? nothing : guess[i], result.sampling));
      if (question.record && question.record->columns.contains(quantity.name))
        result.series.back().column = question.record->columns.at(quantity.name);
    }
    if (quantity.observable) add_statistic(quantity, draws[i], result.statistics);
  }
  result.wall_seconds = watch.seconds();
  return result;
}

std::vector<std::string> surprises(const Predictive& predictive) {
  std::vector<std::string> result;
  const PredictiveStatistics& statistics = predictive.statistics;
  for (std::size_t i = 0; i < statistics.record.size(); ++i) {
    const double record = statistics.record[i];
    if (record < statistics.low[i] || record > statistics.high[i])
      result.push_back(fmt::format("The record's '{}', {:.3g}, lies outside {:.3g} to {:.3g}.",
                                   statistics.observables[i], record, statistics.low[i], statistics.high[i]));
  }
  constexpr double rare = 0.05;
  for (const PredictiveSeries& series : predictive.series)
    for (const PredictiveCurve* curve : {&series.density, &series.autocorrelation}) {
      if (!(curve->tail < rare)) continue;
      std::vector<double> places;
      for (std::size_t i = 0; i < curve->record.size(); ++i)
        if (curve->record[i] < curve->low[i] || curve->record[i] > curve->high[i]) places.push_back(curve->at[i]);
      const bool density = curve == &series.density;
      result.push_back(fmt::format(
          "The record's {} of {} deviates from the median more than {} of the draws do; {} of {} {} are outside "
          "the band{}.",
          density ? "density" : "autocorrelation", series.name,
          curve->tail > 0 ? fmt::format("{:.3g} %", 100 * (1 - curve->tail)) : "all", places.size(),
          curve->record.size(), density ? "values" : "lags",
          places.empty() ? "" : fmt::format(", between {:.3g} and {:.3g}", places.front(), places.back())));
    }
  return result;
}

}  // namespace gfdt::calibrate
