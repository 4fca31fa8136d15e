#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "gfdt/core/error.hpp"
#include "gfdt/io/netcdf_call.hpp"
#include "gfdt/io/netcdf_classic_size.hpp"
#include "gfdt/io/netcdf_trajectory.hpp"

namespace gfdt::io {
namespace {

struct Dimension {
  std::string name;
  std::size_t size = 0;
};

/// A variable of the file that is part of the trajectory.
struct Series {
  int id = 0;
  bool has_member = false;
  RecordedField recorded;
};

class NetcdfReader {
 public:
  explicit NetcdfReader(const std::filesystem::path& file) : file_(std::filesystem::absolute(file)) {
    expect_magic();
    if (classic_netcdf_size(file_) > std::filesystem::file_size(file_))
      throw Error(fmt::format("The file '{}' was cut off: it is shorter than its header says.", file.string()));
    if (nc_open(file_.c_str(), NC_NOWRITE, &id_) != NC_NOERR)
      throw Error(fmt::format("The file '{}' is damaged or cut off: it starts like netCDF but cannot be opened.",
                              file.string()));
    open_ = true;
  }
  ~NetcdfReader() {
    if (open_) nc_close(id_);
  }
  NetcdfReader(const NetcdfReader&) = delete;
  NetcdfReader& operator=(const NetcdfReader&) = delete;

  Trajectory read() {
    Trajectory trajectory;
    read_times(trajectory);
    const std::vector<Series> all = find_series();
    trajectory.members = members_;
    std::vector<RecordedField> fields;
    for (const Series& series : all) fields.push_back(series.recorded);
    trajectory.variables = column_names(fields);
    trajectory.fields = std::move(fields);
    trajectory.values.resize(affordable_size(file_.string(), members_, trajectory.times, trajectory.variables.size()));
    std::size_t first_column = 0;
    for (const Series& series : all) {
      read_series(series, first_column, trajectory);
      first_column += series.recorded.sites();
    }
    return trajectory;
  }

 private:
  void call(int status) const { netcdf_call(status, file_, "cannot be read"); }

  void expect_magic() const {
    std::error_code error;
    if (std::filesystem::is_directory(file_, error))
      throw Error(fmt::format("'{}' is a folder, not a file.", file_.string()));
    std::ifstream stream(file_, std::ios::binary);
    if (!stream) throw Error(fmt::format("The file '{}' cannot be opened: {}.", file_.string(), std::strerror(errno)));
    char first[8] = {};
    stream.read(first, sizeof first);
    const std::string_view magic(first, sizeof first);
    if (!magic.starts_with("CDF") && magic != "\x89HDF\r\n\x1a\n")
      throw Error(fmt::format("The file '{}' is not netCDF.", file_.string()));
  }

  std::vector<Dimension> shape_of(int variable) const {
    int rank = 0;
    call(nc_inq_varndims(id_, variable, &rank));
    std::vector<int> ids(static_cast<std::size_t>(rank));
    call(nc_inq_vardimid(id_, variable, ids.data()));
    std::vector<Dimension> shape;
    for (int id : ids) {
      char name[NC_MAX_NAME + 1] = {};
      Dimension& dimension = shape.emplace_back();
      call(nc_inq_dim(id_, id, name, &dimension.size));
      dimension.name = name;
    }
    return shape;
  }

  void read_times(Trajectory& trajectory) const {
    int variable = 0;
    if (nc_inq_varid(id_, "time", &variable) != NC_NOERR)
      throw Error(fmt::format("The file '{}' has no variable 'time', which says how far apart the states are.",
                              file_.string()));
    const std::vector<Dimension> shape = shape_of(variable);
    if (shape.size() != 1 || shape[0].name != "time" || shape[0].size == 0)
      throw Error(fmt::format("The variable 'time' of '{}' must run over one dimension 'time' that is not empty.",
                              file_.string()));
    std::vector<double> times(affordable_size(file_.string(), 1, shape[0].size, 1));
    call(nc_get_var_double(id_, variable, times.data()));
    const Spacing spacing = spacing_of(times);
    if (spacing.uneven)
      throw Error(fmt::format("The times of '{}' are not evenly spaced: {} follows {}.", file_.string(),
                              times[*spacing.uneven], times[*spacing.uneven - 1]));
    trajectory.times = times.size();
    trajectory.start = times[0];
    trajectory.interval = spacing.interval;
  }

  std::vector<Series> find_series() {
    int count = 0;
    call(nc_inq_nvars(id_, &count));
    std::vector<Series> all;
    for (int variable = 0; variable < count; ++variable) {
      nc_type type = NC_NAT;
      char name[NC_MAX_NAME + 1] = {};
      call(nc_inq_var(id_, variable, name, &type, nullptr, nullptr, nullptr));
      std::vector<Dimension> shape = shape_of(variable);
      Series series{.id = variable, .has_member = !shape.empty() && shape[0].name == "member", .recorded = {}};
      if (series.has_member) {
        members_ = shape[0].size;
        shape.erase(shape.begin());
      }
      const bool numeric = type != NC_CHAR && type <= NC_UINT64;
      if (!numeric || std::string_view(name) == "time" || shape.empty() || shape[0].name != "time") continue;
      series.recorded = recorded_field(variable, name, std::span(shape).subspan(1));
      all.push_back(std::move(series));
    }
    const bool any_member = std::ranges::any_of(all, &Series::has_member);
    std::erase_if(all, [&](const Series& series) { return series.has_member != any_member; });
    if (!any_member) members_ = 1;
    if (all.empty() || members_ == 0)
      throw Error(fmt::format("The file '{}' has no variable over the dimensions (time, ...) or (member, time, ...).",
                              file_.string()));
    return all;
  }

  RecordedField recorded_field(int variable, const std::string& name, std::span<const Dimension> axes) const {
    RecordedField recorded{{name, {}}, {}};
    for (const Dimension& axis : axes) {
      if (axis.size == 0 || axis.size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw Error(fmt::format("The dimension '{}' of '{}' has the impossible size {}.", axis.name, file_.string(),
                                axis.size));
      recorded.axes.push_back({axis.name, static_cast<int>(axis.size)});
    }
    recorded.field.indices = recorded.axes;
    const std::string label = text_attribute(variable, "label");
    const auto position = [&](const model::Index& index) { return label.find(index.name, name.size() + 1); };
    if (label.starts_with(name + "[")) std::ranges::stable_sort(recorded.field.indices, {}, position);
    return recorded;
  }

  std::string text_attribute(int variable, const char* name) const {
    std::size_t size = 0;
    nc_type type = NC_NAT;
    if (nc_inq_att(id_, variable, name, &type, &size) != NC_NOERR || type != NC_CHAR) return "";
    std::string text(size, '\0');
    call(nc_get_att_text(id_, variable, name, text.data()));
    return text;
  }

  double number_attribute(int variable, const char* name, double otherwise) const {
    std::size_t size = 0;
    nc_type type = NC_NAT;
    if (nc_inq_att(id_, variable, name, &type, &size) != NC_NOERR || size != 1 || type == NC_CHAR) return otherwise;
    double value = otherwise;
    return nc_get_att_double(id_, variable, name, &value) == NC_NOERR ? value : otherwise;
  }

  void read_series(const Series& series, std::size_t first_column, Trajectory& trajectory) const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const double fill = number_attribute(series.id, "_FillValue", none);
    const double missing = number_attribute(series.id, "missing_value", none);
    const double scale = number_attribute(series.id, "scale_factor", 1);
    const double offset = number_attribute(series.id, "add_offset", 0);
    const std::size_t sites = series.recorded.sites(), columns = trajectory.variables.size();
    std::vector<std::size_t> start{0}, count{trajectory.times};
    for (const model::Index& axis : series.recorded.axes) {
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
      call(nc_get_vara_double(id_, series.id, start.data(), count.data(), slab.data()));
      for (std::size_t i = 0; i < slab.size(); ++i) {
        const std::size_t row = member * trajectory.times + i / sites;
        const bool absent = slab[i] == fill || slab[i] == missing;
        trajectory.values[row * columns + first_column + i % sites] = absent ? none : slab[i] * scale + offset;
      }
    }
  }

  std::filesystem::path file_;
  int id_ = -1;
  bool open_ = false;
  std::size_t members_ = 1;
};

}  // namespace

Trajectory read_netcdf(const std::filesystem::path& file) {
  std::lock_guard lock(netcdf_mutex());
  return NetcdfReader(file).read();
}

}  // namespace gfdt::io
