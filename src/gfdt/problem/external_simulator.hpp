#pragma once

#include <filesystem>
#include <limits>
#include <memory>

#include "gfdt/base/error.hpp"
#include "gfdt/problem/problem.hpp"
#include "gfdt/simulate/source.hpp"

namespace gfdt::problem {

/// The seed for the program: the seed of the run if it is below 2³¹, which every program can read, otherwise one
/// derived from it. Each further attempt has a different seed.
std::uint64_t seed_for_program(std::uint64_t seed, int attempt);

/// Runs the user's own simulator at the parameters of a model and returns the trajectory that it wrote. The command is
/// run by /bin/sh in `working_folder`, the folder of the problem file, with these placeholders replaced:
///
///     {parameters}                       path of a JSON file with all parameters, {"name": value, …}
///     {output} or {output.csv}, {output.nc}   path to which the program writes the trajectory, as CSV or netCDF
///     {seed} {length} {dt} {members} {burn_in} {cadence}   of `options`
///     {name}                             value of the parameter with that name
///
/// The output is used from its first row, so it must start after the transient. Members are cut into segments no
/// shorter than `shortest` (see RecordedSource): the default keeps them whole, which Jacobians require; use 0 for
/// averages.
///
/// The program has failed if it ends with a status other than 0, is killed, exceeds the timeout, or leaves no
/// trajectory with finite values of all states. It is then run again with another seed, up to `retries` times; after
/// the last failure, SimulationFailed describes its cause. Returns null if cancelled.
std::unique_ptr<simulate::Source> run_external(const ExternalCommand& command, const symbolic::Model& at,
                                               const simulate::Options& options,
                                               const std::filesystem::path& working_folder,
                                               const simulate::Control& control = {},
                                               double shortest = std::numeric_limits<double>::infinity());

}  // namespace gfdt::problem
