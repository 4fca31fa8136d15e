#include "gfdt/codegen/program/component_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gfdt/codegen/program/program.hpp"

namespace gfdt::codegen {

std::vector<std::string> component_names(const symbolic::Model& model) {
  std::vector<std::string> names;
  for (const Field& state : model.states) {
    const std::vector<int> steps = strides(state, model.indices);
    for (int row = 0; row < state.sites(); ++row) {
      std::vector<int> position;
      for (std::size_t i = 0; i < steps.size(); ++i) position.push_back(row / steps[i] % state.indices[i].size);
      names.push_back(position.empty() ? state.name : fmt::format("{}[{}]", state.name, fmt::join(position, ",")));
    }
  }
  return names;
}

}  // namespace gfdt::codegen
