#include "gfdt/score/selection/choose.hpp"

#include <fmt/format.h>

#include "gfdt/base/error.hpp"
#include "gfdt/score/exact/exact_score.hpp"
#include "gfdt/score/selection/method_options.hpp"
#include "gfdt/score/selection/sample_collector.hpp"

namespace gfdt::score {
namespace {

constexpr const char* partial = "Its formulas need not be all of the dynamics behind a recorded trajectory.";

Choice choose_automatically(const symbolic::Model& model, bool whole_model) {
  std::string no_exact = partial;
  if (const auto exact = whole_model ? score::exact_score(model, &no_exact) : nullptr)
    return {Method::exact, fmt::format("the score is known: {}", exact->description())};
  const int dimension = model.dimension();
  if (dimension <= most_chosen_for_kgmm)
    return {Method::kgmm,
            fmt::format("{} dimension{}, and no exact score ({})", dimension, dimension == 1 ? "" : "s", no_exact)};
  if (arrangement_of(model).lattice())
    return {Method::patch,
            fmt::format("a ring of {} sites, and no exact score ({})", arrangement_of(model).sites, no_exact)};
  return {Method::dsm, fmt::format("{} dimensions, too many for kgmm, no ring for patch, and no exact score ({})",
                                   dimension, no_exact)};
}

void check_wanted(const symbolic::Model& model, Method wanted, bool whole_model) {
  if (wanted == Method::exact) {
    std::string why_not = partial;
    if (!whole_model || !score::exact_score(model, &why_not))
      throw Error(fmt::format("There is no exact score of this model: {} Use another method, or auto.", why_not));
  }
  if ((wanted == Method::patch || wanted == Method::unet) && !arrangement_of(model).lattice())
    throw Error(fmt::format("The method {} is for models whose states are all fields over one index; use dsm or auto.",
                            name(wanted)));
}

void check_size(const network::Architecture& architecture) {
  constexpr std::size_t most_parameters = 50'000'000;
  if (architecture.parameters() > most_parameters)
    throw Error(
        fmt::format("A network of {} parameters is too large; {} can be trained. Lower score.hidden or score.width.",
                    architecture.parameters(), most_parameters));
}

/// Throws Error if the method cannot be set up for this model, whatever the samples.
void check_set_up(const symbolic::Model& model, const Options& options, Method method) {
  std::string problem;
  if (method == Method::kgmm) {
    problem = kgmm_options(options).problem();
    if (model.dimension() > score::most_kgmm_dimensions)
      problem = fmt::format("The method kgmm is for up to {} dimensions, and there are {}; use dsm or auto.",
                            score::most_kgmm_dimensions, model.dimension());
  }
  if (method == Method::dsm || method == Method::patch || method == Method::unet) {
    const Arrangement ring = arrangement_of(model);
    const DenoisingOptions denoising = denoising_options(options, method, ring, options.samples);
    problem = denoising.problem();
    if (problem.empty())
      check_size(score::architecture_of(denoising, method == Method::dsm ? Arrangement{model.dimension(), 1} : ring));
  }
  if (!problem.empty()) throw Error(problem);
}

void check_memory(const symbolic::Model& model, const Options& options) {
  constexpr double most_numbers = 1e9;
  if (static_cast<double>(options.samples) * model.dimension() > most_numbers)
    throw Error(fmt::format("{} samples of {} components do not fit into memory; set score.samples to {:.0f} at most.",
                            options.samples, model.dimension(), most_numbers / model.dimension()));
}

}  // namespace

Choice choose(const symbolic::Model& model, const Options& options) {
  if (const std::string problem = options.problem(); !problem.empty()) throw Error(problem);
  if (model.time_state)
    throw Error(
        "The model depends on time, so that it has no stationary distribution: scores and Jacobians are only for "
        "models whose "
        "law "
        "does not. Such a model can be simulated, and 'gfdt response' shows how it responds.");
  if (const auto angle = std::ranges::find(model.angles, true); angle != model.angles.end())
    throw Error(fmt::format(
        "The state {} is an angle: it has no stationary density, and so no score. Likelihood ratios and finite "
        "differences need none.",
        model.states[static_cast<std::size_t>(angle - model.angles.begin())].label()));
  check_wanted(model, options.method, options.whole_model);
  const Choice choice = options.method == Method::automatic ? choose_automatically(model, options.whole_model)
                                                            : Choice{options.method, "asked for"};
  check_set_up(model, options, choice.method);
  check_memory(model, options);
  return choice;
}

}  // namespace gfdt::score
