#pragma once

#include "gfdt/data/trajectory.hpp"
#include "gfdt/simulate/recorded_source.hpp"

namespace gfdt::data {

/// Smallest number of times from which time correlations can be estimated.
inline constexpr std::size_t fewest_recorded_times = 100;

/// Extracts the states of a model from a trajectory by name (`u1`, `X[3]`, `Y[2,35]`); other variables are ignored. In
/// netCDF files, dimensions with the names of the model's sites may have any order. `file` names the trajectory in
/// messages. Throws Error if a state is missing or not finite, if the sites of a field differ from the model, or if
/// there are too few times.
simulate::Recording recording_of(Trajectory trajectory, const symbolic::Model& model, const std::string& file);

/// The same for a CSV or netCDF file.
simulate::Recording read_recording(const std::filesystem::path& file, const symbolic::Model& model);

}  // namespace gfdt::data
