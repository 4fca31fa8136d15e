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

/// Evaluates the functions of a dictionary at states of a model, `lanes` at a time.
class DictionaryValues {
 public:
  /// `changes`: the derivative of the generator with respect to each parameter; nothing if it is not available.
  DictionaryValues(const symbolic::Model& model, const Dictionary& dictionary,
                   const std::vector<std::optional<Operator>>& changes);
  ~DictionaryValues();

  std::size_t functions() const { return dictionary_.functions.size(); }
  std::size_t parameters() const { return layout_.changes.size(); }
  const Dictionary& dictionary() const { return dictionary_; }
  const DictionaryLayout& layout() const { return layout_; }

  /// Working memory of one thread.
  struct Memory;
  std::shared_ptr<Memory> memory() const;

  /// Loads states, [component][lane]; the functions below refer to these states.
  void load(const double* states, Memory& memory) const;

  /// L φ, [function][lane].
  void generated(double* values, Memory& memory) const;

  /// The operator of a parameter applied to every φ, [function][lane].
  void changed_functions(std::size_t parameter, double* values, Memory& memory) const;

  /// The operators of all parameters applied to u = Σ c φ, for several u: coefficients [u][function], values
  /// [u][parameter][lane].
  void changed(std::span<const double> coefficients, double* values, Memory& memory) const;

 private:
  ProductRows rows_of(const ProductPlaces& places, int site, const Memory& memory) const;
  void apply(const std::vector<ProductPlaces>& products, double* values, const Memory& memory) const;

  const Dictionary& dictionary_;
  DictionaryLayout layout_;
  std::vector<ProductPlaces> generator_;             ///< one per function
  std::vector<std::vector<ProductPlaces>> changes_;  ///< [parameter][function]
  std::unique_ptr<codegen::Evaluator<double>> formulas_;
};

}  // namespace gfdt::control_variate
