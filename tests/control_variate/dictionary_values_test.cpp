#include "gfdt/control_variate/dictionary/dictionary_values.hpp"

#include <gmock/gmock.h>

#include "gfdt/symbolic/expression/rewrite.hpp"
#include "models_for_dictionaries.hpp"
#include "numeric_generator.hpp"

namespace gfdt::control_variate {
namespace {

constexpr std::size_t wide = static_cast<std::size_t>(lanes);

/// He_n(z)/√n! from its explicit sum.
double hermite(int n, double z) {
  double total = 0;
  for (int m = 0; 2 * m <= n; ++m)
    total += std::pow(-0.5, m) * std::pow(z, n - 2 * m) / (std::tgamma(m + 1.0) * std::tgamma(n - 2 * m + 1.0));
  return std::sqrt(std::tgamma(n + 1.0)) * total;
}

double profile(const Profile& p, const Spread& spread, double y) {
  const double z = (y - spread.mean) / spread.std;
  switch (p.shape) {
    case Profile::Shape::hermite:
      return hermite(p.order, z);
    case Profile::Shape::power:
      return std::pow(z, p.order);
    case Profile::Shape::bump:
      return std::exp(-0.5 * std::pow((z - p.centre) / p.width, 2));
  }
  return 0;
}

ScalarFunction value_of(const symbolic::Model& model, const Dictionary& dictionary, std::size_t function) {
  return [&model, &dictionary, function](const State& x) {
    double total = 0;
    for (int site = 0; site < dictionary.sites; ++site) {
      double product = 1;
      for (const Factor& factor : dictionary.functions[function].factors) {
        const std::size_t q = static_cast<std::size_t>(factor.coordinate);
        const double y =
            value_at(model, dictionary.coordinates[q].value(), x, (site + factor.offset) % dictionary.sites);
        product *= profile(dictionary.profiles[q][static_cast<std::size_t>(factor.profile)], dictionary.spreads[q], y);
      }
      total += product;
    }
    return total / dictionary.sites;
  };
}

/// A dictionary with spreads that are not round numbers.
Dictionary dictionary_of(const symbolic::Model& model, std::size_t most) {
  std::vector<Coordinate> coordinates = coordinates_of(model);
  std::vector<Spread> spreads;
  for (const Coordinate& coordinate : coordinates) {
    const double i = static_cast<double>(spreads.size());
    spreads.push_back({coordinate.shape == Coordinate::Shape::ramp ? 0 : 0.1 + 0.05 * i, 0.9 + 0.2 * i, -2.5, 2.8});
  }
  return make_dictionary(model, std::move(coordinates), std::move(spreads), most);
}

/// The state in a lane: the centre with a small displacement that differs between lanes.
State state_of(const State& centre, std::size_t lane) {
  State x = centre;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 0.1 * std::sin(static_cast<double>((i + 1) * (lane + 1)));
  return x;
}

codegen::AlignedArray<double> rows_of(const State& centre) {
  codegen::AlignedArray<double> rows(centre.size() * wide);
  for (std::size_t lane = 0; lane < wide; ++lane) {
    const State x = state_of(centre, lane);
    for (std::size_t i = 0; i < x.size(); ++i) rows[i * wide + lane] = x[i];
  }
  return rows;
}

std::vector<double> generated(const symbolic::Model& model, const Dictionary& dictionary, const State& centre) {
  const DictionaryValues values(model, dictionary, {});
  const auto memory = values.memory();
  values.load(rows_of(centre).data(), *memory);
  std::vector<double> result(values.functions() * wide);
  values.generated(result.data(), *memory);
  return result;
}

void check_generated(const symbolic::Model& model, std::size_t most, std::size_t fewest, const State& centre) {
  const Dictionary dictionary = dictionary_of(model, most);
  ASSERT_GE(dictionary.functions.size(), fewest);
  const std::vector<double> found = generated(model, dictionary, centre);
  const NumericGenerator numeric(model);
  for (std::size_t k = 0; k < dictionary.functions.size(); ++k)
    for (const std::size_t lane : {std::size_t{0}, wide - 1}) {
      const double wanted = numeric.applied(value_of(model, dictionary, k), state_of(centre, lane));
      EXPECT_NEAR(found[k * wide + lane], wanted, 2e-6 * (1 + std::abs(wanted))) << "function " << k;
    }
}

TEST(DictionaryValues, OfAModelWithAnAtomAgreeWithFiniteDifferences) {
  check_generated(symbolic::build(symbolic::triad()), 130, 60, {0.3, -0.7, 1.2});
}

TEST(DictionaryValues, OfCorrelatedNoiseAndBumpsAgreeWithFiniteDifferences) {
  check_generated(correlated(), 150, 60, {0.4, -0.8});
  check_generated(symbolic::build(symbolic::quartic()), 60, 30, {0.6});
}

TEST(DictionaryValues, OnBothSidesOfAKinkAgreeWithFiniteDifferences) {
  check_generated(kinked(), 100, 40, {1.1, 0.3});
  check_generated(kinked(), 100, 40, {0.1, 0.3});
}

TEST(DictionaryValues, OnRingsAgreeWithFiniteDifferences) {
  check_generated(noisy_ring(6), 240, 100, {0.4, -0.8, 1.1, 0.2, 0.9, -0.5, 0.3, 0.7, -0.2, 0.8, 0.1, -0.6});
  check_generated(noisy_ring(3), 200, 80, {0.4, -0.8, 1.1, 0.3, 0.7, -0.2});
}

/// Compares the change of u = Σ c φ with a parameter, for two sets of coefficients at once, with L at two values of the
/// parameter.
void check_changed(symbolic::Model model, std::size_t most, const State& centre) {
  const Dictionary dictionary = dictionary_of(model, most);
  std::vector<std::optional<Operator>> changes;
  for (const symbolic::Parameter& parameter : model.parameters) {
    const symbolic::Perturbation change = symbolic::perturbation(model, parameter.name);
    changes.push_back(Operator{change.drift, change.diffusion});
  }
  changes.emplace_back();
  const std::size_t functions = dictionary.functions.size(), parameters = changes.size();
  std::vector<double> coefficients;
  for (std::size_t i = 0; i < 2 * functions; ++i)
    coefficients.push_back(i % 5 ? std::cos(1.7 * static_cast<double>(i)) : 0);
  const DictionaryValues values(model, dictionary, changes);
  const auto memory = values.memory();
  std::vector<double> found(2 * parameters * wide, -1.0);
  values.load(rows_of(centre).data(), *memory);
  values.changed(coefficients, found.data(), *memory);
  const double h = 1e-4;
  for (std::size_t j = 0; j + 1 < parameters; ++j) {
    const double middle = model.parameters[j].value;
    model.parameters[j].value = middle + h;
    const std::vector<double> above = generated(model, dictionary, centre);
    model.parameters[j].value = middle - h;
    const std::vector<double> below = generated(model, dictionary, centre);
    model.parameters[j].value = middle;
    std::vector<double> each(functions * wide);
    values.changed_functions(j, each.data(), *memory);
    for (std::size_t k = 0; k < functions; ++k) {
      const double wanted = (above[k * wide] - below[k * wide]) / (2 * h);
      EXPECT_NEAR(each[k * wide], wanted, 1e-7 * (1 + std::abs(wanted))) << model.parameters[j].name;
    }
    for (std::size_t u = 0; u < 2; ++u)
      for (const std::size_t lane : {std::size_t{0}, wide - 1}) {
        double wanted = 0;
        for (std::size_t k = 0; k < functions; ++k)
          wanted += coefficients[u * functions + k] * (above[k * wide + lane] - below[k * wide + lane]) / (2 * h);
        EXPECT_NEAR(found[(u * parameters + j) * wide + lane], wanted, 1e-7 * (1 + std::abs(wanted)))
            << model.parameters[j].name;
      }
  }
  EXPECT_EQ(found[(parameters - 1) * wide], 0) << "a change that has no formula";
}

TEST(DictionaryValues, ChangeWithParametersOfDriftAndNoise) {
  check_changed(symbolic::build(symbolic::triad()), 130, {0.3, -0.7, 1.2});
  check_changed(correlated(), 150, {0.4, -0.8});
  check_changed(kinked(), 100, {1.1, 0.3});
}

TEST(DictionaryValues, ChangeWithParametersOnRings) {
  check_changed(noisy_ring(6), 240, {0.4, -0.8, 1.1, 0.2, 0.9, -0.5, 0.3, 0.7, -0.2, 0.8, 0.1, -0.6});
  check_changed(noisy_ring(3), 200, {0.4, -0.8, 1.1, 0.3, 0.7, -0.2});
}

TEST(Dictionary, ContainsAllProductsOfALevelOrNone) {
  const Dictionary small = dictionary_of(symbolic::build(symbolic::triad()), 25);
  // u1, u2, τ and the atom: 4 functions of level 1; 4 squares and 6 products of level 2.
  EXPECT_THAT(small.sizes, testing::ElementsAre(4u, 14u));
  EXPECT_EQ(small.functions.size(), 14u);
  EXPECT_TRUE(dictionary_of(symbolic::build(symbolic::triad()), 3).functions.empty());
}

}  // namespace
}  // namespace gfdt::control_variate
