#pragma once

#include <filesystem>
#include <limits>
#include <memory>

#include "gfdt/base/error.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/simulate/source.hpp"

namespace gfdt::problem {

/// The seed that a program is given: that of the run where it is below 2³¹, which every program can read, else one made
/// from it; further attempts have others.
std::uint64_t seed_for_program(std::uint64_t seed, int attempt);

/// Runs the user's own simulator at the parameters of a model and shows what it wrote. The command is run by /bin/sh in
/// `working_folder`, that of the problem file, with these places filled in:
///
///     {parameters}                       path of a JSON file with all parameters, {"name": value, …}
///     {output} or {output.csv}, {output.nc}   path that the trajectory is written to, as CSV or netCDF
///     {seed} {length} {dt} {members} {burn_in} {cadence}   of `options`
///     {name}                             value of the parameter of that name
///
/// The output is taken as it is: it must begin past its transient. No segment that members are cut into is shorter than
/// `shortest` (see RecordedSource): the default leaves them whole, as Jacobians want them; averages want 0.
///
/// A program that ends with another status than 0, is killed, takes too long, or leaves no trajectory of the model's
/// states, all finite, is run again with another seed as often as the command says; then SimulationFailed says what
/// happened the last time. Null when cancelled.
std::unique_ptr<simulate::Source> run_external(const ExternalCommand& command, const symbolic::Model& at,
                                               const simulate::Options& options,
                                               const std::filesystem::path& working_folder,
                                               const simulate::Control& control = {},
                                               double shortest = std::numeric_limits<double>::infinity());

}  // namespace gfdt::problem
