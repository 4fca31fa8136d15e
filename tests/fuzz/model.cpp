// Any model must give the formulas that the methods are made of, and take a few steps, or an Error with a sentence.
#include <cstdint>
#include <string>

#include "gfdt/base/error.hpp"
#include "gfdt/control_variate/dictionary/dictionary_values.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/symbolic/derived/conjugate.hpp"
#include "gfdt/symbolic/derived/likelihood_weights.hpp"

namespace {

using namespace gfdt;

/// Larger models take long and are no different.
constexpr int most_variables = 64;
constexpr std::size_t most_functions = 100;

template <class Work>
void attempt(const Work& work) {
  try {
    work();
  } catch (const Error&) {
  }
}

std::vector<std::string> parameters_of(const symbolic::Model& model) {
  std::vector<std::string> names;
  for (const symbolic::Parameter& parameter : model.parameters) names.push_back(parameter.name);
  return names;
}

std::vector<std::optional<control_variate::Operator>> changes_of(const symbolic::Model& model) {
  std::vector<std::optional<control_variate::Operator>> changes;
  for (const symbolic::Parameter& parameter : model.parameters)
    attempt([&] {
      const symbolic::Perturbation change = symbolic::perturbation(model, parameter.name);
      changes.push_back(control_variate::Operator{change.drift, change.diffusion});
    });
  return changes;
}

/// L of the functions of a dictionary, and what parameters make of their sum, where all states are one.
void apply_operators(const symbolic::Model& model) {
  if (!control_variate::has_dictionary(model)) return;
  std::vector<control_variate::Coordinate> coordinates = control_variate::coordinates_of(model);
  std::vector<control_variate::Spread> spreads(coordinates.size());
  const control_variate::Dictionary dictionary =
      control_variate::make_dictionary(model, std::move(coordinates), std::move(spreads), most_functions);
  const control_variate::DictionaryValues values(model, dictionary, changes_of(model));
  const auto memory = values.memory();
  const std::size_t width = control_variate::lanes;
  codegen::AlignedArray<double> states(static_cast<std::size_t>(model.dimension()) * width),
      functions(values.functions() * width), changed(values.parameters() * width);
  for (std::size_t i = 0; i < states.size(); ++i) states[i] = 1;
  values.load(states.data(), *memory);
  values.generated(functions.data(), *memory);
  values.changed(std::vector<double>(values.functions(), 1.0), changed.data(), *memory);
}

void take_steps(const symbolic::Model& model) {
  for (const simulate::Scheme scheme :
       {simulate::Scheme::euler_maruyama, simulate::Scheme::rk4, simulate::Scheme::weak2})
    attempt([&] {
      simulate::run(model,
                    {.dt = 0.01,
                     .members = 2,
                     .length = 0.04,
                     .scheme = scheme,
                     .threads = 1,
                     .backend = codegen::Backend::interpreter},
                    {});
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attempt([&] {
    const symbolic::Model model =
        problem::parse_problem(std::string(reinterpret_cast<const char*>(data), size), "fuzz.toml", {}, "experiments")
            .model;
    if (model.dimension() > most_variables) return;
    for (const std::string& parameter : parameters_of(model))
      attempt([&] { symbolic::readable(model, symbolic::conjugate(model, parameter).total()); });
    attempt([&] { apply_operators(model); });
    take_steps(model);
    take_steps(
        symbolic::with_likelihood_weights(model, parameters_of(model), {.plain = true, .stretched = true}).model);
  });
  return 0;
}
