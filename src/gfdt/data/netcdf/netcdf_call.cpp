#include "gfdt/data/netcdf/netcdf_call.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <netcdf.h>

#include "gfdt/base/error.hpp"

namespace gfdt::data {
namespace {

/// If HDF5 cannot close a file, for example on a full disk, it crashes when it tries again at the end of the process.
/// All files are closed explicitly, so this cleanup is not needed. Effective only before the first use of HDF5.
bool keep_hdf5_from_cleaning_up() {
  using Function = int (*)();
  if (const auto function = reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, "H5dont_atexit"))) function();
  return true;
}

}  // namespace

std::mutex& netcdf_mutex() {
  static std::mutex mutex;
  [[maybe_unused]] static const bool once = keep_hdf5_from_cleaning_up();
  return mutex;
}

void netcdf_call(int status, const std::filesystem::path& file, const char* trouble) {
  if (status == NC_NOERR) return;
  const char* reason =
      status == NC_EHDFERR ? "the HDF5 library failed (is the disk full, or the file damaged?)" : nc_strerror(status);
  throw Error(fmt::format("The file '{}' {}: {}.", file.string(), trouble, reason));
}

}  // namespace gfdt::data
