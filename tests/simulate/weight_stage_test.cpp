#include "gfdt/simulate/weight_stage.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "gfdt/symbolic/derived/likelihood_weights.hpp"
#include "recorder.hpp"
#include "step_expectation.hpp"

namespace gfdt::simulate {
namespace {

using symbolic::Description;

Description ring() {
  return Description().index("k", 9).parameter("a", 0.4).parameter("b", 0.02).parameter("s", 0.9).state(
      "X[k]", "-X[k-1]*(X[k-2] - X[k+1]) - a*X[k] - b*X[k]^3 + 4", "s");
}

Description triad() {
  return Description()
      .parameter("d", 0.3)
      .parameter("w", 0.4)
      .parameter("s", 0.5)
      .state("u", "-d*u - w*v + tanh(z)", "s")
      .state("v", "-d*v + w*u", "s*(1 + 0.2*u^2)")
      .state("z", "-2*z", "s*(1 + tanh(u))");
}

struct Case {
  Description description;
  Scheme scheme;
  codegen::Backend backend;
  Precision precision;
};

/// Weights do not affect the other states: their trajectories are bit-identical to those without weights.
TEST(WeightStage, DoesNotAffectTheStates) {
  using codegen::Backend;
  const Case cases[] = {
      {ring(), Scheme::rk4, Backend::native, Precision::single_precision},
      {ring(), Scheme::euler_maruyama, Backend::interpreter, Precision::double_precision},
      {ring(), Scheme::weak2, Backend::interpreter, Precision::single_precision},
      {triad(), Scheme::weak2, Backend::native, Precision::double_precision},
      {triad(), Scheme::rk4, Backend::interpreter, Precision::double_precision},
  };
  for (const Case& c : cases) {
    const symbolic::Model model = symbolic::build(c.description);
    std::vector<std::string> names;
    for (const symbolic::Parameter& parameter : model.parameters) names.push_back(parameter.name);
    const symbolic::WeightedModel weighted = symbolic::with_likelihood_weights(model, names);
    ASSERT_TRUE(weighted.model.weights);
    Options options{.dt = 0.01, .members = 3, .length = 4, .burn_in = 1, .cadence = 4, .scheme = c.scheme};
    options.precision = c.precision;
    options.backend = c.backend;
    const Recorder plain = record(model, options), with = record(weighted.model, options);
    ASSERT_EQ(with.rows(), static_cast<std::size_t>(weighted.model.dimension()));
    for (std::size_t member = 0; member < 3; ++member)
      for (std::size_t sample = 0; sample < plain.samples(); ++sample) {
        for (std::size_t row = 0; row < plain.rows(); ++row)
          ASSERT_EQ(with.at(member, sample, row), plain.at(member, sample, row)) << name(c.scheme);
        for (std::size_t row = plain.rows(); row < with.rows(); ++row)
          ASSERT_NE(with.at(member, sample, row), 0) << name(c.scheme);
      }
  }
}

/// Additional signs would shift those of the states.
TEST(WeightStage, DrawsNoAdditionalRandomNumbers) {
  for (const Description& description : {ring(), triad()}) {
    const symbolic::Model model = symbolic::build(description);
    for (const Scheme scheme : {Scheme::euler_maruyama, Scheme::rk4, Scheme::weak2}) {
      const codegen::StepPlan plain = step_plan(model, scheme),
                              with = step_plan(symbolic::with_likelihood_weights(model, {"s"}).model, scheme);
      EXPECT_EQ(codegen::total_rows(with.noises), codegen::total_rows(plain.noises));
      EXPECT_EQ(codegen::total_rows(with.signs), codegen::total_rows(plain.signs));
    }
  }
}

using State = StepExpectation::State;

/// Two states that share two Wiener processes, with nonlinear drift and noise.
Description shared(const std::string& x1, const std::string& x2, const std::string& y1, const std::string& y2) {
  Description description;
  description.parameter("c", 0.7).state("x", "c*y - c*x^3").state("y", "-c*x*y + 0.4");
  drive(description, "x", {{"w1", x1}, {"w2", x2}});
  drive(description, "y", {{"w1", y1}, {"w2", y2}});
  return description;
}

/// E f(x')z' of one step minus ∂E f(x')/∂c, both without sampling error: the error of the derivative.
double missing(const Model& model, Scheme scheme, double dt, const State& start, const StepExpectation::Function& f) {
  State with_weight = start;
  with_weight.push_back(0);
  const std::size_t nodes = start.size() > 2 ? 5 : 8;
  const auto at = [&](double change) {
    Model moved = model;
    moved.parameters[0].value += change;
    return StepExpectation(moved, scheme, dt).expectation(start, f, nodes);
  };
  const double h = 1e-4;
  return StepExpectation(symbolic::with_likelihood_weights(model, {"c"}).model, scheme, dt)
             .expectation(
                 with_weight, [&](const State& x) { return f(x) * x.back(); }, nodes) -
         (at(h) - at(-h)) / (2 * h);
}

double order_of(const Model& model, Scheme scheme, const State& start, const StepExpectation::Function& f) {
  return std::log2(std::abs(missing(model, scheme, 0.01, start, f) / missing(model, scheme, 0.005, start, f)));
}

/// Weights give the derivative of one step: exactly for Euler–Maruyama, otherwise up to terms of third order in dt, so
/// that responses have errors of second order.
TEST(WeightStage, GivesTheDerivativeOfTheScheme) {
  const StepExpectation::Function functions[] = {
      [](const State& x) { return x[0]; }, [](const State& x) { return x[0] * x[0]; },
      [](const State& x) { return x[0] * x[1]; }, [](const State& x) { return x[1] * x[1] * x[1]; }};
  const Model multiplicative = symbolic::build(shared("0.8 + 0.2*x^2", "0.4*sin(y)", "0.5*cos(x)", "0.9 + 0.2*x*y"));
  const Model additive = symbolic::build(shared("0.8", "0.4", "0.5", "0.9"));
  const Model lattice = symbolic::build(Description().index("k", 3).parameter("c", 0.7).state(
      "X[k]", "-X[k]^3 + c*X[k-1]*X[k+1] - c*mean(k, X[k]^2)", "0.6"));
  for (const auto& f : functions) {
    for (const auto& [model, start] : {std::pair{&multiplicative, State{0.7, 0.9}},
                                       {&additive, State{0.7, 0.9}},
                                       {&lattice, State{0.7, 0.9, -0.4}}}) {
      EXPECT_NEAR(missing(*model, Scheme::euler_maruyama, 0.04, start, f), 0, 1e-9);
      EXPECT_GT(order_of(*model, Scheme::rk4, start, f), 2.7);
      EXPECT_GT(order_of(*model, Scheme::weak2, start, f), 2.7);
    }
  }
}

}  // namespace
}  // namespace gfdt::simulate
