#include "gfdt/control_variate/dictionary/dictionary_values.hpp"

#include <algorithm>

#include "gfdt/codegen/lanes/isa.hpp"
#include "gfdt/control_variate/dictionary/profile_values.hpp"

namespace gfdt::control_variate {

GFDT_DECLARE_FOR_EACH_ISA(void apply_operator(const ProductRows& p, double* out);
                          void derivatives(const ProductRows& p, double* slopes, double* curvatures);
                          void add_multiple(double factor, const double* from, double* to);
                          void add_product(const double* a, const double* b, double* to);)

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }
constexpr std::size_t width = static_cast<std::size_t>(lanes);

}  // namespace

struct DictionaryValues::Memory {
  codegen::AlignedArray<double> rows, scratch;       ///< for the formulas
  codegen::AlignedArray<double> zeros;               ///< stands for rows that vanish
  codegen::AlignedArray<double> profiles;            ///< [coordinate][site][profile][value, slope, curvature][lane]
  codegen::AlignedArray<double> slopes, curvatures;  ///< of one product
  std::vector<double> gradient, hessian;             ///< of u: [u][coordinate or coupling][site][lane]
};

DictionaryValues::DictionaryValues(const symbolic::Model& model, const Dictionary& dictionary,
                                   const std::vector<std::optional<Operator>>& changes)
    : dictionary_(dictionary),
      layout_(model, dictionary, changes),
      generator_(layout_.places(dictionary, layout_.generator)),
      // There are few formulas and far fewer than millions of samples: compilation would take longer than
      // interpretation.
      formulas_(
          codegen::make_evaluator<double>(layout_.formulas, layout_.symbols, codegen::Backend::interpreter, lanes)) {
  for (const DictionaryLayout::OperatorRows& change : layout_.changes)
    changes_.push_back(layout_.places(dictionary, change));
}

DictionaryValues::~DictionaryValues() = default;

std::shared_ptr<DictionaryValues::Memory> DictionaryValues::memory() const {
  auto memory = std::make_shared<Memory>();
  memory->rows = codegen::AlignedArray<double>(index(formulas_->outputs()) * width);
  memory->scratch = codegen::AlignedArray<double>(formulas_->scratch_size());
  memory->zeros = codegen::AlignedArray<double>(width);
  memory->profiles = codegen::AlignedArray<double>(layout_.first_profile.back() * 3 * width);
  memory->slopes = codegen::AlignedArray<double>(Dictionary::most_factors * width);
  memory->curvatures = codegen::AlignedArray<double>(Dictionary::most_factors * Dictionary::most_factors * width);
  return memory;
}

void DictionaryValues::load(const double* states, Memory& memory) const {
  formulas_->evaluate(states, 1, memory.rows.data(), memory.scratch.data());
  const std::size_t sites = index(dictionary_.sites);
  for (std::size_t q = 0; q < dictionary_.coordinates.size(); ++q)
    for (std::size_t site = 0; site < sites; ++site)
      profile_values(dictionary_.profiles[q], layout_.profiles_used[q], dictionary_.spreads[q],
                     &memory.rows[(q * sites + site) * width],
                     &memory.profiles[(layout_.first_profile[q] + site * layout_.profiles_used[q]) * 3 * width]);
}

ProductRows DictionaryValues::rows_of(const ProductPlaces& places, int site, const Memory& memory) const {
  ProductRows rows{};
  rows.factors = places.factors;
  for (int a = 0; a < places.factors; ++a) {
    const int s = (site + places.offset[a]) % dictionary_.sites;
    const double* const values = &memory.profiles[index(places.profile[a] + s * places.profiles[a]) * 3 * width];
    const double* const applied =
        places.applied[a] < 0 ? memory.zeros.data() : &memory.rows[index(places.applied[a] + s) * width];
    rows.factor[a] = {values, values + width, values + 2 * width, applied};
    for (int b = a; b < places.factors; ++b)
      if (places.coupling[a][b] >= 0) rows.coupling[a][b] = &memory.rows[index(places.coupling[a][b] + s) * width];
  }
  return rows;
}

void DictionaryValues::apply(const std::vector<ProductPlaces>& products, double* values, const Memory& memory) const {
  static const auto add = GFDT_CHOOSE_ISA(lanes::best_isa(), apply_operator);
  std::fill_n(values, functions() * width, 0.0);
  for (std::size_t k = 0; k < functions(); ++k) {
    double* const to = values + k * width;
    for (int site = 0; site < dictionary_.sites; ++site) add(rows_of(products[k], site, memory), to);
    if (dictionary_.sites > 1)
      for (std::size_t lane = 0; lane < width; ++lane) to[lane] /= dictionary_.sites;
  }
}

void DictionaryValues::generated(double* values, Memory& memory) const { apply(generator_, values, memory); }

void DictionaryValues::changed_functions(std::size_t parameter, double* values, Memory& memory) const {
  apply(changes_[parameter], values, memory);
}

void DictionaryValues::changed(std::span<const double> coefficients, double* values, Memory& memory) const {
  static const auto differentiate = GFDT_CHOOSE_ISA(lanes::best_isa(), derivatives);
  static const auto add = GFDT_CHOOSE_ISA(lanes::best_isa(), add_multiple);
  static const auto multiply = GFDT_CHOOSE_ISA(lanes::best_isa(), add_product);
  const std::size_t sets = coefficients.size() / functions(), sites = index(dictionary_.sites);
  const std::size_t along = dictionary_.coordinates.size() * sites * width, across = layout_.couplings * sites * width;
  memory.gradient.assign(sets * along, 0.0);
  memory.hessian.assign(sets * across, 0.0);
  for (std::size_t k = 0; k < functions(); ++k) {
    const Function& function = dictionary_.functions[k];
    for (int site = 0; site < dictionary_.sites; ++site) {
      const ProductRows rows = rows_of(generator_[k], site, memory);
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
          const int known = layout_.coupling_of(factor.coordinate, function.factors[b].coordinate,
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
  const auto add_rows = [&](const std::vector<int>& first_rows, const std::vector<double>& derivatives,
                            std::size_t size, std::size_t parameter) {
    for (std::size_t i = 0; i < first_rows.size(); ++i)
      for (std::size_t u = 0; u < sets && first_rows[i] >= 0; ++u)
        for (std::size_t site = 0; site < sites; ++site)
          multiply(&memory.rows[(index(first_rows[i]) + site) * width],
                   &derivatives[u * size + (i * sites + site) * width],
                   values + (u * parameters() + parameter) * width);
  };
  for (std::size_t j = 0; j < parameters(); ++j) {
    add_rows(layout_.changes[j].applied, memory.gradient, along, j);
    add_rows(layout_.changes[j].couplings, memory.hessian, across, j);
  }
}

}  // namespace gfdt::control_variate
