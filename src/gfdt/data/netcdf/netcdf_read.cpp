#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <limits>

#include "gfdt/base/error.hpp"
#include "gfdt/data/netcdf/netcdf_call.hpp"
#include "gfdt/data/netcdf/netcdf_file.hpp"
#include "gfdt/data/netcdf/netcdf_trajectory.hpp"

namespace gfdt::data {
namespace {

/// A variable of the file that belongs to the trajectory.
struct Series {
  int id = 0;
  bool has_member = false;
  RecordedField recorded;
};

class NetcdfReader {
 public:
  explicit NetcdfReader(const std::filesystem::path& file) : file_(file) {}

  Trajectory read() {
    Trajectory trajectory;
    read_times(trajectory);
    const std::vector<Series> all = find_series();
    trajectory.members = members_;
    std::vector<RecordedField> fields;
    for (const Series& series : all) fields.push_back(series.recorded);
    trajectory.variables = column_names(fields);
    trajectory.fields = std::move(fields);
    trajectory.values.resize(affordable_size(file_.name(), members_, trajectory.times, trajectory.variables.size()));
    std::size_t first_column = 0;
    for (const Series& series : all) {
      read_series(series, first_column, trajectory);
      first_column += series.recorded.sites();
    }
    return trajectory;
  }

 private:
  void read_times(Trajectory& trajectory) const {
    const auto variable = std::ranges::find(variables_, "time", &NetcdfFile::Variable::name);
    if (variable == variables_.end())
      throw Error(
          fmt::format("The file '{}' has no variable 'time', which says how far apart the states are.", file_.name()));
    const std::vector<NetcdfFile::Dimension>& shape = variable->shape;
    if (shape.size() != 1 || shape[0].name != "time" || shape[0].size == 0)
      throw Error(fmt::format("The variable 'time' of '{}' must run over one dimension 'time' that is not empty.",
                              file_.name()));
    std::vector<double> times(affordable_size(file_.name(), 1, shape[0].size, 1));
    file_.call(nc_get_var_double(file_.id(), variable->id, times.data()));
    const Spacing spacing = spacing_of(times);
    if (spacing.uneven)
      throw Error(fmt::format("The times of '{}' are not evenly spaced: {} follows {}.", file_.name(),
                              times[*spacing.uneven], times[*spacing.uneven - 1]));
    trajectory.times = times.size();
    trajectory.start = times[0];
    trajectory.interval = spacing.interval;
  }

  std::vector<Series> find_series() {
    std::vector<Series> all;
    for (const NetcdfFile::Variable& variable : variables_) {
      std::vector<NetcdfFile::Dimension> shape = variable.shape;
      Series series{.id = variable.id, .has_member = !shape.empty() && shape[0].name == "member", .recorded = {}};
      if (series.has_member) {
        members_ = shape[0].size;
        shape.erase(shape.begin());
      }
      if (!variable.numeric || variable.name == "time" || shape.empty() || shape[0].name != "time") continue;
      series.recorded = recorded_field(variable, std::span(shape).subspan(1));
      all.push_back(std::move(series));
    }
    const bool any_member = std::ranges::any_of(all, &Series::has_member);
    std::erase_if(all, [&](const Series& series) { return series.has_member != any_member; });
    if (!any_member) members_ = 1;
    if (all.empty() || members_ == 0)
      throw Error(fmt::format("The file '{}' has no variable over the dimensions (time, ...) or (member, time, ...).",
                              file_.name()));
    return all;
  }

  RecordedField recorded_field(const NetcdfFile::Variable& variable,
                               std::span<const NetcdfFile::Dimension> axes) const {
    const std::string& name = variable.name;
    RecordedField recorded{{name, {}}, {}};
    for (const NetcdfFile::Dimension& axis : axes) {
      if (axis.size == 0 || axis.size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw Error(
            fmt::format("The dimension '{}' of '{}' has the impossible size {}.", axis.name, file_.name(), axis.size));
      recorded.axes.push_back({axis.name, static_cast<int>(axis.size)});
    }
    recorded.field.indices = recorded.axes;
    const std::string label = file_.text_attribute(variable.id, "label");
    const auto position = [&](const symbolic::Index& index) { return label.find(index.name, name.size() + 1); };
    if (label.starts_with(name + "[")) std::ranges::stable_sort(recorded.field.indices, {}, position);
    return recorded;
  }

  void read_series(const Series& series, std::size_t first_column, Trajectory& trajectory) const {
    const std::size_t sites = series.recorded.sites(), columns = trajectory.variables.size();
    std::vector<std::size_t> start{0}, count{trajectory.times};
    for (const symbolic::Index& axis : series.recorded.axes) {
      start.push_back(0);
      count.push_back(static_cast<std::size_t>(axis.size));
    }
    if (series.has_member) {
      start.insert(start.begin(), 0);
      count.insert(count.begin(), 1);
    }
    std::vector<double> slab(trajectory.times * sites);
    for (std::size_t member = 0; member < trajectory.members; ++member) {
      if (series.has_member) start[0] = member;
      file_.read(series.id, start, count, slab);
      for (std::size_t i = 0; i < slab.size(); ++i)
        trajectory.values[(member * trajectory.times + i / sites) * columns + first_column + i % sites] = slab[i];
    }
  }

  NetcdfFile file_;
  std::vector<NetcdfFile::Variable> variables_ = file_.variables();
  std::size_t members_ = 1;
};

}  // namespace

Trajectory read_netcdf(const std::filesystem::path& file) {
  std::lock_guard lock(netcdf_mutex());
  return NetcdfReader(file).read();
}

}  // namespace gfdt::data
