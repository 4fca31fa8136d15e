#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "gfdt/api/response_task.hpp"

namespace gfdt::app {

using api::LastResponses;
using api::ResponseCurves;

/// About 20 of the times, beside the perturbed ensemble where there is one.
void print(std::FILE* file, const ResponseCurves& curves);
void print(std::FILE* file, const LastResponses& last, const std::vector<std::string>& observables);

}  // namespace gfdt::app
