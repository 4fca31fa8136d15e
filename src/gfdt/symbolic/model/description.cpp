#include "gfdt/symbolic/model/description.hpp"

namespace gfdt::symbolic {

Description& Description::index(const std::string& name, int size) {
  sites.push_back({name, size});
  return *this;
}

Description& Description::parameter(const std::string& name, double value) {
  parameters.push_back({.name = name, .value = value});
  return *this;
}

Description& Description::state(const std::string& name, const std::string& drift_formula, const std::string& noise) {
  std::string bare = name.substr(0, name.find('['));
  states.emplace_back(name);
  drift.push_back({bare, drift_formula});
  if (!noise.empty()) diffusion.push_back({bare, {{"", noise}}});
  return *this;
}

Description& Description::formula(const std::string& name, const std::string& text) {
  formulas.push_back({name, text});
  return *this;
}

Description& Description::observable(const std::string& name, const std::string& text) {
  observables.push_back({name, text});
  return *this;
}

}  // namespace gfdt::symbolic
