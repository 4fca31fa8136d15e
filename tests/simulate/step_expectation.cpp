#include "step_expectation.hpp"

#include <cmath>
#include <stdexcept>

#include "gfdt/symbolic/expression/evaluate.hpp"

namespace gfdt::simulate {
namespace {

struct Node {
  double position, weight;
};

/// Gauss–Hermite quadrature for the standard normal distribution. The roots of the polynomial He_n are found by
/// bisection between those of He_{n−1}; the weights are n! / (n He_{n−1}(x))².
std::vector<Node> gauss_hermite(std::size_t n) {
  auto hermite = [](std::size_t degree, double x) {
    double before = 0, value = 1;
    for (std::size_t k = 0; k < degree; ++k) {
      const double next = x * value - static_cast<double>(k) * before;
      before = value;
      value = next;
    }
    return value;
  };
  std::vector<double> roots;
  for (std::size_t degree = 1; degree <= n; ++degree) {
    std::vector<double> bounds{-10};
    bounds.insert(bounds.end(), roots.begin(), roots.end());
    bounds.push_back(10);
    roots.clear();
    for (std::size_t i = 0; i < degree; ++i) {
      double low = bounds[i], high = bounds[i + 1];
      const bool rising = hermite(degree, high) > 0;
      for (int step = 0; step < 100; ++step) {
        const double middle = (low + high) / 2;
        ((hermite(degree, middle) > 0) == rising ? high : low) = middle;
      }
      roots.push_back((low + high) / 2);
    }
  }
  std::vector<Node> nodes;
  const double count = static_cast<double>(n);
  for (double x : roots) nodes.push_back({x, std::tgamma(count + 1) / std::pow(count * hermite(n - 1, x), 2)});
  return nodes;
}

std::size_t place_of(const Field& field, std::span<const int> position) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < position.size(); ++i)
    place = place * static_cast<std::size_t>(field.indices[i].size) + static_cast<std::size_t>(position[i]);
  return place;
}

}  // namespace

StepExpectation::StepExpectation(const Model& model, Scheme scheme, double dt)
    : model_(model), dt_(dt), plan_(step_plan(model_, scheme)) {}

std::size_t StepExpectation::rows(const std::vector<Field>& fields) {
  std::size_t count = 0;
  for (const Field& field : fields) count += static_cast<std::size_t>(field.sites());
  return count;
}

std::size_t StepExpectation::pair_signs() const {
  std::vector<Field> pairs;
  for (const Field& field : plan_.signs)
    if (field.name.starts_with("v.")) pairs.push_back(field);
  return rows(pairs);
}

void StepExpectation::run_stage(const std::vector<codegen::Assignment>& stage, Table& table) const {
  std::map<std::string, const Field*> fields;
  for (const auto* group : {&plan_.states, &plan_.noises, &plan_.signs, &plan_.scratch})
    for (const Field& field : *group) fields[field.name] = &field;
  const symbolic::Values values{
      .symbol = [&](const std::string& name) -> double {
        if (name == dt_name) return dt_;
        if (auto known = table.find(name); known != table.end()) return known->second[0];
        return model_.parameter(name).value;
      },
      .site = [&](const std::string& name,
                  std::span<const int> position) { return table.at(name)[place_of(*fields.at(name), position)]; }};
  for (const codegen::Assignment& assignment : stage) {
    std::vector<double>& target = table[assignment.target.name];
    target.resize(static_cast<std::size_t>(assignment.target.sites()));
    for (std::size_t place = 0; place < target.size(); ++place) {
      std::map<std::string, int> position;
      std::size_t rest = place;
      for (auto index = assignment.target.indices.rbegin(); index != assignment.target.indices.rend(); ++index) {
        position[index->name] = static_cast<int>(rest % static_cast<std::size_t>(index->size));
        rest /= static_cast<std::size_t>(index->size);
      }
      target[place] = symbolic::evaluate(assignment.value, values, position);
    }
  }
}

StepExpectation::State StepExpectation::step(const State& state, const std::vector<double>& normals,
                                             const std::vector<double>& signs) const {
  Table table;
  auto fill = [&](const std::vector<Field>& fields, const std::vector<double>& from) {
    auto next = from.begin();
    for (const Field& field : fields) {
      table[field.name] = {next, next + field.sites()};
      next += field.sites();
    }
  };
  fill(plan_.states, state);
  fill(plan_.noises, normals);
  fill(plan_.signs, signs);
  for (const auto& stage : plan_.stages) run_stage(stage, table);
  State result;
  for (const Field& field : plan_.states) {
    const std::vector<double>& next = table.at(codegen::next_name(field));
    result.insert(result.end(), next.begin(), next.end());
  }
  return result;
}

double StepExpectation::expectation(const State& state, const Function& f, std::size_t nodes, Pairs pairs,
                                    Spread spread) const {
  const std::vector<Node> rule = gauss_hermite(nodes);
  std::vector<bool> varies;
  for (const Field& field : plan_.signs)
    varies.insert(varies.end(), static_cast<std::size_t>(field.sites()),
                  field.name.starts_with("v.") ? pairs == Pairs::right : spread == Spread::enumerated);
  std::size_t sign_choices = 1, node_choices = 1;
  for (bool v : varies) sign_choices *= v ? 2 : 1;
  for (std::size_t i = 0; i < normals(); ++i) node_choices *= nodes;

  double total = 0;
  std::vector<double> z(normals()), sign(signs());
  for (std::size_t choice = 0; choice < node_choices; ++choice) {
    double weight = 1;
    std::size_t rest = choice;
    for (double& value : z) {
      value = rule[rest % nodes].position;
      weight *= rule[rest % nodes].weight;
      rest /= nodes;
    }
    for (std::size_t signs_choice = 0; signs_choice < sign_choices; ++signs_choice) {
      std::size_t bits = signs_choice, place = 0;
      for (const Field& field : plan_.signs)
        for (int site = 0; site < field.sites(); ++site, ++place) {
          sign[place] = varies[place] ? (bits % 2 == 0 ? 1 : -1) : (field.name.starts_with("v.") ? 0 : 1);
          if (varies[place]) bits /= 2;
        }
      total += weight * f(step(state, z, sign)) / static_cast<double>(sign_choices);
    }
  }
  return total;
}

}  // namespace gfdt::simulate
