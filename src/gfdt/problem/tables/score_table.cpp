#include "gfdt/problem/tables/score_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "gfdt/problem/tables/options_table.hpp"
#include "gfdt/score/estimators/denoising.hpp"
#include "gfdt/score/estimators/kgmm.hpp"

namespace gfdt::problem {
namespace {

using score::NetworkKind;

constexpr std::size_t a_million = 1'000'000;

std::string widths(const std::vector<int>& hidden) { return fmt::format("`[{}]`", fmt::join(hidden, ", ")); }

/// Defaults that depend on the method, as texts computed from the options of the methods.
std::string default_noise() {
  return fmt::format("{:.2g} for kgmm at 10⁶ samples, {} for networks", score::default_noise(a_million),
                     score::DenoisingOptions{}.noise);
}

std::string default_leaves() {
  return fmt::format("one for {} samples, at most {}", 1000 / score::default_leaves(1000),
                     score::default_leaves(std::numeric_limits<std::size_t>::max()));
}

std::string default_hidden() {
  return fmt::format("kgmm {}, dsm {}, patch {}", widths(score::KgmmOptions{}.hidden),
                     widths(score::default_hidden(NetworkKind::mlp)),
                     widths(score::default_hidden(NetworkKind::patch)));
}

std::string default_epochs() {
  return fmt::format("kgmm {}; at 10⁶ samples dsm {}, patch {}, unet {}", score::KgmmOptions{}.training.epochs,
                     score::default_epochs(NetworkKind::mlp, a_million),
                     score::default_epochs(NetworkKind::patch, a_million),
                     score::default_epochs(NetworkKind::unet, a_million));
}

std::string default_batch() {
  return fmt::format("kgmm {}, others {}", score::KgmmOptions{}.training.batch,
                     score::DenoisingOptions{}.training.batch);
}

void read_samples(const TomlValue& value, const std::string& what, score::Options& options) {
  int samples = 0;
  read_value(value, what, samples);
  options.samples = static_cast<std::size_t>(samples);
}

const std::vector<Key<score::Options>>& keys_of_score() {
  static const std::vector<Key<score::Options>> all{
      choice("method", &score::Options::method, score::method_names(),
             "`auto` takes the first of exact, kgmm, patch and dsm that applies and reports the reason; see "
             "[choosing a method](choosing-a-method.md)."),
      {{"samples", "whole number ≥ 100", shown(score::Options{}.samples), "States drawn from the run, about."},
       read_samples},
      key("noise", "number > 0 and < 1", &score::Options::noise,
          "Level of the noise that perturbs the samples, in standard deviations of the data. Less noise blurs the "
          "density less and lets more of the scatter of the samples through.",
          default_noise()),
      key("leaves", "whole number ≥ 2", &score::Options::leaves, "Of kgmm's tree.", default_leaves()),
      key("hidden", "list of whole numbers ≥ 1", &score::Options::hidden, "Widths of the hidden layers: `[100, 50]`.",
          default_hidden()),
      key("radius", "whole number ≥ 0", &score::Options::radius, "Of the patch, in sites to each side.",
          fmt::format("{}, or what fits on the ring", score::DenoisingOptions{}.radius)),
      key("width", "whole number from 8 to 1024", &score::Options::width, "Channels at the top of the U-Net.",
          shown(score::DenoisingOptions{}.base)),
      key("epochs", "whole number ≥ 1", &score::Options::epochs, "Of the training: visits to all samples.",
          default_epochs()),
      key("warm_epochs", "number > 0 and ≤ 1", &score::Options::warm_epochs,
          "Share of the epochs where training begins from an earlier score.", "1, in a calibration 1/3"),
      key("batch", "whole number ≥ 1", &score::Options::batch, "Samples to a step of the training.", default_batch()),
      key("rate", "number > 0 and < 1", &score::Options::rate, "Of Adam, at its highest.",
          shown(score::DenoisingOptions{}.training.rate)),
      key("patience", "whole number ≥ 0", &score::Options::patience,
          "Epochs without a better validation loss until training stops; 0: never.",
          shown(score::DenoisingOptions{}.training.patience)),
      key("validation", "number ≥ 0 and ≤ 0.5", &score::Options::validation,
          "Share of the samples kept for the validation loss.", "0, with patience 0.1"),
      key("probes", "whole number from 1 to 1000", &score::Options::probes,
          "Random directions behind each Jacobian of a U-Net, or of an MLP beyond 16 dimensions."),
      key("correction", "true or false", &score::Options::correction,
          "The linear correction, after which `-<x sᵀ> = I` on the samples of the fit.")};
  return all;
}

}  // namespace

const SectionText& score_section() {
  static const SectionText text{"score",
                                "How the score of the invariant density is estimated ([scores](scores.md)). All keys "
                                "can be left out.",
                                texts_of(keys_of_score())};
  return text;
}

score::Options read_score(const TomlEntry& section) { return read_options(section, keys_of_score()); }

}  // namespace gfdt::problem
