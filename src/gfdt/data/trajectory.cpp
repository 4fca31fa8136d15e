#include "gfdt/data/trajectory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gfdt/base/memory.hpp"
#include "gfdt/data/csv/csv.hpp"
#include "gfdt/data/netcdf/netcdf_file.hpp"
#include "gfdt/data/netcdf/netcdf_trajectory.hpp"

namespace gfdt::data {

std::size_t RecordedField::sites() const {
  std::size_t count = 1;
  for (const symbolic::Index& axis : axes) count *= static_cast<std::size_t>(axis.size);
  return count;
}

std::size_t TrajectoryLayout::variables() const {
  std::size_t count = 0;
  for (const RecordedField& field : fields) count += field.sites();
  return count;
}

std::vector<RecordedField> recorded_states(const symbolic::Model& model) {
  std::vector<RecordedField> fields;
  for (const symbolic::Field& state : model.states) {
    RecordedField& recorded = fields.emplace_back(RecordedField{state, {}});
    for (const symbolic::Index& index : model.indices)
      if (std::ranges::find(state.indices, index) != state.indices.end()) recorded.axes.push_back(index);
  }
  return fields;
}

std::vector<std::string> column_names(std::span<const RecordedField> fields) {
  std::vector<std::string> names;
  for (const RecordedField& recorded : fields)
    for (std::size_t site = 0; site < recorded.sites(); ++site) {
      std::vector<std::size_t> numbers(recorded.field.indices.size());
      std::size_t rest = site;
      for (std::size_t axis = recorded.axes.size(); axis-- > 0;) {
        const auto index = std::ranges::find(recorded.field.indices, recorded.axes[axis]);
        const std::size_t size = static_cast<std::size_t>(recorded.axes[axis].size);
        numbers[static_cast<std::size_t>(index - recorded.field.indices.begin())] = rest % size;
        rest /= size;
      }
      names.push_back(numbers.empty() ? recorded.field.name
                                      : fmt::format("{}[{}]", recorded.field.name, fmt::join(numbers, ",")));
    }
  return names;
}

Spacing spacing_of(std::span<const double> times) {
  constexpr double tolerance = 0.2;
  if (times.size() < 2) return {};
  std::vector<double> steps(times.size() - 1);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = times[i + 1] - times[i];
  std::vector<double> sorted = steps;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  const double median = *middle;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (!(steps[i] > 0) || !(std::abs(steps[i] - median) <= tolerance * median)) return {0, i + 1};
  return {(times.back() - times.front()) / static_cast<double>(steps.size()), std::nullopt};
}

std::size_t affordable_size(const std::string& file, std::size_t members, std::size_t times, std::size_t variables) {
  const double bytes =
      static_cast<double>(members) * static_cast<double>(times) * static_cast<double>(variables) * sizeof(double);
  if (const double available = available_memory(); bytes > available)
    throw Error(fmt::format("The trajectory in '{}' takes {} of memory, and {} are available.", file, bytes_text(bytes),
                            bytes_text(available)));
  return members * times * variables;
}

Trajectory read_trajectory(const std::filesystem::path& file) {
  return looks_like_netcdf(file) ? read_netcdf(file) : read_csv(file);
}

}  // namespace gfdt::data
