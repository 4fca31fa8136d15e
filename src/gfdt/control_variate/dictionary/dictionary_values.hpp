#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/codegen/program/kernel.hpp"
#include "gfdt/control_variate/dictionary/dictionary_layout.hpp"
#include "gfdt/control_variate/dictionary/product_rows.hpp"

namespace gfdt::control_variate {

/// The functions of a dictionary at samples of a model, `lanes` at a time.
class DictionaryValues {
 public:
  /// `changes`: what each parameter adds to the generator; nothing where it cannot be had.
  DictionaryValues(const symbolic::Model& model, const Dictionary& dictionary,
                   const std::vector<std::optional<Operator>>& changes);
  ~DictionaryValues();

  std::size_t functions() const { return dictionary_.functions.size(); }
  std::size_t parameters() const { return layout_.changes.size(); }
  const Dictionary& dictionary() const { return dictionary_; }
  const DictionaryLayout& layout() const { return layout_; }

  /// What one thread needs.
  struct Memory;
  std::shared_ptr<Memory> memory() const;

  /// states: [component][lane]. What follows is of these states.
  void load(const double* states, Memory& memory) const;

  /// L φ, [function][lane].
  void generated(double* values, Memory& memory) const;

  /// What the operator of a parameter makes of every φ, [function][lane].
  void changed_functions(std::size_t parameter, double* values, Memory& memory) const;

  /// What the parameters' operators make of u = Σ c φ, for several u: coefficients [u][function], values
  /// [u][parameter][lane].
  void changed(std::span<const double> coefficients, double* values, Memory& memory) const;

 private:
  ProductRows rows_of(const ProductPlaces& places, int site, const Memory& memory) const;
  void apply(const std::vector<ProductPlaces>& products, double* values, const Memory& memory) const;

  const Dictionary& dictionary_;
  DictionaryLayout layout_;
  std::vector<ProductPlaces> generator_;             ///< of all functions
  std::vector<std::vector<ProductPlaces>> changes_;  ///< of each parameter
  std::unique_ptr<codegen::Evaluator<double>> formulas_;
};

}  // namespace gfdt::control_variate
