#include "gfdt/problem/tables/model_tables.hpp"
#include "gfdt/problem/tables/options_table.hpp"

namespace gfdt::problem {
namespace {

constexpr const char* a_table = "table";

}  // namespace

const SectionText& model_section() {
  static const SectionText text{
      "model",
      "The stochastic differential equation `dx = F(x) dt + Σ(x) dW`, in Itô's sense. How formulas, lattices, noise "
      "and time are written is in [the guide](problem-file.md).",
      {{"state", "list of names", "",
        "The state variables: `[\"x\", \"y\"]`. A field over sites is written `\"X[k]\"`, over two index sets "
        "`\"Y[j,k]\"`."},
       {"file", "name of a file", "",
        "Instead of `state`: a model kept in another file, relative to this one. It holds `[model]` and may hold "
        "`[observables]` and `[simulation]`; parameters' values, formulas, observables and settings of the simulation "
        "can be changed here."},
       {"time", "true or false", "`false`, with a period `true`",
        "Whether formulas may hold the time `t`, counted from the start of a run."},
       {"period", "number > 0", "none", "The time after which formulas that hold `t` repeat."},
       {"sites", a_table, "", "Index sets and their sizes: `k = 36`. All are periodic."},
       {"parameters", a_table, "", "Values: `alpha = 1.0`, or with bounds, see [below](#modelparameters)."},
       {"formulas", a_table, "",
        "Named intermediate formulas in any order: `q = \"1 + tanh(u1)\"`, per site `\"B[k]\" = \"X[k]^2\"`."},
       {"drift", a_table, "", "F: one formula per state."},
       {"diffusion", a_table, "no noise",
        "Σ: one formula per state for independent noises; or named noises that states share: `x = { w1 = \"s\", w2 = "
        "\"r*x\" }`, on a lattice `X = { \"w[k]\" = \"s\", \"w[k+1]\" = \"r\" }`. A noise without index is shared by "
        "all sites."},
       {"coordinates", a_table, "",
        "Further functions of the state that [control variates](control-variates.md) may be made of, in any order: "
        "`wave = \"sin(2*x)\"`, per site `\"B[k]\" = \"exp(-X[k]^2)\"`."},
       {"initial", a_table, "normal, mean 0 and std 1", "Where members start, see [below](#modelinitial)."}}};
  return text;
}

const SectionText& parameter_section() {
  static const SectionText text{
      "model.parameters",
      "A number, or a table: `sigma = { value = 0.6, lower = 0.0 }`. A calibration keeps to the bounds.",
      {{"value", "number", "", "Where simulations are made and where a calibration starts."},
       {"lower", "number", "-∞", "The parameter stays above."},
       {"upper", "number", "∞", "The parameter stays below."}}};
  return text;
}

const SectionText& initial_section() {
  static const SectionText text{
      "model.initial",
      "A number, or the normal distribution from which members are drawn independently: `x = { mean = 2.5, std = 3.5 "
      "}`.",
      {{"mean", "number", shown(symbolic::InitialDistribution{}.mean), "Of the distribution."},
       {"std", "number ≥ 0", shown(symbolic::InitialDistribution{}.std), "Its standard deviation."}}};
  return text;
}

const SectionText& observables_section() {
  static const SectionText text{"observables",
                                "Named formulas, each one number: `V = \"mean(k, (X[k] - mu)^2)\"`. Their long-run "
                                "averages are the statistics. A "
                                "comparison is 1 or 0, so that its average is a probability: `warm = \"x > 1.5\"`.",
                                {}};
  return text;
}

const std::vector<std::string>& model_keys() {
  static const std::vector<std::string> names = names_of(model_section().keys);
  return names;
}

const std::vector<std::string>& model_table_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> tables;
    for (const KeyText& key : model_section().keys)
      if (key.kind == a_table) tables.push_back(key.name);
    return tables;
  }();
  return names;
}

}  // namespace gfdt::problem
