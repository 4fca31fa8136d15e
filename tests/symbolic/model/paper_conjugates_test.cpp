// The conjugate observables that are derived by hand in the paper.
#include <gtest/gtest.h>

#include "gfdt/symbolic/derived/conjugate.hpp"
#include "gfdt/symbolic/expression/rewrite.hpp"
#include "gfdt/symbolic/text/parse.hpp"
#include "gfdt/symbolic/text/print.hpp"
#include "paper_models.hpp"

namespace gfdt::symbolic {
namespace {

/// The names of a model, and abbreviations for its score and score Jacobian.
class PaperScope : public Scope {
 public:
  explicit PaperScope(const Model& model) : model_(model) {
    for (const Parameter& p : model.parameters) known_[p.name] = {{}, Expression::symbol(p.name)};
    for (const Field& state : model.states) known_[state.name] = {state.indices, state.self()};
  }

  /// Defines `letter` as the field `name` over the sites of the first state.
  PaperScope& with(const std::string& letter, const std::string& name) {
    known_[letter] = {model_.states[0].indices, Field{name, model_.states[0].indices}.self()};
    return *this;
  }

  std::optional<Definition> find(const std::string& name) const override {
    auto found = known_.find(name);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<Index> index(const std::string& name) const override {
    for (const Index& index : model_.indices)
      if (index.name == name) return index;
    return std::nullopt;
  }
  std::vector<std::string> names() const override { return {}; }

 private:
  const Model& model_;
  std::map<std::string, Definition> known_;
};

void expect_conjugate(const Model& model, const Scope& scope, const std::string& parameter, const std::string& paper) {
  Conjugate g = conjugate(model, parameter);
  ASSERT_EQ(g.unavailable, "") << parameter;
  Expression difference = symbolic::expand(g.total() - symbolic::parse(paper, scope));
  EXPECT_TRUE(difference.is_number(0)) << parameter << ": " << readable(model, g.total()) << "\nnot " << paper;
}

TEST(PaperConjugates, OrnsteinUhlenbeck) {
  Model m = build(ou());
  PaperScope scope(m);
  scope.with("s", "s.x").with("ds", "ds.x.x");
  expect_conjugate(m, scope, "alpha", "1 + x*s");
  expect_conjugate(m, scope, "beta", "beta*(ds + s^2)");
}

TEST(PaperConjugates, Quartic) {
  Model m = build(quartic());
  PaperScope scope(m);
  scope.with("s", "s.x").with("ds", "ds.x.x");
  expect_conjugate(m, scope, "alpha1", "-s");
  expect_conjugate(m, scope, "alpha2", "-1 - x*s");
  expect_conjugate(m, scope, "alpha3", "-2*x - x^2*s");
  expect_conjugate(m, scope, "alpha4", "-3*x^2 - x^3*s");
  // ½[M″ + 2M′s + M(s′ + s²)] with M = ∂Σ²/∂β.
  expect_conjugate(m, scope, "beta1", "2*beta2*s + (beta1 + beta2*x)*(ds + s^2)");
  expect_conjugate(m, scope, "beta2", "2*beta2 + (2*beta1 + 4*beta2*x)*s + x*(beta1 + beta2*x)*(ds + s^2)");
  expect_conjugate(m, scope, "beta3", "beta3*(ds + s^2)");
}

TEST(PaperConjugates, Scalar) {
  Model m = build(scalar());
  PaperScope scope(m);
  scope.with("s", "s.x").with("ds", "ds.x.x");
  expect_conjugate(m, scope, "F0", "-s");
  expect_conjugate(m, scope, "a", "-1 - x*s");
  expect_conjugate(m, scope, "b", "-2*x - x^2*s");
  expect_conjugate(m, scope, "c", "3*x^2 + x^3*s");
  expect_conjugate(m, scope, "sigma", "sigma*(ds + s^2)");
}

TEST(PaperConjugates, Triad) {
  Model m = build(triad());
  PaperScope scope(m);
  scope.with("s1", "s.u1").with("s2", "s.u2").with("s3", "s.tau");
  scope.with("ds1", "ds.u1.u1").with("ds2", "ds.u2.u2").with("ds3", "ds.tau.tau");
  expect_conjugate(m, scope, "d_u", "2 + u1*s1 + u2*s2");
  expect_conjugate(m, scope, "omega", "u2*s1 - u1*s2");
  expect_conjugate(m, scope, "d_tau", "1 + tau*s3");
  expect_conjugate(m, scope, "sigma1", "sigma1*(ds1 + s1^2)");
  expect_conjugate(m, scope, "sigma2", "sigma2*(ds2 + s2^2)");
  expect_conjugate(m, scope, "sigma3", "sigma3*(1 + tanh(u1))^2*(ds3 + s3^2)");
}

TEST(PaperConjugates, Lorenz96) {
  Model m = build(lorenz96(36));
  PaperScope scope(m);
  scope.with("s", "s.X").with("ds", "ds.X.X");
  expect_conjugate(m, scope, "alpha0", "sum(k, s[k])");
  expect_conjugate(m, scope, "alpha1", "36 + sum(k, X[k]*s[k])");
  expect_conjugate(m, scope, "alpha2", "2*sum(k, X[k]) + sum(k, X[k]^2*s[k])");
  expect_conjugate(m, scope, "alpha3", "3*sum(k, X[k]^2) + sum(k, X[k]^3*s[k])");
  expect_conjugate(m, scope, "sigma", "sigma*sum(k, ds[k] + s[k]^2)");
}

TEST(PaperConjugates, AreDisplayedInAShortForm) {
  Model m = build(scalar());
  EXPECT_EQ(readable(m, conjugate(m, "c").total()), "3*x^2 + s.x*x^3");
  EXPECT_EQ(readable(m, conjugate(m, "sigma").total()), "sigma*(ds.x.x + s.x^2)");
}

}  // namespace
}  // namespace gfdt::symbolic
