#include "gfdt/data/netcdf/netcdf_file.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "gfdt/base/error.hpp"
#include "gfdt/data/netcdf/netcdf_call.hpp"
#include "gfdt/data/netcdf/netcdf_classic_size.hpp"
#include "gfdt/data/source_text.hpp"

namespace gfdt::data {

bool looks_like_netcdf(const std::filesystem::path& file) {
  require_no_pipe(file);
  char first[4] = {};
  std::ifstream(file, std::ios::binary).read(first, sizeof first);
  const std::string_view magic(first, sizeof first);
  return magic.starts_with("CDF") || magic == "\x89HDF" || file.extension() == ".nc";
}

NetcdfFile::NetcdfFile(const std::filesystem::path& file) : file_(std::filesystem::absolute(file)) {
  expect_magic();
  if (classic_netcdf_size(file_) > std::filesystem::file_size(file_))
    throw Error(fmt::format("The file '{}' was cut off: it is shorter than its header says.", file.string()));
  if (nc_open(file_.c_str(), NC_NOWRITE, &id_) != NC_NOERR)
    throw Error(
        fmt::format("The file '{}' is damaged or cut off: it starts like netCDF but cannot be opened.", file.string()));
}

NetcdfFile::~NetcdfFile() { nc_close(id_); }

void NetcdfFile::call(int status) const { netcdf_call(status, file_, "cannot be read"); }

void NetcdfFile::expect_magic() const {
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

std::vector<NetcdfFile::Variable> NetcdfFile::variables() const {
  int count = 0;
  call(nc_inq_nvars(id_, &count));
  std::vector<Variable> all;
  for (int variable = 0; variable < count; ++variable) {
    nc_type type = NC_NAT;
    int rank = 0;
    char name[NC_MAX_NAME + 1] = {};
    call(nc_inq_var(id_, variable, name, &type, &rank, nullptr, nullptr));
    std::vector<int> ids(static_cast<std::size_t>(rank));
    call(nc_inq_vardimid(id_, variable, ids.data()));
    Variable& found = all.emplace_back(Variable{variable, name, type != NC_CHAR && type <= NC_UINT64, {}});
    for (int id : ids) {
      char axis[NC_MAX_NAME + 1] = {};
      Dimension& dimension = found.shape.emplace_back();
      call(nc_inq_dim(id_, id, axis, &dimension.size));
      dimension.name = axis;
    }
  }
  return all;
}

std::string NetcdfFile::text_attribute(int variable, const char* name) const {
  std::size_t size = 0;
  nc_type type = NC_NAT;
  if (nc_inq_att(id_, variable, name, &type, &size) != NC_NOERR || type != NC_CHAR) return "";
  std::string text(size, '\0');
  call(nc_get_att_text(id_, variable, name, text.data()));
  return text;
}

double NetcdfFile::number_attribute(int variable, const char* name, double otherwise) const {
  std::size_t size = 0;
  nc_type type = NC_NAT;
  if (nc_inq_att(id_, variable, name, &type, &size) != NC_NOERR || size != 1 || type == NC_CHAR) return otherwise;
  double value = otherwise;
  return nc_get_att_double(id_, variable, name, &value) == NC_NOERR ? value : otherwise;
}

void NetcdfFile::read(int variable, const std::vector<std::size_t>& start, const std::vector<std::size_t>& count,
                      std::vector<double>& values) const {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const double fill = number_attribute(variable, "_FillValue", unknown);
  const double missing = number_attribute(variable, "missing_value", unknown);
  const double scale = number_attribute(variable, "scale_factor", 1);
  const double offset = number_attribute(variable, "add_offset", 0);
  call(nc_get_vara_double(id_, variable, start.data(), count.data(), values.data()));
  for (double& value : values) value = value == fill || value == missing ? unknown : value * scale + offset;
}

}  // namespace gfdt::data
