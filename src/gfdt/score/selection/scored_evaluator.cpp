#include "gfdt/score/selection/scored_evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/derived/conjugate.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"

namespace gfdt::score {
namespace {

int first_row(const symbolic::Model& model, std::size_t state) {
  return codegen::total_rows(std::span(model.states).first(state));
}

/// Appends the entries (k, k + offset) of a matrix over the sites of its row's field, in the order of the rows of a
/// record.
void append_entries(const symbolic::Model& model, const symbolic::MatrixEntry& entry,
                    std::vector<JacobianEntry>& entries) {
  const symbolic::Field& field = model.states[entry.row];
  const std::vector<int> strides = codegen::strides(field, model.indices);
  const int row = first_row(model, entry.row), column = first_row(model, entry.column);
  for (int site = 0; site < field.sites(); ++site) {
    int other = site;
    for (std::size_t i = 0; i < field.indices.size(); ++i) {
      const int size = field.indices[i].size, here = site / strides[i] % size;
      const int there = ((here + entry.column_site.indices()[i].offset) % size + size) % size;
      other += (there - here) * strides[i];
    }
    entries.push_back({row + site, column + other});
  }
}

/// D without noises that drive all sites of a field at once, because their responses are not derived.
std::vector<symbolic::MatrixEntry> derived_diffusion_matrix(symbolic::Model model) {
  std::erase_if(model.diffusion, [&](const symbolic::DiffusionTerm& term) {
    return model.states[term.state].indices != model.noises[term.noise].indices;
  });
  return symbolic::diffusion_matrix(model);
}

}  // namespace

ScoredEvaluator::ScoredEvaluator(const symbolic::Model& model, const std::vector<symbolic::Expression>& formulas,
                                 const Field& field, codegen::Backend backend, int lanes)
    : field_(field) {
  if (field.dimension() != model.dimension())
    throw Error(fmt::format("The score has {} components and the model has {}; fit the score on samples of this model.",
                            field.dimension(), model.dimension()));
  codegen::EvaluationPlan plan{model.indices, model.states, {}};
  for (const symbolic::Field& state : model.states) plan.states.push_back({symbolic::score_name(state), state.indices});

  std::set<std::string> wanted;
  for (const symbolic::Expression& formula : formulas)
    for (const std::string& name : symbolic::names_in(formula))
      if (name.starts_with("ds.")) wanted.insert(name);
  if (!wanted.empty())
    for (const symbolic::MatrixEntry& entry : derived_diffusion_matrix(model)) {
      const std::string name = symbolic::score_jacobian_name(model, entry);
      if (wanted.erase(name) == 0) continue;
      plan.states.push_back({name, model.states[entry.row].indices});
      append_entries(model, entry, entries_);
    }
  if (!wanted.empty())
    throw Error(fmt::format(
        "A formula holds {}, and the noise of this model does not join these states; only derivatives of the score "
        "between states that share a noise are known.",
        *wanted.begin()));

  for (std::size_t i = 0; i < formulas.size(); ++i)
    plan.outputs.push_back({{fmt::format("value.{}", i), {}}, formulas[i]});
  evaluator_ = codegen::make_evaluator<double>(plan, model.parameter_values(), backend, lanes);
}

ScoredEvaluator::Memory ScoredEvaluator::memory() const {
  const std::size_t rows = 2 * static_cast<std::size_t>(field_.dimension()) + entries_.size();
  return {codegen::AlignedArray<double>(rows * static_cast<std::size_t>(lanes())),
          codegen::AlignedArray<double>(evaluator_->scratch_size())};
}

void ScoredEvaluator::evaluate(const double* record, std::uint64_t samples, double* values, Memory& memory) const {
  evaluate(
      [this](const double* x, double* s, double* entries) {
        if (entries_.empty())
          field_.evaluate(x, lanes(), s);
        else
          field_.jacobian(x, lanes(), entries_, s, entries);
      },
      record, samples, values, memory);
}

void ScoredEvaluator::evaluate(const ScoreRows& score, const double* record, std::uint64_t samples, double* values,
                               Memory& memory) const {
  const std::size_t states = static_cast<std::size_t>(field_.dimension() * lanes());
  double* const s = memory.record.data() + states;
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    std::copy_n(record, states, memory.record.data());
    score(record, s, s + states);
    evaluator_->evaluate(memory.record.data(), 1, values, memory.scratch.data());
    record += states;
    values += static_cast<std::size_t>(outputs() * lanes());
  }
}

}  // namespace gfdt::score
