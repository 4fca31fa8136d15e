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
using symbolic::Expression;

class Names : public symbolic::Scope {
 public:
  std::optional<symbolic::Definition> find(const std::string& name) const override {
    if (name == "x" || name == "y" || name == "a") return symbolic::Definition{{}, Expression::symbol(name)};
    if (name == "X") return symbolic::Definition{{k_}, Expression::site("X", {{k_, 0}})};
    if (name == "Y") return symbolic::Definition{{j_, k_}, Expression::site("Y", {{j_, 0}, {k_, 0}})};
    return std::nullopt;
  }
  std::optional<symbolic::Index> index(const std::string& name) const override {
    if (name == "k") return k_;
    if (name == "j") return j_;
    return std::nullopt;
  }
  std::vector<std::string> names() const override { return {"x", "y", "a", "X", "Y"}; }
  std::vector<symbolic::Index> open() const { return {k_}; }

 private:
  symbolic::Index k_{"k", 5}, j_{"j", 3};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Names names;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Expression formula;
  try {
    formula = symbolic::parse(text, names, {}, names.open());
  } catch (const InputError&) {
    return 0;
  }
  std::string printed = symbolic::to_string(formula);
  if (printed.size() < 100000 && !(symbolic::parse(printed, names, {}, names.open()) == formula)) std::abort();
  try {
    symbolic::derivative(formula, Expression::symbol("x"));
    symbolic::collect_factors(symbolic::shift(formula, "k", 2));
  } catch (const Error&) {
  }
  return 0;
}
