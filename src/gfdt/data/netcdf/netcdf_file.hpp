#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gfdt::data {

/// Whether a file starts like netCDF or is called so.
bool looks_like_netcdf(const std::filesystem::path& file);

/// A netCDF file open for reading. The one that has it holds `netcdf_mutex`.
class NetcdfFile {
 public:
  /// Throws Error when the file is missing, foreign, damaged or cut off.
  explicit NetcdfFile(const std::filesystem::path& file);
  ~NetcdfFile();
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;

  struct Dimension {
    std::string name;
    std::size_t size = 0;
  };
  struct Variable {
    int id = 0;
    std::string name;
    bool numeric = false;
    std::vector<Dimension> shape;
  };

  int id() const { return id_; }
  std::string name() const { return file_.string(); }
  /// Throws Error unless the status of a call says that it succeeded.
  void call(int status) const;

  std::vector<Variable> variables() const;
  std::string text_attribute(int variable, const char* name) const;  ///< empty where there is none
  double number_attribute(int variable, const char* name, double otherwise) const;
  /// A part of a variable as real values: unpacked, NaN where a value is missing.
  void read(int variable, const std::vector<std::size_t>& start, const std::vector<std::size_t>& count,
            std::vector<double>& values) const;

 private:
  void expect_magic() const;

  std::filesystem::path file_;
  int id_ = -1;
};

}  // namespace gfdt::data
