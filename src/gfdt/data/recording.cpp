#include "gfdt/data/recording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "gfdt/base/error.hpp"
#include "gfdt/base/nearest.hpp"
#include "gfdt/codegen/program/component_names.hpp"
#include "gfdt/parallel/ranks.hpp"

namespace gfdt::data {
namespace {

std::string without_spaces(std::string name) {
  std::erase(name, ' ');
  return name;
}

/// Column names of a trajectory. If the file names its dimensions, indices are in the order of the model's labels.
std::vector<std::string> columns_of(const Trajectory& trajectory, const symbolic::Model& model) {
  std::vector<RecordedField> fields = trajectory.fields;
  for (RecordedField& recorded : fields)
    for (const symbolic::Field& state : model.states)
      if (state.name == recorded.field.name &&
          std::ranges::is_permutation(state.indices, recorded.axes, {}, &symbolic::Index::name, &symbolic::Index::name))
        std::ranges::sort(recorded.field.indices, {}, [&](const symbolic::Index& index) {
          return std::ranges::find(state.indices, index.name, &symbolic::Index::name);
        });
  std::vector<std::string> names = fields.empty() ? trajectory.variables : column_names(fields);
  std::ranges::transform(names, names.begin(), without_spaces);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  const std::size_t shown = std::min(names.size(), most);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : "");
}

[[noreturn]] void fail_missing(const std::string& name, const std::vector<std::string>& columns,
                               const std::string& file) {
  const std::size_t bracket = name.find('[');
  const bool other_sites = bracket != std::string::npos && std::ranges::any_of(columns, [&](const std::string& column) {
                             return column.starts_with(name.substr(0, bracket + 1));
                           });
  throw Error(fmt::format("The trajectory '{}' has no variable '{}', a state of the model.{} It has {}.", file, name,
                          other_sites ? " Sites are counted from 0." : suggestion(name, columns), listed(columns)));
}

/// Marks a row that is the time instead of a column.
constexpr std::size_t from_time = std::numeric_limits<std::size_t>::max();

/// Column of each row of a run. In a time-dependent model, the row of the time is taken from the times if there is no
/// column for it.
std::vector<std::size_t> columns_of_rows(const std::vector<std::string>& columns, const symbolic::Model& model,
                                         const std::string& file) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < columns.size(); ++i) places.emplace(columns[i], i);
  std::vector<std::size_t> result;
  for (const std::string& name : codegen::component_names(model)) {
    const auto place = places.find(name);
    if (place == places.end() && model.time_state && name == symbolic::time_name) {
      result.push_back(from_time);
      continue;
    }
    if (place == places.end()) fail_missing(name, columns, file);
    result.push_back(place->second);
    places.erase(place);
  }
  for (const auto& [name, place] : places)
    for (const symbolic::Field& state : model.states)
      if (!state.indices.empty() && name.starts_with(state.name + "["))
        throw Error(fmt::format("The trajectory '{}' has a variable '{}', but the field {} of the model has {} sites.",
                                file, name, state.label(), state.sites()));
  return result;
}

void check_times(const Trajectory& trajectory, const std::string& file) {
  if (trajectory.times == 1)
    throw Error(
        fmt::format("The trajectory '{}' holds a single time: how states follow each other cannot be told.", file));
  if (trajectory.times < fewest_recorded_times)
    throw Error(fmt::format("The trajectory '{}' has {} times; {} are the fewest that can be used.", file,
                            trajectory.times, fewest_recorded_times));
}

}  // namespace

simulate::Recording recording_of(Trajectory trajectory, const symbolic::Model& model, const std::string& file) {
  check_times(trajectory, file);
  const std::vector<std::string> columns = columns_of(trajectory, model);
  const std::vector<std::size_t> order = columns_of_rows(columns, model, file);
  simulate::Recording recording{.members = trajectory.members,
                                .times = trajectory.times,
                                .rows = order.size(),
                                .interval = trajectory.interval,
                                .values = {}};
  // Rows are moved to the front of the same memory, unless there are more rows than columns because of the time.
  std::vector<double>& values = trajectory.values;
  const bool in_place = order.size() <= columns.size();
  if (!in_place) recording.values.resize(recording.members * recording.times * recording.rows);
  std::vector<double>& target = in_place ? values : recording.values;
  std::vector<double> state(order.size());
  for (std::size_t sample = 0; sample < recording.members * recording.times; ++sample) {
    const double time = trajectory.start + static_cast<double>(sample % recording.times) * recording.interval;
    for (std::size_t row = 0; row < order.size(); ++row) {
      state[row] = order[row] == from_time ? time : values[sample * columns.size() + order[row]];
      if (!std::isfinite(state[row]))
        throw Error(fmt::format("The trajectory '{}' is incomplete: {} of member {} at time {:g} is {}.", file,
                                columns[order[row]], sample / recording.times, time,
                                std::isnan(state[row]) ? "not a number" : "infinite"));
    }
    std::ranges::copy(state, target.begin() + static_cast<std::ptrdiff_t>(sample * order.size()));
  }
  if (in_place) recording.values = std::move(values);
  recording.values.resize(recording.members * recording.times * recording.rows);
  return recording;
}

simulate::Recording read_recording(const std::filesystem::path& file, const symbolic::Model& model) {
  simulate::Recording recording = recording_of(read_trajectory(file), model, file.string());
  ranks::require_same("trajectory", recording.values);
  return recording;
}

}  // namespace gfdt::data
