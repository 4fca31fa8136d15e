#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gfdt::data {

/// Whether the first bytes or the name of a file indicate netCDF.
bool looks_like_netcdf(const std::filesystem::path& file);

/// A netCDF file open for reading. The owner must hold `netcdf_mutex`.
class NetcdfFile {
 public:
  /// Throws Error if the file is missing, not netCDF, damaged or truncated.
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
  /// Throws Error unless `status` indicates success.
  void call(int status) const;

  std::vector<Variable> variables() const;
  std::string text_attribute(int variable, const char* name) const;  ///< empty if there is none
  double number_attribute(int variable, const char* name, double otherwise) const;
  /// Reads a part of a variable: packed values are unpacked, missing values become NaN.
  void read(int variable, const std::vector<std::size_t>& start, const std::vector<std::size_t>& count,
            std::vector<double>& values) const;

 private:
  void expect_magic() const;

  std::filesystem::path file_;
  int id_ = -1;
};

}  // namespace gfdt::data
