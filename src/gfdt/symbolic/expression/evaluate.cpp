#include "gfdt/symbolic/expression/evaluate.hpp"

#include <fmt/format.h>

#include <vector>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/expression/evaluate_function.hpp"
#include "gfdt/symbolic/expression/node.hpp"

namespace gfdt::symbolic {
namespace {

class Evaluation {
 public:
  Evaluation(const Values& values, std::map<std::string, int> position)
      : values_(values), position_(std::move(position)) {}

  double operator()(const Expression& e) {
    if (e.is_number()) return e.value();
    std::pair<const Node*, std::vector<int>> key{e.identity(), {}};
    for (const std::string& index : e.free_indices()) key.second.push_back(position_.at(index));
    if (auto known = memo_.find(key); known != memo_.end()) return known->second;
    double result = compute(e);
    memo_.emplace(std::move(key), result);
    return result;
  }

 private:
  double compute(const Expression& e) {
    switch (e.kind()) {
      case Kind::number:
        return e.value();
      case Kind::symbol:
        if (!values_.symbol) throw Error(fmt::format("The symbol {} has no value.", e.name()));
        return values_.symbol(e.name());
      case Kind::site:
        return at_site(e);
      case Kind::sum:
        return over_sites(e);
      default:
        break;
    }
    std::vector<double> operands;
    for (const Expression& operand : e.operands()) operands.push_back((*this)(operand));
    if (e.kind() == Kind::power) return power_value(operands[0], operands[1]);
    if (e.kind() == Kind::call) return function_value(e.function(), operands);
    double total = operands.front();
    for (double operand : std::span(operands).subspan(1))
      total = e.kind() == Kind::add ? total + operand : total * operand;
    return total;
  }

  double at_site(const Expression& e) const {
    if (!values_.site) throw Error(fmt::format("The field {} has no values.", e.name()));
    std::vector<int> sites;
    for (const SiteIndex& at : e.indices()) {
      int size = at.index.size;
      sites.push_back(((position_.at(at.index.name) + at.offset) % size + size) % size);
    }
    return values_.site(e.name(), sites);
  }

  double over_sites(const Expression& e) {
    const Index& index = e.bound();
    const std::map<std::string, int> outer = position_;
    double total = 0;
    for (int k = 0; k < index.size; ++k) {
      position_[index.name] = k;
      total += (*this)(e.operands()[0]);
    }
    position_ = outer;
    return total;
  }

  const Values& values_;
  std::map<std::string, int> position_;
  std::map<std::pair<const Node*, std::vector<int>>, double> memo_;
};

}  // namespace

double evaluate(const Expression& formula, const Values& values, const std::map<std::string, int>& position) {
  for (const std::string& index : formula.free_indices())
    if (!position.contains(index))
      throw Error(fmt::format("The value at a site needs a position for the index {}.", index));
  return Evaluation(values, position)(formula);
}

}  // namespace gfdt::symbolic
