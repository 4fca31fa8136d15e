#include "gfdt/score/fields/callable_field.hpp"

#include <cstddef>
#include <vector>

#include "gfdt/base/error.hpp"

namespace gfdt::score {
namespace {

void copy_lane(const double* rows, std::size_t lanes, std::size_t lane, std::vector<double>& state) {
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = rows[i * lanes + lane];
}

void copy_back(const std::vector<double>& state, std::size_t lanes, std::size_t lane, double* rows) {
  for (std::size_t i = 0; i < state.size(); ++i) rows[i * lanes + lane] = state[i];
}

}  // namespace

CallableField::CallableField(int dimension, Score score, Derivative derivative, std::string description)
    : Field(dimension),
      score_(std::move(score)),
      derivative_(std::move(derivative)),
      description_(std::move(description)) {
  if (dimension < 1) throw Error("A score needs at least one dimension.");
  if (!score_) throw Error("The score is an empty function; give one that writes s(x).");
}

void CallableField::evaluate(const double* x, int lanes, double* s) const {
  const std::size_t width = static_cast<std::size_t>(lanes);
  std::vector<double> state(static_cast<std::size_t>(dimension())), score(state.size());
  for (std::size_t lane = 0; lane < width; ++lane) {
    copy_lane(x, width, lane, state);
    score_(state, score);
    copy_back(score, width, lane, s);
  }
}

void CallableField::differentiate(const double* x, int lanes, int directions, const double* v, double* s,
                                  double* sv) const {
  if (!derivative_)
    throw Error(
        "The score was given without its derivative, which parameters of the noise need; give the derivative along a "
        "direction too, or leave those parameters out.");
  evaluate(x, lanes, s);
  const std::size_t width = static_cast<std::size_t>(lanes);
  std::vector<double> state(static_cast<std::size_t>(dimension())), direction(state.size()), slope(state.size());
  const std::size_t block = state.size() * width;
  for (std::size_t lane = 0; lane < width; ++lane) {
    copy_lane(x, width, lane, state);
    for (std::size_t k = 0; k < static_cast<std::size_t>(directions); ++k) {
      copy_lane(v + k * block, width, lane, direction);
      derivative_(state, direction, slope);
      copy_back(slope, width, lane, sv + k * block);
    }
  }
}

}  // namespace gfdt::score
