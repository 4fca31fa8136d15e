#include <gtest/gtest.h>

#include "formulas.hpp"

namespace gfdt::codegen {
namespace {

using symbolic::call;
using symbolic::Function;
using symbolic::mean;
using symbolic::power;
using symbolic::sum;

Formulas leaves() {
  Formulas f;
  f.index("k", 5).index("j", 3).parameter("a", 0.75).parameter("b", -1.25);
  f.state("x").state("X[k]").state("W[j]").state("Y[j,k]");
  return f;
}

class RandomFormulas {
 public:
  explicit RandomFormulas(unsigned seed)
      : engine_(seed), leaves_(leaves()), k_(leaves_.scope().indices()[0]), j_(leaves_.scope().indices()[1]) {}

  std::vector<Index> open() const { return {k_, j_}; }

  /// A formula of moderate size for arguments in (0.25, 1.25). Comparisons use only leaves, so that rounding cannot
  /// change their result.
  Expression any(int depth) {
    if (depth == 0) return leaf();
    auto sub = [&] { return any(depth - 1); };
    switch (pick(18)) {
      case 0:
      case 1:
        return sub() + sub();
      case 2:
        return sub() - sub() * sub();
      case 3:
      case 4:
        return sub() * sub();
      case 5:
        return sub() / (1.5 + power(sub(), 2.0));
      case 6:
        return power(1.0 + power(sub(), 2.0), half_integer());
      case 7:
        return call(Function::tanh, {sub()});
      case 8:
        return call(Function::sin, {sub()});
      case 9:
        return power(sub(), 2.0) + leaf() * power(leaf(), 3.0);
      case 10:
        return call(Function::exp, {call(Function::atan, {sub()})});
      case 11:
        return mean(k_, sub());
      case 12:
        return sum(j_, call(Function::erf, {sub()}));
      case 13:
        return power(call(Function::cosh, {call(Function::tanh, {sub()})}), call(Function::sin, {leaf()}));
      case 14:
        return call(Function::less, {leaf(), leaf()}) * sub() + call(Function::max, {leaf(), leaf()});
      case 15:
        return call(Function::logical_or, {call(Function::less_equal, {leaf(), leaf()}), 0.0}) - sub();
      case 16:
        return mean(k_, mean(j_, sub())) * leaf();
      default:
        return call(Function::abs, {sub()}) + call(Function::log, {2.0 + power(leaf(), 2.0)});
    }
  }

 private:
  Expression leaf() {
    constexpr const char* texts[] = {"x",      "a",        "b",          "X[k]", "X[k+1]", "X[k-2]",
                                     "Y[j,k]", "Y[j+1,k]", "Y[j-1,k+2]", "W[j]", "W[j+1]"};
    constexpr double numbers[] = {2, -1, 0.5, -0.75};
    if (pick(6) == 0) return numbers[pick(std::size(numbers))];
    return leaves_.parsed(texts[pick(std::size(texts))], open());
  }
  double half_integer() {
    constexpr double numbers[] = {-2.5, -2, -1, -0.5, 0.5, 1.5, 3, 0.3};
    return numbers[pick(std::size(numbers))];
  }
  std::size_t pick(std::size_t count) { return engine_() % count; }

  std::mt19937 engine_;
  Formulas leaves_;
  Index k_, j_;
};

template <class S>
using RandomFormula = OnEachBackend<S>;
TYPED_TEST_SUITE(RandomFormula, Settings, SettingName);

/// The largest error observed is 6 units in the last place of the largest subformula.
TYPED_TEST(RandomFormula, AgreesWithTheReferenceEvaluation) {
  constexpr int programs = TypeParam::backend == Backend::native ? 1 : 20, formulas = 30;
  double worst = 0;
  for (int program = 0; program < programs; ++program) {
    RandomFormulas random(static_cast<unsigned>(program));
    Formulas f = leaves();
    for (int i = 0; i < formulas; ++i) f.output({"out" + std::to_string(i), random.open()}, random.any(1 + i % 4));
    worst = std::max(worst, f.compare<typename TypeParam::Real>(TypeParam::backend, 50, 1));
    if (this->HasFailure()) break;
  }
  this->RecordProperty("worst_ulps", std::to_string(worst));
}

}  // namespace
}  // namespace gfdt::codegen
