#pragma once

#include <memory>
#include <string>

#include "gfdt/score/fields/field.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::score {

/// The exact score of a model at its parameters, if it is known: for linear drift with additive noise, or for a single
/// scalar state. Otherwise null, with the reason (one or two sentences) in `why_not`.
std::unique_ptr<Field> exact_score(const symbolic::Model& model, std::string* why_not = nullptr);

}  // namespace gfdt::score
