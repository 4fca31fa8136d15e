#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::statistics {

/// Computes one value for each of `count` states, [state][component]. Called from several threads concurrently.
using StateFunction = std::function<void(const double* states, std::size_t count, double* values)>;

/// A function of the state that is observed, or one of several that are evaluated together.
struct ObservedFunction {
  ObservedFunction() = default;
  template <class Function>
  requires std::is_invocable_v<const Function&, const double*, std::size_t, double*> ObservedFunction(
      Function function)  // NOLINT(google-explicit-constructor): a function is an observed one
      : values(std::make_shared<const StateFunction>(std::move(function))) {}
  ObservedFunction(std::shared_ptr<const StateFunction> all, std::size_t number, std::size_t which)
      : values(std::move(all)), together(number), place(which) {}

  std::shared_ptr<const StateFunction> values;  ///< writes [state][function], with `together` functions per state
  std::size_t together = 1, place = 0;
};

/// Observables, by name, whose values come from a function instead of their formula.
using ObservedFunctions = std::map<std::string, ObservedFunction>;

/// The model with one additional observable per function. The formula of these observables is 0.
symbolic::Model with_functions(symbolic::Model model, const ObservedFunctions& functions);

/// Overwrites the values of formulas by those of functions.
class FunctionRows {
 public:
  FunctionRows() = default;
  /// `first_row`: index of the first row of the model's observables.
  FunctionRows(const symbolic::Model& model, const ObservedFunctions& functions, int first_row);

  bool empty() const { return rows_.empty(); }

  /// record: samples of [record_rows][lanes], starting with the model's own states; values: the same number of samples
  /// of [rows][lanes].
  template <class T>
  void write(const T* record, std::uint64_t samples, int record_rows, int lanes, T* values, int rows) const;

 private:
  std::size_t states_ = 0;  ///< number of states that are passed to functions
  std::vector<std::pair<int, ObservedFunction>> rows_;
};

}  // namespace gfdt::statistics
