#pragma once

#include <memory>
#include <string>

#include "gfdt/score/fields/field.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// The exact score of a model at its parameters, where one is known: linear drift with additive noise, or one scalar
/// state. Null otherwise, with the reason, a sentence or two, in `why_not`.
std::unique_ptr<Field> exact_score(const symbolic::Model& model, std::string* why_not = nullptr);

}  // namespace gfdt::score
