#include "gfdt/poisson/dictionary_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gfdt/lanes/isa.hpp"
#include "gfdt/poisson/profile_values.hpp"

namespace gfdt::poisson {

GFDT_DECLARE_FOR_EACH_ISA(void apply_operator(const ProductRows& p, double* out);
                          void derivatives(const ProductRows& p, double* slopes, double* curvatures);
                          void add_multiple(double factor, const double* from, double* to);
                          void add_product(const double* a, const double* b, double* to);)

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }
constexpr std::size_t width = static_cast<std::size_t>(lanes);

}  // namespace

struct DictionaryValues::Memory {
  kernel::AlignedArray<double> base, perturbed, base_scratch, perturbed_scratch;
  kernel::AlignedArray<double> profiles;            ///< [coordinate][site][profile][value, slope, curvature][lane]
  kernel::AlignedArray<double> slopes, curvatures;  ///< of a product
  std::vector<double> gradient, hessian;            ///< of u: [u][coordinate or coupling][site][lane]
};

DictionaryValues::DictionaryValues(const model::Model& model, const Dictionary& dictionary,
                                   std::vector<std::optional<Operator>> changes)
    : dictionary_(dictionary), changes_(std::move(changes)) {
  const Operator l = generator(model);
  const int count = static_cast<int>(dictionary.coordinates.size()), sites = dictionary.sites;
  const auto& y = dictionary.coordinates;
  const std::vector<expression::Index>& indices = model.states[0].indices;
  kernel::EvaluationPlan base{model.indices, model.states, {}}, perturbed = base;
  const auto add = [&](kernel::EvaluationPlan& plan, const Expression& formula) {
    plan.outputs.push_back({{fmt::format("row.{}", plan.outputs.size()), indices}, formula});
    return static_cast<int>(plan.outputs.size() - 1) * sites;
  };
  for (const Coordinate& coordinate : y) add(base, coordinate.value());
  for (const Coordinate& coordinate : y) add(base, applied(model, l, coordinate));
  for (std::size_t j = 0; j < changes_.size(); ++j) {
    if (!changes_[j]) continue;
    for (int q = 0; q < count; ++q)
      if (const Expression row = applied(model, *changes_[j], y[index(q)]); !row.is_number(0))
        change_rows_.push_back({j, q, -1, add(perturbed, row)});
  }
  int reach = 0;
  for (const Function& function : dictionary.functions)
    for (const Factor& factor : function.factors) reach = std::max(reach, factor.offset);
  coupling_at_.assign(index(count * count * sites), -1);
  for (int q = 0; q < count; ++q)
    for (int r = 0; r < count; ++r)
      for (int offset = -reach; offset <= reach; ++offset) {
        const Expression of_l = coupling(model, l, y[index(q)], y[index(r)], offset);
        std::vector<Expression> of_changes;
        bool any = !of_l.is_number(0);
        for (const std::optional<Operator>& change : changes_) {
          of_changes.push_back(change ? coupling(model, *change, y[index(q)], y[index(r)], offset) : Expression());
          any |= !of_changes.back().is_number(0);
        }
        if (!any || coupling_of(q, r, offset) >= 0) continue;
        const int number = static_cast<int>(couplings_.size());
        coupling_at_[index((q * count + r) * sites + (offset + sites) % sites)] = number;
        couplings_.push_back({q, r, offset});
        add(base, of_l);
        for (std::size_t j = 0; j < of_changes.size(); ++j)
          if (!of_changes[j].is_number(0)) change_rows_.push_back({j, -1, number, add(perturbed, of_changes[j])});
      }
  profiles_used_.assign(index(count), 0);
  for (const Function& function : dictionary.functions)
    for (const Factor& factor : function.factors)
      profiles_used_[index(factor.coordinate)] =
          std::max(profiles_used_[index(factor.coordinate)], index(factor.profile) + 1);
  std::size_t next = 0;
  for (const std::size_t used : profiles_used_) {
    first_profile_.push_back(next);
    next += used * index(sites);
  }
  first_profile_.push_back(next);
  // Formulas are few and samples are not millions: compiling them would take longer than interpreting them.
  const auto symbols = model.parameter_values();
  base_ = kernel::make_evaluator<double>(base, symbols, kernel::Backend::interpreter, lanes);
  if (!perturbed.outputs.empty())
    perturbed_ = kernel::make_evaluator<double>(perturbed, symbols, kernel::Backend::interpreter, lanes);
}

DictionaryValues::~DictionaryValues() = default;

int DictionaryValues::coupling_of(int first, int second, int offset) const {
  const int count = static_cast<int>(dictionary_.coordinates.size()), sites = dictionary_.sites;
  return coupling_at_[index((first * count + second) * sites + (offset + sites) % sites)];
}

std::shared_ptr<DictionaryValues::Memory> DictionaryValues::memory() const {
  auto memory = std::make_shared<Memory>();
  memory->base = kernel::AlignedArray<double>(index(base_->outputs()) * width);
  memory->base_scratch = kernel::AlignedArray<double>(base_->scratch_size());
  if (perturbed_) {
    memory->perturbed = kernel::AlignedArray<double>(index(perturbed_->outputs()) * width);
    memory->perturbed_scratch = kernel::AlignedArray<double>(perturbed_->scratch_size());
  }
  memory->profiles = kernel::AlignedArray<double>(first_profile_.back() * 3 * width);
  memory->slopes = kernel::AlignedArray<double>(Dictionary::most_factors * width);
  memory->curvatures = kernel::AlignedArray<double>(Dictionary::most_factors * Dictionary::most_factors * width);
  return memory;
}

void DictionaryValues::load(const double* states, Memory& memory) const {
  base_->evaluate(states, 1, memory.base.data(), memory.base_scratch.data());
  if (perturbed_) perturbed_->evaluate(states, 1, memory.perturbed.data(), memory.perturbed_scratch.data());
  const std::size_t sites = index(dictionary_.sites);
  for (std::size_t q = 0; q < dictionary_.coordinates.size(); ++q)
    for (std::size_t site = 0; site < sites; ++site)
      profile_values(dictionary_.profiles[q], profiles_used_[q], dictionary_.spreads[q],
                     &memory.base[(q * sites + site) * width],
                     &memory.profiles[(first_profile_[q] + site * profiles_used_[q]) * 3 * width]);
}

ProductRows DictionaryValues::rows_of(const Function& function, int site, const Memory& memory) const {
  ProductRows rows{};
  rows.factors = static_cast<int>(function.factors.size());
  const int sites = dictionary_.sites, count = static_cast<int>(dictionary_.coordinates.size());
  const auto at = [&](int place) { return (site + place) % sites; };
  for (std::size_t a = 0; a < function.factors.size(); ++a) {
    const Factor& factor = function.factors[a];
    const std::size_t q = index(factor.coordinate), s = index(at(factor.offset));
    const double* const values =
        &memory.profiles[(first_profile_[q] + s * profiles_used_[q] + index(factor.profile)) * 3 * width];
    rows.factor[a] = {values, values + width, values + 2 * width,
                      &memory.base[(index(count + factor.coordinate) * index(sites) + s) * width]};
    for (std::size_t b = a; b < function.factors.size(); ++b) {
      const Factor& other = function.factors[b];
      const int known = coupling_of(factor.coordinate, other.coordinate, other.offset - factor.offset);
      if (known >= 0) rows.coupling[a][b] = &memory.base[(index(2 * count + known) * index(sites) + s) * width];
    }
  }
  return rows;
}

void DictionaryValues::generated(double* values, Memory& memory) const {
  static const auto apply = GFDT_CHOOSE_ISA(lanes::best_isa(), apply_operator);
  std::fill_n(values, functions() * width, 0.0);
  for (std::size_t k = 0; k < functions(); ++k) {
    double* const to = values + k * width;
    for (int site = 0; site < dictionary_.sites; ++site) apply(rows_of(dictionary_.functions[k], site, memory), to);
    if (dictionary_.sites > 1)
      for (std::size_t lane = 0; lane < width; ++lane) to[lane] /= dictionary_.sites;
  }
}

void DictionaryValues::changed(std::span<const double> coefficients, double* values, Memory& memory) const {
  static const auto differentiate = GFDT_CHOOSE_ISA(lanes::best_isa(), derivatives);
  static const auto add = GFDT_CHOOSE_ISA(lanes::best_isa(), add_multiple);
  static const auto multiply = GFDT_CHOOSE_ISA(lanes::best_isa(), add_product);
  const std::size_t sets = coefficients.size() / functions(), sites = index(dictionary_.sites);
  const std::size_t along = dictionary_.coordinates.size() * sites * width, across = couplings_.size() * sites * width;
  memory.gradient.assign(sets * along, 0.0);
  memory.hessian.assign(sets * across, 0.0);
  for (std::size_t k = 0; k < functions(); ++k) {
    const Function& function = dictionary_.functions[k];
    for (int site = 0; site < dictionary_.sites; ++site) {
      const ProductRows rows = rows_of(function, site, memory);
      differentiate(rows, memory.slopes.data(), memory.curvatures.data());
      for (std::size_t a = 0; a < function.factors.size(); ++a) {
        const Factor& factor = function.factors[a];
        const std::size_t s = index((site + factor.offset) % dictionary_.sites);
        for (std::size_t u = 0; u < sets; ++u)
          if (coefficients[u * functions() + k] != 0)
            add(coefficients[u * functions() + k] / dictionary_.sites, &memory.slopes[a * width],
                &memory.gradient[u * along + (index(factor.coordinate) * sites + s) * width]);
        for (std::size_t b = a; b < function.factors.size(); ++b) {
          if (!rows.coupling[a][b]) continue;
          const int known = coupling_of(factor.coordinate, function.factors[b].coordinate,
                                        function.factors[b].offset - factor.offset);
          for (std::size_t u = 0; u < sets; ++u)
            if (coefficients[u * functions() + k] != 0)
              add(coefficients[u * functions() + k] / dictionary_.sites,
                  &memory.curvatures[(a * Dictionary::most_factors + b) * width],
                  &memory.hessian[u * across + (index(known) * sites + s) * width]);
        }
      }
    }
  }
  std::fill_n(values, sets * parameters() * width, 0.0);
  for (const Change& change : change_rows_)
    for (std::size_t u = 0; u < sets; ++u) {
      const double* const derivative = change.coordinate >= 0
                                           ? &memory.gradient[u * along + index(change.coordinate) * sites * width]
                                           : &memory.hessian[u * across + index(change.coupling) * sites * width];
      for (std::size_t site = 0; site < sites; ++site)
        multiply(&memory.perturbed[(index(change.first_row) + site) * width], derivative + site * width,
                 values + (u * parameters() + change.parameter) * width);
    }
}

}  // namespace gfdt::poisson
