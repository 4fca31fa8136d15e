#include "gfdt/score/selection/scored_evaluator.hpp"

#include <gtest/gtest.h>

#include "../certificate/certificate_cases.hpp"
#include "gfdt/codegen/native/compiler.hpp"
#include "gfdt/symbolic/derived/conjugate.hpp"
#include "gfdt/symbolic/expression/evaluate.hpp"

namespace gfdt::score {
namespace {

using namespace score::cases;
using symbolic::Expression;

/// s_i = Σ_j sin((i + 2j + 1) x_j)/(j + 1): without any symmetry, so that all entries of ∇s are different functions.
double score_at(int i, const std::vector<double>& x) {
  double total = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double wave = static_cast<double>(i) + 2 * static_cast<double>(j) + 1;
    total += std::sin(wave * x[j]) / static_cast<double>(j + 1);
  }
  return total;
}
double jacobian_at(int i, int j, const std::vector<double>& x) {
  const double wave = i + 2 * j + 1;
  return wave * std::cos(wave * x[static_cast<std::size_t>(j)]) / (j + 1);
}

PointwiseField lopsided(int n) {
  auto state = [n](const double* x) { return std::vector<double>(x, x + n); };
  return {n,
          [=](const double* x, double* s) {
            for (int i = 0; i < n; ++i) s[i] = score_at(i, state(x));
          },
          [=](const double* x, const double* v, double* sv) {
            for (int i = 0; i < n; ++i) {
              sv[i] = 0;
              for (int j = 0; j < n; ++j) sv[i] += jacobian_at(i, j, state(x)) * v[j];
            }
          }};
}

double coordinate(int row, std::size_t lane, std::uint64_t sample) {
  return std::sin(1.3 * row + 0.7 * static_cast<double>(lane) + 0.2 * static_cast<double>(sample));
}

/// Evaluates formulas at two samples of a block of states; values [sample][formula][lane].
std::vector<double> values_of(const ScoredEvaluator& evaluator, int rows) {
  const auto lanes = static_cast<std::size_t>(evaluator.lanes()), height = static_cast<std::size_t>(rows);
  codegen::AlignedArray<double> record(2 * height * lanes);
  std::vector<double> values(2 * static_cast<std::size_t>(evaluator.outputs()) * lanes);
  for (std::uint64_t sample = 0; sample < 2; ++sample)
    for (int row = 0; row < rows; ++row)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        record[(sample * height + static_cast<std::size_t>(row)) * lanes + lane] = coordinate(row, lane, sample);
  auto memory = evaluator.memory();
  codegen::AlignedArray<double> aligned(values.size());
  evaluator.evaluate(record.data(), 2, aligned.data(), memory);
  std::copy_n(aligned.data(), values.size(), values.begin());
  return values;
}

/// Compares the results with direct evaluation of the formulas, in which the score is looked up by name. `rows_of`
/// returns the row of a field at given sites.
using RowOf = std::function<int(const std::string& field, std::span<const int> sites)>;
using EntryOf = std::function<std::pair<int, int>(const std::string& name, std::span<const int> sites)>;
void compare(const symbolic::Model& model, const std::vector<Expression>& formulas, const RowOf& row_of,
             const EntryOf& entry_of, codegen::Backend backend) {
  const PointwiseField field = lopsided(model.dimension());
  const ScoredEvaluator evaluator(model, formulas, field, backend);
  const std::vector<double> values = values_of(evaluator, model.dimension());
  const auto lanes = static_cast<std::size_t>(evaluator.lanes());
  for (std::uint64_t sample = 0; sample < 2; ++sample)
    for (std::size_t lane = 0; lane < lanes; lane += 7) {
      std::vector<double> x;
      for (int row = 0; row < model.dimension(); ++row) x.push_back(coordinate(row, lane, sample));
      auto at = [&](const std::string& name, std::span<const int> sites) {
        if (name.starts_with("ds.")) {
          const auto [i, j] = entry_of(name, sites);
          return jacobian_at(i, j, x);
        }
        if (name.starts_with("s.")) return score_at(row_of(name.substr(2), sites), x);
        return x[static_cast<std::size_t>(row_of(name, sites))];
      };
      auto symbol = [&](const std::string& name) {
        for (const symbolic::Parameter& p : model.parameters)
          if (p.name == name) return p.value;
        return at(name, {});
      };
      for (std::size_t f = 0; f < formulas.size(); ++f) {
        const double exact = symbolic::evaluate(formulas[f], {symbol, at});
        EXPECT_NEAR(values[(sample * formulas.size() + f) * lanes + lane], exact, 1e-9 * (1 + std::abs(exact)));
      }
    }
}

std::vector<codegen::Backend> backends() {
  std::vector<codegen::Backend> result{codegen::Backend::interpreter};
  if (!codegen::find_compiler().empty()) result.push_back(codegen::Backend::native);
  return result;
}

TEST(ScoredEvaluator, HandlesStatesThatShareANoise) {
  symbolic::Description d;
  d.parameter("a", 0.7).parameter("b", 1.3).state("x", "-a*x*y").state("y", "-y^3 + x");
  d.diffusion = {{"x", {{"w1", "a"}, {"w2", "b"}}}, {"y", {{"w1", "x"}}}};
  const symbolic::Model m = symbolic::build(d);
  auto row_of = [](const std::string& name, auto) { return name == "x" ? 0 : 1; };
  auto entry_of = [](const std::string& name, auto) {
    return std::pair{name[3] == 'x' ? 0 : 1, name[5] == 'x' ? 0 : 1};
  };
  for (codegen::Backend backend : backends())
    compare(m, {symbolic::stationarity_residual(m), symbolic::conjugate(m, "a").total()}, row_of, entry_of, backend);
}

TEST(ScoredEvaluator, HandlesNeighboursOnARingThatShareANoise) {
  symbolic::Description d;
  d.index("k", 6).parameter("a", 0.7).parameter("b", 1.3).state("z", "-z", "a").state("X[k]", "-X[k]*X[k+1]");
  d.diffusion.push_back({"X", {{"w[k]", "a"}, {"w[k+1]", "b*X[k]"}}});
  const symbolic::Model m = symbolic::build(d);
  auto row_of = [](const std::string& name, std::span<const int> k) { return name == "z" ? 0 : 1 + k[0]; };
  auto entry_of = [](const std::string& name, std::span<const int> k) {
    if (name == "ds.z.z") return std::pair{0, 0};
    const int offset = name == "ds.X.X" ? 0 : std::stoi(name.substr(7));
    return std::pair{1 + k[0], 1 + (k[0] + offset + 6) % 6};
  };
  for (codegen::Backend backend : backends())
    compare(m, {symbolic::stationarity_residual(m), symbolic::conjugate(m, "b").total()}, row_of, entry_of, backend);
}

TEST(ScoredEvaluator, OrdersSitesOfTwoIndicesAsTheModel) {
  symbolic::Description d;
  d.index("k", 2).index("j", 3).parameter("a", 0.7).state("Y[j,k]", "-Y[j,k]*Y[j+1,k]");
  d.diffusion.push_back({"Y", {{"w[j,k]", "a"}, {"w[j+1,k+1]", "2 + Y[j,k]"}}});
  const symbolic::Model m = symbolic::build(d);
  auto row_of = [](const std::string&, std::span<const int> site) { return site[1] * 3 + site[0]; };
  auto entry_of = [&](const std::string& name, std::span<const int> site) {
    int j = 0, k = 0;
    if (name != "ds.Y.Y") {
      const std::size_t dot = name.find('.', 7);
      j = std::stoi(name.substr(7, dot - 7));
      k = std::stoi(name.substr(dot + 1));
    }
    const int there[] = {(site[0] + j + 3) % 3, (site[1] + k + 2) % 2};
    return std::pair{row_of("Y", site), row_of("Y", there)};
  };
  for (codegen::Backend backend : backends())
    compare(m, {symbolic::stationarity_residual(m)}, row_of, entry_of, backend);
}

TEST(ScoredEvaluator, RequestsOnlyDerivativesThatOccurInFormulas) {
  const symbolic::Model m = double_well();
  const PointwiseField field(1, [](const double* x, double* s) { s[0] = 2 * x[0]; }, {});
  const ScoredEvaluator evaluator(m, {Expression::symbol("s.x") + Expression::symbol("x")}, field,
                                  codegen::Backend::interpreter);
  EXPECT_TRUE(evaluator.entries().empty());
  EXPECT_DOUBLE_EQ(values_of(evaluator, 1)[5], 3 * coordinate(0, 5, 0));
}

TEST(ScoredEvaluator, RejectsInconsistentFieldsAndFormulas) {
  const PointwiseField plane = plane_score(), line = double_well_score();
  const Expression s = Expression::symbol("s.x"), other = Expression::symbol("ds.x.y");
  EXPECT_THROW(ScoredEvaluator(double_well(), {s}, plane, codegen::Backend::interpreter), Error);
  EXPECT_THROW(ScoredEvaluator(plane_gaussian(), {other}, plane, codegen::Backend::interpreter), Error);
}

}  // namespace
}  // namespace gfdt::score
