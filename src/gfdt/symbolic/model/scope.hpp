#pragma once

#include <map>
#include <set>

#include "gfdt/symbolic/model/description.hpp"
#include "gfdt/symbolic/text/parse.hpp"

namespace gfdt::symbolic {

/// The names of a model: states, parameters and named formulas. A named formula is parsed at its first use, so that
/// definitions may come in any order. A recursive definition throws InputError.
class ModelScope : public Scope {
 public:
  void add_index(const SitesText& sites);
  void add(const Text& name, Definition definition);
  void add_formula(const NamedText& formula);
  /// Adds an observable. Its name may be a reserved word such as `mean`, but formulas cannot refer to it then. A scalar
  /// state may be observed under its own name, `x = "x"`.
  void add_observable(const NamedText& formula);

  /// Splits `Y[j,k]` into its name and indices.
  Field declare(const Text& label) const;

  std::optional<Definition> find(const std::string& name) const override;
  std::optional<Index> index(const std::string& name) const override;
  std::vector<std::string> names() const override;
  std::string remedy(const std::string& name) const override;
  const std::vector<Index>& indices() const { return indices_; }

 private:
  void take(const Text& name);
  struct Pending {
    Field target;
    Text formula;
  };
  std::vector<Index> indices_;
  std::set<std::string> taken_;
  std::set<std::string> observed_as_they_are_;
  mutable std::map<std::string, Definition> known_;
  std::map<std::string, Pending> pending_;
  mutable std::vector<std::string> in_progress_;
};

}  // namespace gfdt::symbolic
