#include "gfdt/jacobian/correlation/signals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/jacobian/correlation/lane_scores.hpp"
#include "gfdt/score/exact/one_dimensional.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"
#include "gfdt/symbolic/model/angles.hpp"

namespace gfdt::jacobian {
namespace {

using symbolic::Expression;
using Kind = ConjugateGroup::Kind;

bool holds_score_jacobian(const Expression& formula) {
  for (const std::string& name : symbolic::names_in(formula))
    if (name.starts_with("ds.")) return true;
  return false;
}

struct LaterPlan {
  codegen::EvaluationPlan plan;
  std::map<std::string, double> symbols;
};

LaterPlan later_plan(const symbolic::Model& model, const std::vector<double>& references) {
  LaterPlan result{{model.indices, model.states, {{{"later.0", {}}, 1.0}}}, model.parameter_values()};
  codegen::EvaluationPlan& plan = result.plan;
  std::map<std::string, double>& symbols = result.symbols;
  const auto add = [&](const Expression& formula) {
    const std::size_t row = plan.outputs.size();
    const std::string reference = fmt::format("reference.{}", row);
    symbols.emplace(reference, references.at(row - 1));
    plan.outputs.push_back({{fmt::format("later.{}", row), {}}, formula - Expression::symbol(reference)});
  };
  for (const symbolic::Observable& observable : model.observables) add(observable.formula);
  for (std::size_t i = 0; i < model.own_states(); ++i)
    add(symbolic::sum_over_sites(model.states[i], symbolic::settling_functions(model, i)[0].formula) /
        model.states[i].sites());
  return result;
}

}  // namespace

struct Signals::Memory {
  LaneScores own;
  LaneScores first, second;  ///< for differences between the two
  codegen::AlignedArray<double> later_scratch;
  Basis::Memory basis;
  struct OfGroup {
    std::optional<score::ScoredEvaluator::Memory> scored;
    codegen::AlignedArray<double> values, scratch;
    ScoresOfSamples scores;
  };
  std::vector<OfGroup> groups;
};

/// Evaluates 1 and the conjugates of a group at one sample. A score that is a formula is inserted into the conjugates.
class Signals::Conjugates {
 public:
  Conjugates(const symbolic::Model& model, std::vector<Expression> formulas, const Field& field,
             codegen::Backend backend, int lanes) {
    if (const auto* exact = dynamic_cast<const score::ExactOneDimensional*>(&field)) {
      const std::string s = symbolic::score_name(model.states[0]), ds = "d" + s + "." + model.states[0].name;
      codegen::EvaluationPlan plan{model.indices, model.states, {}};
      for (std::size_t i = 0; i < formulas.size(); ++i)
        plan.outputs.push_back(
            {{fmt::format("value.{}", i), {}},
             symbolic::substitute(formulas[i], {{s, exact->score()}, {ds, exact->score_derivative()}})});
      plain_ = codegen::make_evaluator<double>(plan, model.parameter_values(), backend, lanes);
    } else {
      scored_ = std::make_unique<score::ScoredEvaluator>(model, formulas, field, backend, lanes);
    }
  }

  Memory::OfGroup memory() const {
    Memory::OfGroup result;
    const int lanes = plain_ ? plain_->lanes() : scored_->lanes(),
              outputs = plain_ ? plain_->outputs() : scored_->outputs();
    if (scored_) result.scored = scored_->memory();
    result.values = codegen::AlignedArray<double>(static_cast<std::size_t>(lanes * outputs));
    result.scratch = codegen::AlignedArray<double>(plain_ ? plain_->scratch_size() : 0);
    return result;
  }

  /// Evaluates some samples of a block, given by their states; `take` receives the values of each.
  template <class Take>
  void evaluate(std::span<const double* const> samples, LaneScores& scores, Memory::OfGroup& memory,
                const Take& take) const {
    const bool together = scored_ && samples.size() > 1 && scores.best_width() > scores.width();
    if (together) memory.scores.evaluate(scores, scored_->dimension(), samples, scored_->entries());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (plain_)
        plain_->evaluate(samples[i], 1, memory.values.data(), memory.scratch.data());
      else
        scored_->evaluate(
            [&](const double* x, double* s, double* entries) {
              if (together)
                memory.scores.give(i, s, entries);
              else
                scores.evaluate(x, scored_->entries(), s, entries);
            },
            samples[i], 1, memory.values.data(), *memory.scored);
      take(i, memory.values);
    }
  }

 private:
  std::unique_ptr<codegen::Evaluator<double>> plain_;
  std::unique_ptr<score::ScoredEvaluator> scored_;
};

std::vector<std::string> later_names(const symbolic::Model& model) {
  std::vector<std::string> names;
  for (const symbolic::Observable& observable : model.observables) names.push_back(observable.name);
  for (std::size_t i = 0; i < model.own_states(); ++i) names.push_back(symbolic::settling_functions(model, i)[0].name);
  return names;
}

Signals::Signals(const symbolic::Model& model, const std::vector<double>& references, codegen::Backend backend,
                 int lanes, const statistics::ObservedFunctions& functions)
    : state_rows_(model.dimension()), own_rows_(model.own_dimension()), functions_(model, functions, 1) {
  const auto [plan, symbols] = later_plan(model, references);
  later_ = codegen::make_evaluator<double>(plan, symbols, backend, lanes);
  for (std::size_t m = 0; m < model.observables.size(); ++m)
    if (functions.contains(model.observables[m].name)) function_references_.emplace_back(m + 1, references.at(m));
  shape_ = {.later = 1 + static_cast<int>(model.observables.size()),
            .monitored = static_cast<int>(model.own_states()),
            .earlier = 0,
            .lanes = later_->lanes()};
}

Signals::Signals(const symbolic::Model& weighted, std::vector<std::size_t> parameters,
                 const std::vector<double>& references, codegen::Backend backend, int lanes,
                 const statistics::ObservedFunctions& functions)
    : Signals(weighted, references, backend, lanes, functions) {
  shape_.earlier = 1 + state_rows_ - own_rows_;
  if (backend == codegen::Backend::cuda && functions.empty()) {
    const auto [plan, symbols] = later_plan(weighted, references);
    on_device_ = statistics::DevicePlan{codegen::lower(plan), symbols};
  }
  groups_.push_back({Kind::weights, std::move(parameters), 1, 0, shape_.earlier});
}

Signals::Signals(const symbolic::Model& model, const std::vector<symbolic::Conjugate>& conjugates, Scores scores,
                 const Strides& strides, const std::vector<double>& references, codegen::Backend backend, int lanes,
                 std::shared_ptr<const Basis> basis, const statistics::ObservedFunctions& functions)
    : Signals(model, references, backend, lanes, functions) {
  scores_ = std::move(scores);
  basis_ = std::move(basis);
  ConjugateGroup drift{.kind = Kind::drift, .parameters = {}, .stride = strides.drift},
      diffusion{.kind = Kind::diffusion, .parameters = {}, .stride = strides.diffusion},
      difference{.kind = Kind::difference, .parameters = {}, .stride = strides.difference};
  for (std::size_t j = 0; j < conjugates.size(); ++j) {
    const Expression formula = conjugates[j].total();
    if (!conjugates[j].unavailable.empty() || formula.is_number(0)) continue;
    (holds_score_jacobian(formula) ? diffusion : drift).parameters.push_back(j);
    difference.parameters.push_back(j);
  }
  for (const ConjugateGroup& group : {drift, diffusion, difference})
    if (!group.parameters.empty() && (group.kind != Kind::difference || scores_.crossed()))
      add_group(model, group, conjugates, backend);
  if (basis_) {
    groups_.push_back({Kind::basis, {}, strides.drift, shape_.earlier, basis_->functions()});
    shape_.earlier += basis_->functions();
  }
}

Signals::~Signals() = default;

void Signals::add_group(const symbolic::Model& model, ConjugateGroup group,
                        const std::vector<symbolic::Conjugate>& conjugates, codegen::Backend backend) {
  std::vector<Expression> formulas{1.0};
  for (const std::size_t j : group.parameters) formulas.push_back(conjugates[j].total());
  evaluators_.push_back(std::make_unique<Conjugates>(model, formulas, *scores_.fields.at(0), backend, shape_.lanes));
  group.first_row = shape_.earlier;
  group.rows = static_cast<int>(formulas.size());
  shape_.earlier += group.rows;
  groups_.push_back(std::move(group));
}

std::shared_ptr<Signals::Memory> Signals::memory() const {
  auto result = std::make_shared<Memory>();
  result->later_scratch = codegen::AlignedArray<double>(later_->scratch_size());
  for (const auto& evaluator : evaluators_) result->groups.push_back(evaluator->memory());
  if (basis_) result->basis = basis_->memory();
  enter(std::vector<int>(static_cast<std::size_t>(shape_.lanes), 0), *result);
  return result;
}

void Signals::enter(const std::vector<int>& half_of_lane, Memory& memory) const {
  if (scores_.fields.empty()) return;
  std::vector<const Field*> own;
  for (const int half : half_of_lane)
    own.push_back(scores_.fields[scores_.crossed() ? static_cast<std::size_t>(half) : 0].get());
  memory.own = LaneScores(own);
  memory.first = LaneScores(std::vector<const Field*>(own.size(), scores_.fields.front().get()));
  memory.second = LaneScores(std::vector<const Field*>(own.size(), scores_.fields.back().get()));
}

void Signals::evaluate(const double* record, std::uint64_t first, std::uint64_t samples, double* later, double* earlier,
                       double* dynamics, Memory& memory) const {
  later_->evaluate(record, samples, later, memory.later_scratch.data());
  const std::size_t lanes = static_cast<std::size_t>(shape_.lanes);
  functions_.write(record, samples, state_rows_, shape_.lanes, later, shape_.later_rows());
  for (const auto& [row, reference] : function_references_)
    for (std::uint64_t s = 0; s < samples; ++s) {
      double* const values = later + (s * static_cast<std::size_t>(shape_.later_rows()) + row) * lanes;
      for (std::size_t lane = 0; lane < lanes; ++lane) values[lane] -= reference;
    }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const ConjugateGroup& group = groups_[i];
    if (group.kind != Kind::basis) {
      evaluate_group(i, record, first, samples, earlier, memory);
      continue;
    }
    for (std::uint64_t s = 0; s < samples; ++s) {
      double* const values = earlier_rows(earlier, group, s);
      if ((first + s) % group.stride != 0)
        std::fill_n(values, static_cast<std::size_t>(group.rows) * lanes, 0.0);
      else
        basis_->evaluate(record + s * static_cast<std::size_t>(state_rows_) * lanes, values,
                         dynamics + s * static_cast<std::size_t>(basis_->dynamics_rows()) * lanes, memory.basis);
    }
  }
}

double* Signals::earlier_rows(double* earlier, const ConjugateGroup& group, std::uint64_t sample) const {
  const std::size_t row = sample * static_cast<std::size_t>(shape_.earlier) + static_cast<std::size_t>(group.first_row);
  return earlier + row * static_cast<std::size_t>(shape_.lanes);
}

void Signals::evaluate_group(std::size_t number, const double* record, std::uint64_t first, std::uint64_t samples,
                             double* earlier, Memory& memory) const {
  const ConjugateGroup& group = groups_[number];
  const std::size_t lanes = static_cast<std::size_t>(shape_.lanes),
                    states = static_cast<std::size_t>(state_rows_) * lanes,
                    size = static_cast<std::size_t>(group.rows) * lanes;
  std::vector<const double*> looked_at;
  std::vector<double*> values;
  for (std::uint64_t s = 0; s < samples; ++s) {
    double* const rows = earlier_rows(earlier, group, s);
    const double* const x = record + s * states;
    if ((first + s) % group.stride != 0) {
      std::fill_n(rows, size, 0.0);
    } else if (group.kind == Kind::weights) {
      std::fill_n(rows, lanes, 1.0);
      std::copy_n(x + static_cast<std::size_t>(own_rows_) * lanes, size - lanes, rows + lanes);
    } else {
      looked_at.push_back(x);
      values.push_back(rows);
    }
  }
  if (looked_at.empty()) return;
  Memory::OfGroup& work = memory.groups[number];
  const auto keep = [&](std::size_t i, const codegen::AlignedArray<double>& found) {
    std::copy_n(found.data(), size, values[i]);
  };
  if (group.kind != Kind::difference) return evaluators_[number]->evaluate(looked_at, memory.own, work, keep);
  evaluators_[number]->evaluate(looked_at, memory.first, work, keep);
  evaluators_[number]->evaluate(looked_at, memory.second, work,
                                [&](std::size_t i, const codegen::AlignedArray<double>& found) {
                                  for (std::size_t k = lanes; k < size; ++k) values[i][k] -= found[k];
                                });
}

std::uint64_t Signals::batch() const {
  constexpr std::uint64_t usual = 32, most = 512;
  std::uint64_t wanted = usual;
  for (const auto& field : scores_.fields)
    if (field->best_lanes() > shape_.lanes)
      for (const ConjugateGroup& group : groups_)
        wanted = std::max(wanted, static_cast<std::uint64_t>(field->best_lanes() / shape_.lanes) * group.stride);
  return std::min(wanted, most);
}

}  // namespace gfdt::jacobian
