#pragma once

// Everything a program that uses the library needs so far.
#include "gfdt/core/error.hpp"
#include "gfdt/io/problem.hpp"
#include "gfdt/model/conjugate.hpp"
#include "gfdt/model/description.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
