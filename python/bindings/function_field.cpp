#include <fmt/format.h>
#include <pybind11/numpy.h>

#include "gfdt/base/error.hpp"
#include "score.hpp"

namespace gfdt::python {

FunctionField::FunctionField(int dimension, py::handle score, py::handle derivative, Turn turn)
    : Field(dimension), score_(score), derivative_(derivative), turn_(std::move(turn)) {}

void FunctionField::call(py::handle function, std::initializer_list<const double*> blocks, int lanes,
                         double* values) const {
  const std::lock_guard alone(*turn_);
  const py::gil_scoped_acquire locked;
  const std::size_t width = static_cast<std::size_t>(dimension()), count = static_cast<std::size_t>(lanes);
  py::tuple arguments(blocks.size());
  std::size_t at = 0;
  for (const double* block : blocks) {
    py::array_t<double> states({count, width});
    double* state = states.mutable_data();
    for (std::size_t lane = 0; lane < count; ++lane)
      for (std::size_t row = 0; row < width; ++row) *state++ = block[row * count + lane];
    arguments[at++] = states;
  }
  const py::array_t<double, py::array::c_style | py::array::forcecast> given(function(*arguments));
  const bool fits = (given.ndim() == 2 && given.shape(0) == lanes && given.shape(1) == dimension()) ||
                    (given.ndim() == 1 && dimension() == 1 && given.shape(0) == lanes);
  if (!fits)
    throw Error(fmt::format("The score must give an array of the shape of the states, ({}, {}).", lanes, dimension()));
  for (std::size_t lane = 0; lane < count; ++lane)
    for (std::size_t row = 0; row < width; ++row) values[row * count + lane] = given.data()[lane * width + row];
}

void FunctionField::evaluate(const double* x, int lanes, double* s) const { call(score_, {x}, lanes, s); }

void FunctionField::differentiate(const double* x, int lanes, int directions, const double* v, double* s,
                                  double* sv) const {
  if (derivative_.is_none())
    throw Error(
        "The score was given without its derivative, which parameters of the noise need; give the derivative along a "
        "direction too, or leave those parameters out.");
  evaluate(x, lanes, s);
  const std::ptrdiff_t block = static_cast<std::ptrdiff_t>(dimension()) * lanes;
  for (int k = 0; k < directions; ++k) call(derivative_, {x, v + k * block}, lanes, sv + k * block);
}

std::function<api::JacobianMethod(const api::JacobianTask&)> given_method(const py::object& score, const Turn& turn) {
  const auto method = [](jacobian::ScoreFits given) {
    api::JacobianMethod result{
        .name = given.origin->name(), .method = jacobian::Method::gfdt, .score = {}, .score_file = {}};
    result.given = std::move(given);
    return result;
  };
  if (py::isinstance<Score>(score))
    return [kept = score.cast<std::shared_ptr<Score>>(), method](const api::JacobianTask& task) {
      return method(api::given_score(kept->stored, task));
    };
  const py::tuple functions = score;
  return [s = py::handle(functions[0].ptr()), derivative = py::handle(functions[1].ptr()), method,
          turn](const api::JacobianTask& task) {
    jacobian::ScoreFits given;
    given.origin = score::Origin{};
    given.kept = {.check = Check::score, .text = "The score is a function that was given; nothing of it was tested."};
    given.scores.fields = {std::make_shared<FunctionField>(task.problem.model.dimension(), s, derivative, turn)};
    return method(std::move(given));
  };
}

}  // namespace gfdt::python
