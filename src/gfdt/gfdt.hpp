#pragma once

// Everything a program that uses the library needs so far.
#include "gfdt/certificate/certificate.hpp"
#include "gfdt/core/error.hpp"
#include "gfdt/exact/exact_score.hpp"
#include "gfdt/io/problem.hpp"
#include "gfdt/model/conjugate.hpp"
#include "gfdt/model/description.hpp"
#include "gfdt/score/callable_field.hpp"
#include "gfdt/scoring/fit_score.hpp"
#include "gfdt/scoring/sample_collector.hpp"
#include "gfdt/simulate/ensemble.hpp"
#include "gfdt/statistics/ensemble_statistics.hpp"
