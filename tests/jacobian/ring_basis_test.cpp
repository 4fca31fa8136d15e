#include "gfdt/jacobian/remainder/ring_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gfdt/base/philox.hpp"
#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::jacobian {
namespace {

using symbolic::Description;

constexpr int sites = 9;

/// An amplitude that depends on the site's own state, and noise that neighbours share.
symbolic::Model ring() {
  Description description;
  description.index("k", sites).parameter("a", 0.7).parameter("b", 0.4).parameter("c", 0.3);
  description.state("X[k]", "-a*X[k]*X[k-1] + X[k+1]", "b*(1 + X[k]^2)");
  description.diffusion[0].terms[0].name = "w[k]";
  description.diffusion[0].terms.push_back({"w[k+1]", "c"});
  return symbolic::build(description);
}

struct Evaluated {
  std::vector<double> functions, dynamics;
};

Evaluated evaluate(const RingBasis& basis, const std::vector<double>& x) {
  const int lanes = codegen::block_lanes(codegen::Backend::interpreter, sites);
  const std::size_t width = static_cast<std::size_t>(lanes);
  codegen::AlignedArray<double> record(sites * width), functions(static_cast<std::size_t>(basis.functions()) * width),
      dynamics(static_cast<std::size_t>(basis.dynamics_rows()) * width);
  for (std::size_t k = 0; k < sites; ++k)
    for (std::size_t lane = 0; lane < width; ++lane) record[k * width + lane] = x[k];
  auto memory = basis.memory();
  basis.evaluate(record.data(), functions.data(), dynamics.data(), memory);
  Evaluated result;
  for (std::size_t i = 0; i < functions.size(); i += width) result.functions.push_back(functions[i]);
  for (std::size_t i = 0; i < dynamics.size(); i += width) result.dynamics.push_back(dynamics[i]);
  return result;
}

TEST(RingBasis, SuitsOneFieldOverARing) {
  EXPECT_TRUE(RingBasis::suits(ring()));
  EXPECT_FALSE(RingBasis::suits(symbolic::build(Description().state("x", "-x", "1"))));
  EXPECT_FALSE(RingBasis::suits(symbolic::build(Description().index("k", 4).state("X[k]", "-X[k]", "1"))));
  EXPECT_EQ(RingBasis::count(), 36);
}

/// At one state the target of a parameter is J·∇φ + ½M:∇∇φ there, with derivatives by differences.
TEST(RingBasis, KnowsWhatAConjugateDoesToEveryFunction) {
  const symbolic::Model model = ring();
  const RingBasis basis(model, {"a", "", "b", "c"}, {{0.2}, {1.3}}, codegen::Backend::interpreter, 0);
  const codegen::Stream stream(2, codegen::Purpose::initial, 1);
  std::vector<double> x;
  for (std::uint64_t k = 0; k < sites; ++k) x.push_back(stream.normal(k));
  const auto functions_at = [&](std::vector<std::pair<std::size_t, double>> moves) {
    std::vector<double> at = x;
    for (const auto& [site, by] : moves) at[site] += by;
    return evaluate(basis, at).functions;
  };
  const std::size_t count = static_cast<std::size_t>(basis.functions());
  const double h = 1e-3, b = 0.4, c = 0.3;
  std::vector<double> along_a(count, 0.0), half_b(count, 0.0), half_c(count, 0.0);
  for (std::size_t k = 0; k < sites; ++k) {
    const std::size_t next = (k + 1) % sites, before = (k + sites - 1) % sites;
    const auto up = functions_at({{k, h}}), down = functions_at({{k, -h}}), here = functions_at({});
    const auto both = functions_at({{k, h}, {next, h}}), none = functions_at({{k, -h}, {next, -h}}),
               first = functions_at({{k, h}, {next, -h}}), second = functions_at({{k, -h}, {next, h}});
    // Σ has b(1 + x_k²) at (k, w_k) and c at (k, w_{k+1}): D_kk = b²(1 + x_k²)² + c², D_{k,k+1} = c b(1 + x_{k+1}²).
    const double own = 1 + x[k] * x[k], other = 1 + x[next] * x[next];
    for (std::size_t i = 0; i < count; ++i) {
      const double slope = (up[i] - down[i]) / (2 * h), curve = (up[i] - 2 * here[i] + down[i]) / (h * h);
      const double mixed = (both[i] + none[i] - first[i] - second[i]) / (4 * h * h);
      along_a[i] += -x[k] * x[before] * slope;
      half_b[i] += b * own * own * curve + c * other * mixed;
      half_c[i] += c * curve + b * other * mixed;
    }
  }
  const std::vector<double> dynamics = evaluate(basis, x).dynamics;
  std::vector<double> means(dynamics.size() * count, 0.0);
  for (std::size_t row = 0; row < dynamics.size(); ++row) means[row * count] = dynamics[row];
  const std::vector<double> of_a = basis.targets(0, means), of_b = basis.targets(2, means),
                            of_c = basis.targets(3, means);
  for (std::size_t i = 1; i < count; ++i) {
    EXPECT_NEAR(of_a[i], along_a[i], 1e-4) << i;
    EXPECT_NEAR(of_b[i], half_b[i], 1e-4) << i;
    EXPECT_NEAR(of_c[i], half_c[i], 1e-4) << i;
  }
}

}  // namespace
}  // namespace gfdt::jacobian
