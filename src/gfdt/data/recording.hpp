#pragma once

#include "gfdt/data/trajectory.hpp"
#include "gfdt/simulate/recorded_source.hpp"

namespace gfdt::data {

/// Times below which nothing can be said about how states follow each other.
inline constexpr std::size_t fewest_recorded_times = 100;

/// The states of a model in a trajectory, found by their names (`u1`, `X[3]`, `Y[2,35]`); what else there is is passed
/// over. A field of a netCDF file whose dimensions are called like the model's sites may hold them in any order. `file`
/// names the trajectory in messages. Throws Error when a state is missing or not finite, a field has other sites than
/// the model's, or there are too few times.
simulate::Recording recording_of(Trajectory trajectory, const symbolic::Model& model, const std::string& file);

/// The same from a file, CSV or netCDF.
simulate::Recording read_recording(const std::filesystem::path& file, const symbolic::Model& model);

}  // namespace gfdt::data
