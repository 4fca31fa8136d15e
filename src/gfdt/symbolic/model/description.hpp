#pragma once

#include <string>
#include <vector>

#include "gfdt/base/error.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::symbolic {

/// A piece of text with its position.
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

/// Noise of a state: one formula for its own Wiener process, or one formula per named noise.
struct DiffusionText {
  Text state;
  std::vector<NamedText> terms;  ///< the name is empty for the state's own noise
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
  InitialDistribution law;
};

/// A model as text, from a problem file or a program. Names of fields include their indices, as in `X[k]`.
struct Description {
  std::vector<SitesText> sites;
  std::vector<Text> states;
  std::vector<ParameterText> parameters;
  std::vector<NamedText> formulas;  ///< named intermediate formulas, in any order
  std::vector<NamedText> drift;
  std::vector<DiffusionText> diffusion;
  std::vector<InitialText> initial;
  std::vector<NamedText> observables;
  std::vector<NamedText> coordinates;  ///< functions from which control variates may be built
  bool time = false;                   ///< whether formulas may depend on the time `t`
  std::optional<double> period = {};   ///< period in time of the formulas; implies `time`

  Description& index(const std::string& name, int size);
  Description& parameter(const std::string& name, double value);
  /// Adds a state with its drift and, unless empty, the amplitude of its own noise.
  Description& state(const std::string& name, const std::string& drift_formula, const std::string& noise = "");
  Description& formula(const std::string& name, const std::string& text);
  Description& observable(const std::string& name, const std::string& text);
};

/// Parses and validates a description. Throws InputError with the position of the error.
Model build(const Description& description);

}  // namespace gfdt::symbolic
