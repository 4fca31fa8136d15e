#include "gfdt/simulate/initial_state.hpp"

#include "gfdt/base/philox.hpp"

namespace gfdt::simulate {

std::vector<double> initial_state(const symbolic::Model& model, std::uint64_t seed, std::uint32_t stream) {
  const codegen::Stream normals(seed, codegen::Purpose::initial, stream);
  std::vector<double> state;
  for (std::size_t field = 0; field < model.states.size(); ++field)
    for (int site = 0; site < model.states[field].sites(); ++site)
      state.push_back(model.initial[field].mean + model.initial[field].std * normals.normal(state.size()));
  return state;
}

}  // namespace gfdt::simulate
