#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "gfdt/symbolic/expression/evaluate.hpp"
#include "gfdt/symbolic/expression/expression.hpp"
#include "gfdt/symbolic/text/parse.hpp"

namespace gfdt::symbolic {

/// Scalars x y z a b c p q σ F0 u1 u2, fields X and Z over k, W over j, Y over (j, k), and Xsq[k] = X[k]^2.
class LatticeScope : public Scope {
 public:
  explicit LatticeScope(int size_k = 4, int size_j = 3) : j{"j", size_j}, k{"k", size_k} {
    for (const char* name : {"x", "y", "z", "a", "b", "c", "p", "q", "σ", "F0", "u1", "u2"})
      definitions_[name] = {{}, Expression::symbol(name)};
    for (const char* name : {"X", "Z"}) definitions_[name] = {{k}, Expression::site(name, {{k, 0}})};
    definitions_["W"] = {{j}, Expression::site("W", {{j, 0}})};
    definitions_["Y"] = {{j, k}, Expression::site("Y", {{j, 0}, {k, 0}})};
    definitions_["Xsq"] = {{k}, power(Expression::site("X", {{k, 0}}), 2.0)};
  }

  std::optional<Definition> find(const std::string& name) const override {
    auto found = definitions_.find(name);
    return found == definitions_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<Index> index(const std::string& name) const override {
    return name == "j" ? std::optional(j) : name == "k" ? std::optional(k) : std::nullopt;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& [name, definition] : definitions_) all.push_back(name);
    return all;
  }

  Index j, k;

 private:
  std::map<std::string, Definition> definitions_;
};

/// Parses a formula in which both indices may be free.
inline Expression formula(const std::string& text, const LatticeScope& scope = LatticeScope()) {
  return parse(text, scope, {}, {scope.j, scope.k});
}

/// Fixed values for all names. `moved` adds an offset to the value of a symbol or of a site, with keys such as `X 2`.
class SomeValues {
 public:
  std::map<std::string, double> moved;

  Values values() const {
    return {[this](const std::string& symbol) { return value(symbol); },
            [this](const std::string& field, std::span<const int> position) {
              std::string key = field;
              for (int at : position) key += " " + std::to_string(at);
              return value(key);
            }};
  }

  double of(const Expression& e, const std::map<std::string, int>& position = {{"j", 1}, {"k", 2}}) const {
    return evaluate(e, values(), position);
  }

 private:
  /// A value in (0.3, 1.3) that depends on the name.
  double value(const std::string& key) const {
    double hash = 0;
    for (char c : key) hash = std::fmod(hash * 7.3 + static_cast<unsigned char>(c) * 0.37, 1.0);
    auto by = moved.find(key);
    return 0.3 + hash + (by == moved.end() ? 0.0 : by->second);
  }
};

}  // namespace gfdt::symbolic
