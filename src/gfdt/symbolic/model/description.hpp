#pragma once

#include <string>
#include <vector>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// A piece of text and where it stands.
struct Text {
  Text(std::string value, Origin place = {}) : text(std::move(value)), origin(std::move(place)) {}  // NOLINT
  Text(const char* value) : text(value) {}                                                          // NOLINT
  std::string text;
  Origin origin;
};

struct NamedText {
  Text name;
  Text formula;
};

/// The noise that drives one state: a single formula (its own Wiener process), or one formula for each named noise.
struct DiffusionText {
  Text state;
  std::vector<NamedText> terms;  ///< a name is empty for the state's own noise
};

struct ParameterText {
  Text name;
  double value = 0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

struct SitesText {
  Text name;
  int size = 0;
};

struct InitialText {
  Text state;
  InitialLaw law;
};

/// A model in words: what a problem file says, or a program. Names of fields are written with their indices, `X[k]`.
struct Description {
  std::vector<SitesText> sites;
  std::vector<Text> states;
  std::vector<ParameterText> parameters;
  std::vector<NamedText> formulas;  ///< named intermediate formulas, in any order
  std::vector<NamedText> drift;
  std::vector<DiffusionText> diffusion;
  std::vector<InitialText> initial;
  std::vector<NamedText> observables;
  std::vector<NamedText> coordinates;  ///< that control variates may be made of
  bool time = false;                   ///< whether formulas may hold the time, `t`
  std::optional<double> period = {};   ///< the same, where they repeat after this time

  Description& index(const std::string& name, int size);
  Description& parameter(const std::string& name, double value);
  /// A state with its drift and, unless empty, the amplitude of its own noise.
  Description& state(const std::string& name, const std::string& drift_formula, const std::string& noise = "");
  Description& formula(const std::string& name, const std::string& text);
  Description& observable(const std::string& name, const std::string& text);
};

/// Parses and checks everything. Throws InputError with the place of what is wrong.
Model build(const Description& description);

}  // namespace gfdt::symbolic
