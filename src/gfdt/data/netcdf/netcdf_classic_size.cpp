#include "gfdt/data/netcdf/netcdf_classic_size.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <vector>

namespace gfdt::data {
namespace {

/// Reads the header according to the "NetCDF Classic Format Specification":
///   header = magic numrecs dim_list gatt_list var_list,
/// where each list consists of a tag, a count and its elements.
class ClassicHeader {
 public:
  explicit ClassicHeader(const std::filesystem::path& file) : stream_(file, std::ios::binary) {}

  std::uint64_t file_size() {
    char magic[4] = {};
    stream_.read(magic, sizeof magic);
    const char version = magic[3];
    if (!stream_ || magic[0] != 'C' || magic[1] != 'D' || magic[2] != 'F') return 0;
    if (version != 1 && version != 2 && version != 5) return 0;
    count_bytes_ = version == 5 ? 8 : 4;
    offset_bytes_ = version == 1 ? 4 : 8;
    const std::uint64_t records = count();
    if (records == (count_bytes_ == 8 ? ~std::uint64_t{0} : 0xFFFFFFFFu)) return 0;
    read_dimensions();
    skip_attributes();
    read_variables();
    return stream_ ? end_of_data(records) : 0;
  }

 private:
  struct Variable {
    bool record = false;
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;  ///< bytes per record, or in total
  };

  std::uint64_t big_endian(int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8 | static_cast<std::uint64_t>(stream_.get() & 0xFF);
    return stream_ ? value : 0;
  }
  std::uint64_t count() { return big_endian(count_bytes_); }
  static std::uint64_t padded(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }
  void skip(std::uint64_t bytes) {
    stream_.seekg(static_cast<std::streamoff>(padded(bytes) & 0x7FFFFFFFFFFFFFFF), std::ios::cur);
  }
  void skip_name() { skip(count()); }

  std::uint64_t type_size() {
    constexpr std::uint64_t sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    const std::uint64_t type = big_endian(4);
    if (type == 0 || type >= std::size(sizes)) stream_.setstate(std::ios::failbit);
    return stream_ ? sizes[type] : 0;
  }

  std::uint64_t list() {
    big_endian(4);
    return count();
  }

  void read_dimensions() {
    for (std::uint64_t left = list(); left > 0 && stream_; --left) {
      skip_name();
      dimensions_.push_back(count());
    }
  }

  void skip_attributes() {
    for (std::uint64_t left = list(); left > 0 && stream_; --left) {
      skip_name();
      const std::uint64_t size = type_size();
      skip(size * count());
    }
  }

  void read_variables() {
    for (std::uint64_t left = list(); left > 0 && stream_; --left) {
      Variable variable{.bytes = 1};
      skip_name();
      const std::uint64_t rank = count();
      for (std::uint64_t i = 0; i < rank && stream_; ++i) {
        const std::uint64_t id = count();
        const std::uint64_t size = id < dimensions_.size() ? dimensions_[id] : 0;
        variable.record = variable.record || (i == 0 && size == 0);
        if (size > 0) variable.bytes *= size;
      }
      skip_attributes();
      variable.bytes *= type_size();
      count();
      variable.begin = big_endian(offset_bytes_);
      variables_.push_back(variable);
    }
  }

  std::uint64_t end_of_data(std::uint64_t records) const {
    std::uint64_t record_bytes = 0;
    for (const Variable& variable : variables_) record_bytes += variable.record ? padded(variable.bytes) : 0;
    if (std::ranges::count(variables_, true, &Variable::record) == 1)
      record_bytes = std::ranges::find(variables_, true, &Variable::record)->bytes;
    std::uint64_t end = 0;
    for (const Variable& variable : variables_) {
      if (variable.record && records == 0) continue;
      end = std::max(end, variable.begin + variable.bytes + (variable.record ? (records - 1) * record_bytes : 0));
    }
    return end;
  }

  std::ifstream stream_;
  int count_bytes_ = 4, offset_bytes_ = 4;
  std::vector<std::uint64_t> dimensions_;
  std::vector<Variable> variables_;
};

}  // namespace

std::uint64_t classic_netcdf_size(const std::filesystem::path& file) { return ClassicHeader(file).file_size(); }

}  // namespace gfdt::data
