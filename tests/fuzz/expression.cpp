// Any bytes must give a formula or an InputError, and a formula must survive printing, reading back and
// differentiating.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gfdt/symbolic/expression/derivative.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"
#include "gfdt/symbolic/text/parse.hpp"
#include "gfdt/symbolic/text/print.hpp"

namespace {

using namespace gfdt;
using expression::Expression;

class Names : public expression::Scope {
 public:
  std::optional<expression::Definition> find(const std::string& name) const override {
    if (name == "x" || name == "y" || name == "a") return expression::Definition{{}, Expression::symbol(name)};
    if (name == "X") return expression::Definition{{k_}, Expression::site("X", {{k_, 0}})};
    if (name == "Y") return expression::Definition{{j_, k_}, Expression::site("Y", {{j_, 0}, {k_, 0}})};
    return std::nullopt;
  }
  std::optional<expression::Index> index(const std::string& name) const override {
    if (name == "k") return k_;
    if (name == "j") return j_;
    return std::nullopt;
  }
  std::vector<std::string> names() const override { return {"x", "y", "a", "X", "Y"}; }
  std::vector<expression::Index> open() const { return {k_}; }

 private:
  expression::Index k_{"k", 5}, j_{"j", 3};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Names names;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Expression formula;
  try {
    formula = expression::parse(text, names, {}, names.open());
  } catch (const InputError&) {
    return 0;
  }
  std::string printed = expression::to_string(formula);
  if (printed.size() < 100000 && !(expression::parse(printed, names, {}, names.open()) == formula)) std::abort();
  try {
    expression::derivative(formula, Expression::symbol("x"));
    expression::collect_factors(expression::shift(formula, "k", 2));
  } catch (const Error&) {
  }
  return 0;
}
