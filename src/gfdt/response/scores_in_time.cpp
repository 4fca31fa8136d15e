#include "gfdt/response/scores_in_time.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>

#include "gfdt/base/error.hpp"
#include "gfdt/codegen/program/component_names.hpp"
#include "gfdt/score/estimators/gaussian.hpp"
#include "gfdt/score/selection/fit_score.hpp"
#include "gfdt/score/selection/sample_collector.hpp"

namespace gfdt::response {
namespace {

/// A field with one additional component, the last one, which is zero and has no influence on the others.
class WithTime : public Field {
 public:
  explicit WithTime(std::shared_ptr<const Field> field) : Field(field->dimension() + 1), field_(std::move(field)) {}

  void evaluate(const double* x, int lanes, double* s) const override {
    field_->evaluate(x, lanes, s);
    clear_last(s, lanes);
  }
  void differentiate(const double* x, int lanes, int directions, const double* v, double* s,
                     double* sv) const override {
    for (int i = 0; i < directions; ++i) {
      const long offset = static_cast<long>(i) * dimension() * lanes;
      field_->differentiate(x, lanes, 1, v + offset, s, sv + offset);
      clear_last(sv + offset, lanes);
    }
    clear_last(s, lanes);
  }
  void jacobian(const double* x, int lanes, std::span<const score::JacobianEntry> entries, double* s,
                double* values) const override {
    field_->jacobian(x, lanes, entries, s, values);
    clear_last(s, lanes);
  }
  int probes() const override { return field_->probes(); }
  std::string description() const override { return field_->description(); }

 private:
  void clear_last(double* rows, int lanes) const { std::fill_n(rows + (dimension() - 1) * lanes, lanes, 0.0); }

  std::shared_ptr<const Field> field_;
};

}  // namespace

symbolic::Model at_fixed_time(symbolic::Model model) {
  if (!model.time_state) return model;
  model.states.pop_back();
  model.drift.pop_back();
  model.initial.pop_back();
  model.time_state.reset();
  model.period.reset();
  model.parameters.push_back({.name = symbolic::time_name, .value = 1});
  return model;
}

ScoresInTime::ScoresInTime(const symbolic::Model& model, const jacobian::SnapshotSink& snapshots)
    : snapshots_(snapshots),
      model_(at_fixed_time(model)),
      names_(codegen::component_names(model_)),
      rows_(static_cast<std::size_t>(model_.dimension())),
      all_rows_(static_cast<std::size_t>(model.dimension())) {}

std::shared_ptr<const Field> ScoresInTime::gaussian(std::size_t sample, const MemberRange& left_out) const {
  const std::size_t members = snapshots_.members();
  const Eigen::Index d = static_cast<Eigen::Index>(rows_);
  Eigen::MatrixXd x(static_cast<Eigen::Index>(members - (left_out.end - left_out.begin)), d);
  for (Eigen::Index row = 0; row < d; ++row) {
    const std::span<const double> all = snapshots_.state(sample, static_cast<std::size_t>(row));
    const auto rest = std::ranges::copy(all.first(left_out.begin), x.col(row).data()).out;
    std::ranges::copy(all.subspan(left_out.end), rest);
  }
  const Eigen::RowVectorXd mean = x.colwise().mean();
  x.rowwise() -= mean;
  const Eigen::MatrixXd covariance = x.transpose() * x / static_cast<double>(x.rows());
  const std::vector<double> precision =
      score::inverse_covariance({covariance.data(), covariance.data() + covariance.size()}, names_,
                                "its distribution has no density: give it noise, or a spread in [model.initial]");
  std::vector<double> all_mean(all_rows_, 0.0), all_precision(all_rows_ * all_rows_, 0.0);
  for (std::size_t i = 0; i < rows_; ++i) {
    all_mean[i] = mean(static_cast<Eigen::Index>(i));
    for (std::size_t j = 0; j < rows_; ++j) all_precision[i * all_rows_ + j] = precision[i * rows_ + j];
  }
  return std::make_shared<score::GaussianField>(std::move(all_mean), std::move(all_precision),
                                                "Gaussian with the mean and covariance of the members");
}

std::shared_ptr<const Field> ScoresInTime::fitted(std::size_t sample, const MemberRange& members,
                                                  const score::Options& options) const {
  score::Samples samples{.arrangement = score::arrangement_of(model_), .names = names_, .values = {}, .group = {}};
  for (std::size_t member = members.begin; member < members.end; ++member) {
    samples.group.push_back(static_cast<std::uint32_t>(member - members.begin));
    for (std::size_t row = 0; row < rows_; ++row) samples.values.push_back(snapshots_.state(sample, row)[member]);
  }
  score::Options fitting = options;
  fitting.whole_model = false;
  const score::ScoreFit fit = score::fit_score(model_, samples, fitting);
  if (!fit.usable()) throw Error(fit.problem);
  if (rows_ == all_rows_) return fit.field;
  return std::make_shared<WithTime>(fit.field);
}

}  // namespace gfdt::response
