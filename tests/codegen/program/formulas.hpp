#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "backends.hpp"
#include "gfdt/symbolic/expression/evaluate.hpp"
#include "gfdt/symbolic/model/scope.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace gfdt::codegen {

using Position = std::map<std::string, int>;

/// All sites of a field in storage order: by the index sets of the model, the last varying fastest.
inline std::vector<Position> sites_in_storage(const Field& field, const std::vector<Index>& index_order) {
  std::vector<Position> result{{}};
  for (const Index& index : index_order) {
    if (std::ranges::find(field.indices, index) == field.indices.end()) continue;
    std::vector<Position> longer;
    for (const Position& p : result)
      for (int i = 0; i < index.size; ++i) {
        longer.push_back(p);
        longer.back()[index.name] = i;
      }
    result = std::move(longer);
  }
  return result;
}

/// States, parameters and formulas, which a back end evaluates and which are compared with symbolic::evaluate.
class Formulas {
 public:
  Formulas& index(const std::string& name, int size) {
    scope_.add_index({name, size});
    return *this;
  }
  Formulas& state(const std::string& label) {
    Field field = scope_.declare(label);
    scope_.add(field.name, {field.indices, field.self()});
    states_.push_back(field);
    return *this;
  }
  Formulas& parameter(const std::string& name, double value) {
    scope_.add(name, {{}, Expression::symbol(name)});
    symbols_[name] = value;
    return *this;
  }
  Formulas& output(const std::string& label, const std::string& text) {
    Field target = scope_.declare(label);
    return output(target, symbolic::parse(text, scope_, {}, target.indices));
  }
  Formulas& output(const Field& target, const Expression& value) {
    outputs_.push_back({target, value});
    return *this;
  }
  /// A scalar output with a numbered name.
  Formulas& output(const std::string& text) { return output("out" + std::to_string(outputs_.size()), text); }

  Expression parsed(const std::string& text, const std::vector<Index>& open = {}) const {
    return symbolic::parse(text, scope_, {}, open);
  }
  const symbolic::ModelScope& scope() const { return scope_; }
  const std::map<std::string, double>& symbols() const { return symbols_; }
  EvaluationPlan plan() const { return {scope_.indices(), states_, outputs_}; }

  /// Evaluates the formulas on random states in (0.25, 1.25) and requires an error of at most `ulps` units in the last
  /// place of the largest intermediate result. Returns the largest error in these units.
  template <class T>
  double compare(Backend backend, double ulps, int samples = 2) const {
    auto evaluator = make_evaluator<T>(plan(), symbols_, backend);
    const int lanes = evaluator->lanes(), rows = total_rows(states_);
    std::vector<Field> targets;
    for (const Assignment& a : outputs_) targets.push_back(a.target);
    EXPECT_EQ(evaluator->outputs(), total_rows(targets));
    auto record = random_states<T>(rows * lanes * samples);
    AlignedArray<T> values(static_cast<std::size_t>(evaluator->outputs() * lanes * samples));
    AlignedArray<T> scratch(evaluator->scratch_size());
    evaluator->evaluate(record.data(), static_cast<std::uint64_t>(samples), values.data(), scratch.data());

    double worst = 0;
    for (int sample = 0; sample < samples; ++sample)
      for (int lane : {0, 1, 7, lanes / 2, lanes - 1}) {
        const T* state = record.data() + sample * rows * lanes + lane;
        const T* value = values.data() + sample * evaluator->outputs() * lanes + lane;
        for (const Assignment& a : outputs_)
          for (const Position& at : sites_in_storage(a.target, scope_.indices())) {
            double largest = 0;
            const double exact = reference(a.value, at, state, lanes, largest);
            const double error = std::abs(static_cast<double>(*value) - exact) /
                                 (std::numeric_limits<T>::epsilon() * std::max(largest, 1e-3));
            EXPECT_LE(error, ulps) << a.target.label() << " = " << symbolic::to_string(a.value) << " is " << *value
                                   << ", not " << exact << ", in lane " << lane << " of sample " << sample;
            worst = std::max(worst, error);
            if (error > ulps) return error;
            value += lanes;
          }
      }
    return worst;
  }

 private:
  template <class T>
  static AlignedArray<T> random_states(int count) {
    AlignedArray<T> result(static_cast<std::size_t>(count));
    std::mt19937 random(17);
    for (T& x : result.span()) x = static_cast<T>(0.25 + static_cast<double>(random() >> 12) * 0x1p-20);
    return result;
  }

  template <class T>
  double reference(const Expression& formula, const Position& at, const T* state, int lanes, double& largest) const {
    std::map<std::string, std::vector<double>> fields;
    for (const Field& field : states_)
      for (int site = 0; site < field.sites(); ++site, state += lanes) fields[field.name].push_back(*state);
    symbolic::Values values{
        [&](const std::string& name) { return symbols_.contains(name) ? symbols_.at(name) : fields.at(name)[0]; },
        [&](const std::string& name, std::span<const int> position) {
          const Field& field = *std::ranges::find(states_, name, &Field::name);
          int site = 0;
          for (const Index& index : scope_.indices())
            for (std::size_t i = 0; i < position.size(); ++i)
              if (field.indices[i] == index) site = site * index.size + position[i];
          return fields.at(name)[static_cast<std::size_t>(site)];
        }};
    largest = largest_part(formula, at, values);
    return symbolic::evaluate(formula, values, at);
  }

  /// Largest absolute value among the subformulas.
  static double largest_part(const Expression& e, Position at, const symbolic::Values& values) {
    double largest = std::abs(symbolic::evaluate(e, values, at));
    if (e.kind() == symbolic::Kind::sum) at[e.bound().name] = 0;
    for (const Expression& part : e.operands()) largest = std::max(largest, largest_part(part, at, values));
    return largest;
  }

  symbolic::ModelScope scope_;
  std::vector<Field> states_;
  std::map<std::string, double> symbols_;
  std::vector<Assignment> outputs_;
};

}  // namespace gfdt::codegen
