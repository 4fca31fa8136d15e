// g ρ = −∇·(J ρ) + ½ ∇∇:(M ρ) holds for any density ρ and its score. These tests compute the right-hand side by finite
// differences over the whole state, with J and M from finite differences of F and of D = ΣΣᵀ with respect to the
// parameter. Only the formulas of the model are shared with the symbolic derivation.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "arbitrary_density.hpp"
#include "gfdt/symbolic/derived/conjugate.hpp"
#include "gfdt/symbolic/expression/evaluate.hpp"
#include "paper_models.hpp"

namespace gfdt::symbolic {
namespace {

using symbolic::evaluate;
using Position = std::map<std::string, int>;

/// A model over its whole state vector, with the sites of each field stored consecutively.
class WholeState {
 public:
  explicit WholeState(const Model& model) : model_(model) {
    for (const Parameter& p : model.parameters) parameters[p.name] = p.value;
  }

  std::map<std::string, double> parameters;

  std::size_t dimension() const { return static_cast<std::size_t>(model_.dimension()); }

  Vector drift(const Vector& x) const {
    Vector result;
    for (std::size_t i = 0; i < model_.states.size(); ++i)
      for (const Position& at : positions(model_.states[i])) result.push_back(evaluate(model_.drift[i], values(x), at));
    return result;
  }

  /// D = ΣΣᵀ
  Vector diffusion(const Vector& x) const {
    const std::size_t n = dimension();
    std::size_t noises = 0;
    for (const Field& noise : model_.noises) noises += static_cast<std::size_t>(noise.sites());
    Vector sigma(n * noises, 0), result(n * n, 0);
    for (const DiffusionTerm& term : model_.diffusion)
      for (const Position& at : positions(model_.states[term.state])) {
        std::size_t row = place(model_.states, term.state, here(model_.states[term.state], at));
        std::vector<int> noise_at;
        if (!model_.noises[term.noise].indices.empty())
          for (const auto& i : term.noise_site.indices()) noise_at.push_back(at.at(i.index.name) + i.offset);
        std::size_t column = place(model_.noises, term.noise, noise_at);
        sigma[row * noises + column] += evaluate(term.amplitude, values(x), at);
      }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t w = 0; w < noises; ++w) result[i * n + j] += sigma[i * noises + w] * sigma[j * noises + w];
    return result;
  }

  /// Value of a formula of states, parameters, score and score Jacobian.
  double operator()(const Expression& formula, const Vector& x, const Vector& s, const Vector& ds) const {
    auto lookup = [&](const std::string& name, std::span<const int> at) {
      const std::vector<int> position(at.begin(), at.end());
      if (name.starts_with("s.")) return s[place(model_.states, state_number(name.substr(2)), position)];
      if (!name.starts_with("ds."))
        return parameters.contains(name) ? parameters.at(name) : x[place(model_.states, state_number(name), position)];
      std::vector<std::string> words;
      std::istringstream text(name.substr(3));
      for (std::string word; std::getline(text, word, '.');) words.push_back(word);
      std::vector<int> column(position);
      for (std::size_t i = 2; i < words.size(); ++i) column[i - 2] += std::stoi(words[i]);
      return ds[place(model_.states, state_number(words[0]), position) * dimension() +
                place(model_.states, state_number(words[1]), column)];
    };
    return evaluate(formula, {[&](const std::string& name) { return lookup(name, {}); }, lookup});
  }

 private:
  std::size_t state_number(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(model_.states, name, &Field::name) - model_.states.begin());
  }

  static std::vector<int> here(const Field& field, const Position& at) {
    std::vector<int> result;
    for (const Index& index : field.indices) result.push_back(at.at(index.name));
    return result;
  }

  static std::size_t place(const std::vector<Field>& fields, std::size_t number, const std::vector<int>& at) {
    int row = 0, site = 0;
    for (std::size_t i = 0; i < number; ++i) row += fields[i].sites();
    for (std::size_t i = 0; i < at.size(); ++i) {
      int size = fields[number].indices[i].size;
      site = site * size + (at[i] % size + size) % size;
    }
    return static_cast<std::size_t>(row + site);
  }

  static std::vector<Position> positions(const Field& field) {
    std::vector<Position> result{{}};
    for (const Index& index : field.indices) {
      std::vector<Position> longer;
      for (const Position& p : result)
        for (int i = 0; i < index.size; ++i) {
          longer.push_back(p);
          longer.back()[index.name] = i;
        }
      result = std::move(longer);
    }
    return result;
  }

  Values values(const Vector& x) const {
    return {[&x, this](const std::string& name) {
              return parameters.contains(name) ? parameters.at(name) : x[place(model_.states, state_number(name), {})];
            },
            [&x, this](const std::string& field, std::span<const int> at) {
              return x[place(model_.states, state_number(field), {at.begin(), at.end()})];
            }};
  }

  const Model& model_;
};

/// (f(θ+δ) − f(θ−δ)) / 2δ, exact for the formulas below because F and D are at most quadratic in θ.
template <class F>
Vector parameter_slope(WholeState whole, const std::string& parameter, F f) {
  constexpr double step = 0.25;
  WholeState below = whole;
  whole.parameters[parameter] += step;
  below.parameters[parameter] -= step;
  Vector a = f(whole), b = f(below);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = (a[i] - b[i]) / (2 * step);
  return a;
}

constexpr double h = 0.02;
constexpr double first_weights[] = {1.0 / 12, -2.0 / 3, 0, 2.0 / 3, -1.0 / 12};
constexpr double second_weights[] = {-1.0 / 12, 4.0 / 3, -5.0 / 2, 4.0 / 3, -1.0 / 12};

/// −Σ_i ∂_i (J_i ρ) / ρ(x) + ½ Σ_ij ∂_i ∂_j (M_ij ρ) / ρ(x), to fourth order in h.
double right_hand_side(const WholeState& whole, const ArbitraryDensity& density, const std::string& parameter,
                       const Vector& x) {
  const std::size_t n = x.size();
  const double here = density.log_density(x);
  auto relative_density = [&](const Vector& y) { return std::exp(density.log_density(y) - here); };
  auto m_times_density = [&](const Vector& y, std::size_t i, std::size_t j) {
    return parameter_slope(whole, parameter, [&](const WholeState& w) { return w.diffusion(y); })[i * n + j] *
           relative_density(y);
  };
  double total = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (int a = 0; a < 5; ++a) {
      Vector y = x;
      y[i] += (a - 2) * h;
      if (a != 2)
        total -= first_weights[a] / h * relative_density(y) *
                 parameter_slope(whole, parameter, [&](const WholeState& w) { return w.drift(y); })[i];
      total += 0.5 * second_weights[a] / (h * h) * m_times_density(y, i, i);
      for (std::size_t j = 0; j < n; ++j)
        for (int b = 0; b < 5; ++b) {
          if (j == i || a == 2 || b == 2) continue;
          Vector z = y;
          z[j] += (b - 2) * h;
          total += 0.5 * first_weights[a] * first_weights[b] / (h * h) * m_times_density(z, i, j);
        }
    }
  return total;
}

void expect_identity(const Description& description, int points = 3) {
  Model m = build(description);
  WholeState whole(m);
  ArbitraryDensity density(whole.dimension());
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (int point = 0; point < points; ++point) {
    Vector x(whole.dimension());
    for (double& entry : x) entry = 0.7 * normal(random);
    for (const Parameter& p : m.parameters) {
      Conjugate g = conjugate(m, p.name);
      ASSERT_EQ(g.unavailable, "");
      double value = whole(g.total(), x, density.score(x), density.score_jacobian(x));
      double expected = right_hand_side(whole, density, p.name, x);
      EXPECT_NEAR(value, expected, 2e-5 * (1 + std::abs(expected))) << p.name << " at point " << point;
    }
  }
}

TEST(ConjugateIdentity, OneStateWithMultiplicativeNoise) {
  Description d;
  d.parameter("a", 0.7).parameter("b", 0.4).parameter("c", 0.3);
  expect_identity(d.state("x", "a*sin(x) - c*x^3", "a + b*x^2 + c*tanh(x)"), 10);
}

TEST(ConjugateIdentity, TwoStatesWithCorrelatedNoise) {
  Description d;
  d.parameter("a", 0.7).parameter("b", 0.4).parameter("c", 0.3);
  d.state("x", "a*y - x^3").state("y", "b*sin(x) - c*x*y");
  d.diffusion = {{"x", {{"w1", "a + b*y"}, {"w2", "c*x*y"}}}, {"y", {{"w1", "b*sin(x)"}, {"w2", "1 + a*tanh(y)"}}}};
  expect_identity(d, 5);
}

TEST(ConjugateIdentity, TriadWithMultiplicativeNoise) {
  Description d = triad();
  d.diffusion[2] = {"tau", {{"", "sigma3*(1 + tanh(u1*tau))"}}};
  expect_identity(d);
}

TEST(ConjugateIdentity, LatticeWithOffsetNoise) {
  Description d;
  d.index("k", 4).parameter("a", 0.7).parameter("b", 0.4).parameter("c", 0.3);
  d.state("X[k]", "-a*X[k] + b*X[k+1]*X[k-2] + c*mean(k, X[k]^2)*X[k]");
  d.diffusion = {{"X", {{"w[k]", "a + b*X[k+1]^2"}, {"w[k+1]", "c*X[k]*X[k-1]"}}}};
  expect_identity(d, 2);
}

TEST(ConjugateIdentity, TwoFieldsThatShareNoise) {
  Description d;
  d.index("k", 3).parameter("a", 0.7).parameter("b", 0.4);
  d.state("X[k]", "-a*X[k]*Z[k+1]").state("Z[k]", "b*X[k-1] - Z[k]");
  d.diffusion = {{"X", {{"w[k]", "a + b*Z[k]"}, {"v[k-1]", "b*X[k]^2"}}},
                 {"Z", {{"w[k-1]", "b + a*X[k+1]"}, {"v[k]", "a*Z[k]"}}}};
  expect_identity(d, 1);
}

TEST(ConjugateIdentity, FieldOfTwoIndicesWithOffsetNoise) {
  Description d;
  d.index("k", 3).index("j", 2).parameter("a", 0.7).parameter("b", 0.4);
  d.state("Y[j,k]", "-a*Y[j,k] + b*Y[j+1,k]*Y[j,k-1]");
  d.diffusion = {{"Y", {{"w[j,k]", "a + b*Y[j+1,k]"}, {"w[j+1,k-1]", "b*Y[j,k]"}}}};
  expect_identity(d, 1);
}

TEST(ConjugateIdentity, NoiseWithMeanFieldAmplitude) {
  Description d;
  d.index("k", 3).parameter("a", 0.7).parameter("b", 0.4);
  d.state("X[k]", "-a*X[k]", "a + b*X[k]*mean(k, X[k]^2)");
  expect_identity(d, 2);
}

}  // namespace
}  // namespace gfdt::symbolic
