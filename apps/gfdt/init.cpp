#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>

#include "command.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/data/write_atomically.hpp"
#include "gfdt/parallel/ranks.hpp"
#include "styled_text.hpp"

namespace gfdt::app {
namespace {

constexpr const char* starting_point =
    R"toml(# {name}: a model, what is observed of it, and what the observations should be.
#   gfdt check {file}       what was derived, is it stable, how slowly does it mix, what will a run cost
#   gfdt simulate {file}    statistics with error bars
#   gfdt calibrate {file}   fit the parameters to the targets; --dry-run estimates the cost
#   gfdt reference          every key that a file may have

[model]
state = ["x", "y"]                  # a field on a ring of sites is written "X[k]", with k under [model.sites]

[model.parameters]
a     = 1.0
omega = 0.5
sigma = {{ value = 0.6, lower = 0.0 }}  # bounds are optional

[model.formulas]                    # named intermediate formulas, in any order; optional
radius2 = "x^2 + y^2"

[model.drift]                       # dx = drift dt + diffusion dW, in Itô's sense
x = "(a - radius2)*x - omega*y"     # + - * / ^, exp log sqrt sin cos tan sinh cosh tanh atan abs sign min max erf, pi
y = "(a - radius2)*y + omega*x"

[model.diffusion]                   # one formula per state, or general noise: x = {{ w1 = "s", w2 = "r" }}
x = "sigma"
y = "sigma"

[model.initial]                     # where members start (default: mean 0, std 1)
x = {{ mean = 0.0, std = 1.0 }}

[observables]                       # comparisons have the value 1 or 0, so their averages are probabilities
energy = "radius2/2"
quiet  = "exp(-4*radius2)"

[targets]                           # what the statistics should be: here those of a = 0.8, sigma = 0.5
energy = {{ value = 0.429, std = 0.005 }}
quiet  = {{ value = 0.110, std = 0.003 }}
# data = "measured.csv"             # or from measurements, with their errors: a column for each of x and y

[simulation]
dt      = 0.01
members = 100                       # independent copies; error bars come from their spread
length  = 1000.0                    # time sampled for each member
# burn_in = 100.0                   # discarded first (default: chosen by a pilot run)
# cadence = 1                       # steps between samples
scheme  = "weak2"                   # weak order 2; or euler-maruyama, or rk4 for the drift with Euler noise
# seed    = 1

[calibration]
free = ["a", "sigma"]               # default: all parameters
)toml";

int init_command(const std::string& name, const std::string& out) {
  std::filesystem::path file = std::filesystem::path(out) / name;
  if (file.extension() != ".toml") file += ".toml";
  ranks::run_on_root("the writing of a problem file", [&] {
    if (std::filesystem::exists(file))
      throw Error(fmt::format("'{}' is there already; it is left as it is.", file.string()));
    data::write_file_atomically(file, fmt::format(fmt::runtime(starting_point), fmt::arg("name", file.stem().string()),
                                                  fmt::arg("file", file.string())));
  });
  say(stdout, "Wrote {}. Next: gfdt check {}\n", file.string(), file.string());
  return Exit::done;
}

}  // namespace

void add_init(CLI::App& app, int& status) {
  auto name = std::make_shared<std::string>();
  auto out = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("init", "Write a commented problem file to start from");
  command->add_option("name", *name, "Name of the problem; the file is NAME.toml")->required()->type_name("NAME");
  command->add_option("--out", *out, "Folder for the file")->type_name("DIR");
  command->group(group::begin)->footer("Example: gfdt init enso");
  command->callback([name, out, &status] { status = init_command(*name, *out); });
}

}  // namespace gfdt::app
