#include "gfdt/response/two_time.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gfdt/base/error.hpp"
#include "gfdt/base/stopwatch.hpp"
#include "gfdt/jacobian/direct_terms.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "gfdt/parallel/spread.hpp"
#include "gfdt/response/scores_in_time.hpp"
#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/score/exact/linear.hpp"
#include "gfdt/score/selection/scored_evaluator.hpp"

namespace gfdt::response {
namespace {

using Part = TwoTimeKernels::Part;
using score::ScoredEvaluator;

/// Number of groups of the jackknife.
constexpr std::size_t groups = 20;
constexpr int fewest_members = 200;
/// Largest number of values of the ensemble that are stored.
constexpr double most_numbers = 2e8;
constexpr double missing_number = std::numeric_limits<double>::quiet_NaN();

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

jacobian::Estimate mean_of(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (n * (n - 1)))};
}

bool is_linear(const symbolic::Model& model) {
  try {
    score::linear_model(at_fixed_time(model));
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// The number of steps between times such that there are at most `times` of them. Up to twice that number of steps is
/// used if the last time then coincides with the end of the run.
int steps_between_times(long long steps, int times) {
  const int fewest = std::max(1, static_cast<int>((steps + times - 1) / times));
  for (int cadence = fewest; cadence <= 2 * fewest; ++cadence)
    if (steps % cadence == 0) return cadence;
  return fewest;
}

simulate::Options run_of(const TwoTimeProblem& problem, std::size_t observables) {
  simulate::Options run = problem.simulation;
  if (problem.times < 4) throw Error(fmt::format("{} times are asked for; use at least 4.", problem.times));
  if (run.members < fewest_members)
    throw Error(fmt::format(
        "Responses of a distribution that changes in time are averages over members only, and there are {}: make "
        "simulation.members at least {}, better thousands.",
        run.members, fewest_members));
  run.burn_in = 0;
  run.precision = simulate::Precision::double_precision;
  run.cadence = steps_between_times(std::llround(run.length / run.dt), problem.times);
  const double numbers = static_cast<double>(run.samples() + 1) * run.members *
                         (problem.model.dimension() + static_cast<double>(observables + problem.parameters.size()));
  if (numbers > most_numbers)
    throw Error(fmt::format("{} members at {} times are too many to keep; use {} members at most.", run.members,
                            run.samples() + 1, static_cast<int>(run.members * most_numbers / numbers)));
  return run;
}

class TwoTimeEstimation {
 public:
  TwoTimeEstimation(const TwoTimeProblem& problem, const simulate::Control& control)
      : problem_(problem),
        control_(control),
        terms_(jacobian::direct_terms(problem.model, problem.parameters)),
        augmented_(jacobian::with_observables(problem.model, terms_)),
        run_(run_of(problem, augmented_.observables.size())),
        snapshots_(augmented_, run_, jacobian::SnapshotSink::Keep::states_from_the_start),
        scores_(problem.model, snapshots_) {
    for (const std::string& name : problem.parameters) {
      const symbolic::Conjugate conjugate = symbolic::conjugate(problem.model, name);
      result_.missing.push_back(conjugate.unavailable);
      if (!conjugate.unavailable.empty() || conjugate.total().is_number(0)) continue;
      columns_.push_back(result_.missing.size() - 1);
      formulas_.push_back(conjugate.total());
    }
    result_.observables = problem.model.observables.size();
    result_.parameters = problem.parameters.size();
  }

  TwoTimeKernels run() {
    const Stopwatch watch;
    simulate::Sink* const sinks[] = {&snapshots_};
    result_.run = simulate::run(augmented_, run_, sinks, control_);
    if (result_.run.status != simulate::Status::done) {
      result_.diagnostics.push_back(
          {.check = Check::completion, .verdict = Verdict::failed, .text = result_.run.explanation});
      return std::move(result_);
    }
    for (std::size_t s = 0; s < snapshots_.samples(); ++s)
      result_.time.push_back(static_cast<double>(s) * run_.sample_interval());
    average();
    find_start();
    if (!columns_.empty()) correlate();
    result_.wall_seconds = watch.seconds();
    return std::move(result_);
  }

 private:
  std::size_t times() const { return snapshots_.samples(); }
  MemberRange group(std::size_t i) const {
    return {i * snapshots_.members() / groups, (i + 1) * snapshots_.members() / groups};
  }
  MemberRange half(std::size_t i) const {
    const std::size_t all = snapshots_.members();
    return i == 0 ? MemberRange{0, all / 2} : MemberRange{all / 2, all};
  }

  void average() {
    result_.mean.resize(result_.observables);
    result_.direct.assign(result_.observables * result_.parameters, std::vector<jacobian::Estimate>(times()));
    for (std::size_t s = 0; s < times(); ++s) {
      for (std::size_t m = 0; m < result_.observables; ++m)
        result_.mean[m].push_back(mean_of(snapshots_.observable(s, m)));
      std::size_t next = result_.observables;
      for (const jacobian::DirectTerm& term : terms_)
        result_.direct[result_.entry(term.observable, term.parameter)][s] =
            term.unavailable.empty() ? mean_of(snapshots_.observable(s, next++))
                                     : jacobian::Estimate{missing_number, missing_number};
    }
  }

  void find_start() {
    for (std::size_t i = 0; i < problem_.model.states.size(); ++i)
      if (i != problem_.model.time_state && problem_.model.initial[i].std == 0) result_.first_known = 1;
    if (result_.first_known == 0) return;
    Diagnostic& start = result_.diagnostics.emplace_back();
    start.check = Check::start;
    start.text =
        "Members start without spread, where there is no score: the kernel at time 0 is taken to be that of the first "
        "time after it.";
  }

  void correlate() {
    const bool learned =
        problem_.score.method != score::Method::automatic && problem_.score.method != score::Method::gaussian;
    result_.score = score::name(learned ? problem_.score.method : score::Method::gaussian);
    if (!learned && !is_linear(problem_.model))
      result_.diagnostics.push_back(
          {.check = Check::score,
           .verdict = Verdict::warning,
           .text = "The model is not linear with additive noise, so that its distribution may not be Gaussian: "
                   "responses are those of the quasi-Gaussian closure.",
           .remedy = "--score kgmm or dsm fits the distribution at every time; --check runs the change."});
    const score::GaussianField any(
        std::vector<double>(static_cast<std::size_t>(problem_.model.dimension()), 0.0),
        std::vector<double>(static_cast<std::size_t>(problem_.model.dimension() * problem_.model.dimension()), 0.0),
        "");
    evaluator_ = std::make_unique<ScoredEvaluator>(problem_.model, formulas_, any, run_.backend);
    if (learned)
      correlate_learned();
    else
      correlate_gaussian();
    if (control_.cancellation && control_.cancellation->requested())
      result_.diagnostics.push_back(
          {.check = Check::completion, .verdict = Verdict::failed, .text = "It was stopped before its end."});
  }

  void correlate_gaussian() {
    std::vector<std::vector<double>> replicates(groups + 1);
    const auto correlate = [&](std::size_t r) {
      ranks::poll();
      if (stopped()) return;
      const MemberRange left_out = r == 0 ? MemberRange{} : group(r - 1);
      Conjugates conjugates = make_conjugates();
      for (std::size_t s = result_.first_known; s < times(); ++s) {
        const std::shared_ptr<const Field> field = scores_.gaussian(s, left_out);
        evaluate(s, {0, snapshots_.members()}, *field, conjugates);
      }
      replicates[r] = products(std::move(conjugates), left_out);
    };
    for_each_block_on_ranks("correlations without a group", groups + 1, run_.threads, correlate,
                            serializer(replicates));
    if (!stopped()) result_.kernels = part_of(replicates);
  }

  void correlate_learned() {
    score::Options options = problem_.score;
    options.threads = 1;
    Conjugates own = make_conjugates(), apart = make_conjugates();
    // fields[h] is fitted on the half other than h.
    const auto fit = [&](std::size_t s) {
      ranks::poll();
      if (s < result_.first_known || stopped()) return;
      const std::shared_ptr<const Field> fields[] = {scores_.fitted(s, half(1), options),
                                                     scores_.fitted(s, half(0), options)};
      Conjugates first = make_conjugates(s), second = make_conjugates(s);
      for (const std::size_t h : {0u, 1u}) evaluate(s, half(h), *fields[h], own);
      evaluate(s, {0, snapshots_.members()}, *fields[0], first);
      evaluate(s, {0, snapshots_.members()}, *fields[1], second);
      for (std::size_t j = 0; j < columns_.size(); ++j)
        apart.values[j].row(static_cast<Eigen::Index>(s)) = first.values[j].row(0) - second.values[j].row(0);
    };
    const auto each = [&](std::size_t s, const auto& visit) {
      for (Conjugates* conjugates : {&own, &apart})
        for (Matrix& values : conjugates->values)
          for (Eigen::Index member = 0; member < values.cols(); ++member)
            visit(values(static_cast<Eigen::Index>(s), member));
    };
    for_each_block_on_ranks(
        "scores at all times", times(), run_.threads, fit,
        {[&](std::size_t s, Packer& packer) { each(s, [&](const double& value) { packer.put(value); }); },
         [&](std::size_t s, Unpacker& unpacker) { each(s, [&](double& value) { unpacker.get(value); }); }});
    if (stopped()) return;
    for (Part* part : {&result_.kernels, &result_.difference}) {
      const Conjugates& from = part == &result_.kernels ? own : apart;
      std::vector<std::vector<double>> replicates(groups + 1);
      for_each_block_on_ranks(
          "correlations without a group", groups + 1, run_.threads,
          [&](std::size_t r) { replicates[r] = products(from, r == 0 ? MemberRange{} : group(r - 1)); },
          serializer(replicates));
      *part = part_of(replicates);
    }
  }

  static BlockSerializer serializer(std::vector<std::vector<double>>& replicates) {
    return {[&](std::size_t r, Packer& packer) { packer.put(replicates[r]); },
            [&](std::size_t r, Unpacker& unpacker) { unpacker.get(replicates[r]); }};
  }

  /// Conjugates of all members, [column](time, member), at all times or at one time.
  struct Conjugates {
    std::vector<Matrix> values;
    std::optional<std::size_t> only;
  };
  Conjugates make_conjugates(std::optional<std::size_t> only = {}) const {
    const auto rows = static_cast<Eigen::Index>(only ? 1 : times());
    return {std::vector<Matrix>(columns_.size(), Matrix::Zero(rows, static_cast<Eigen::Index>(snapshots_.members()))),
            only};
  }

  void evaluate(std::size_t sample, const MemberRange& members, const Field& field, Conjugates& to) const {
    const std::size_t lanes = static_cast<std::size_t>(evaluator_->lanes()),
                      rows = static_cast<std::size_t>(problem_.model.dimension());
    ScoredEvaluator::Memory memory = evaluator_->memory();
    codegen::AlignedArray<double> x(rows * lanes), values(formulas_.size() * lanes);
    const auto score = [&](const double* states, double* s, double* entries) {
      if (evaluator_->entries().empty())
        field.evaluate(states, evaluator_->lanes(), s);
      else
        field.jacobian(states, evaluator_->lanes(), evaluator_->entries(), s, entries);
    };
    const auto time = static_cast<Eigen::Index>(to.only ? 0 : sample);
    for (std::size_t first = members.begin; first < members.end; first += lanes) {
      const std::size_t count = std::min(lanes, members.end - first);
      for (std::size_t row = 0; row < rows; ++row) {
        const std::span<const double> all = snapshots_.state(sample, row);
        for (std::size_t lane = 0; lane < lanes; ++lane) x[row * lanes + lane] = all[first + std::min(lane, count - 1)];
      }
      evaluator_->evaluate(score, x.data(), 1, values.data(), memory);
      for (std::size_t j = 0; j < columns_.size(); ++j)
        std::copy_n(values.data() + j * lanes, count, &to.values[j](time, static_cast<Eigen::Index>(first)));
    }
  }

  /// <A(x_t) g(x_s, s)> after subtraction of the mean of g, over all members except those left out.
  std::vector<double> products(Conjugates conjugates, const MemberRange& left_out) const {
    const std::size_t n = times(), all = snapshots_.members(), without = left_out.end - left_out.begin;
    const double count = static_cast<double>(all - without);
    std::vector<double> result(result_.observables * result_.parameters * n * n, 0.0);
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      Matrix& g = conjugates.values[j];
      auto out = g.middleCols(static_cast<Eigen::Index>(left_out.begin), static_cast<Eigen::Index>(without));
      out.setZero();
      const Eigen::VectorXd mean = g.rowwise().sum() / count;
      g.colwise() -= mean;
      out.setZero();
      for (std::size_t m = 0; m < result_.observables; ++m) {
        const std::span<const double> first = snapshots_.observable(0, m);
        const Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> a(
            first.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(all),
            Eigen::OuterStride<>(static_cast<Eigen::Index>(augmented_.observables.size() * all)));
        double* const to = result.data() + result_.entry(m, columns_[j]) * n * n;
        Eigen::Map<Matrix>(to, static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n)) = a * g.transpose() / count;
      }
    }
    return result;
  }

  static Part part_of(const std::vector<std::vector<double>>& replicates) {
    Part part{.value = replicates[0], .influence = {}};
    std::vector<double> mean(part.value.size(), 0.0);
    for (std::size_t r = 1; r <= groups; ++r)
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += replicates[r][i] / groups;
    constexpr double share = static_cast<double>(groups - 1) / groups;
    for (std::size_t r = 1; r <= groups; ++r) {
      std::vector<double>& influence = part.influence.emplace_back(mean.size());
      for (std::size_t i = 0; i < mean.size(); ++i) influence[i] = share * (mean[i] - replicates[r][i]);
    }
    return part;
  }

  bool stopped() const { return control_.cancellation && control_.cancellation->requested(); }

  const TwoTimeProblem& problem_;
  const simulate::Control& control_;
  std::vector<jacobian::DirectTerm> terms_;
  symbolic::Model augmented_;
  simulate::Options run_;
  jacobian::SnapshotSink snapshots_;
  ScoresInTime scores_;
  std::vector<std::size_t> columns_;  ///< indices of the parameters that have a conjugate
  std::vector<symbolic::Expression> formulas_;
  std::unique_ptr<ScoredEvaluator> evaluator_;
  TwoTimeKernels result_;
};

}  // namespace

TwoTimeKernels two_time_kernels(const TwoTimeProblem& problem, const simulate::Control& control) {
  if (problem.model.observables.empty()) throw Error("The model has no observables: nothing responds.");
  if (problem.parameters.empty()) throw Error("No parameter is named: there is nothing to respond to.");
  if (problem.score.method == score::Method::exact)
    throw Error(
        "There is no exact score for a distribution that changes in time; use gaussian, which is exact for linear "
        "models.");
  return TwoTimeEstimation(problem, control).run();
}

}  // namespace gfdt::response
