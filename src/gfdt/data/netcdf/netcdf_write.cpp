#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <map>

#include "gfdt/base/error.hpp"
#include "gfdt/data/netcdf/netcdf_call.hpp"
#include "gfdt/data/netcdf/netcdf_trajectory.hpp"
#include "gfdt/data/write_atomically.hpp"

namespace gfdt::data {
namespace {

class NetcdfWriter : public TrajectoryWriter {
 public:
  NetcdfWriter(const std::filesystem::path& file, const TrajectoryLayout& layout, const Provenance& provenance)
      : TrajectoryWriter(layout), file_(std::filesystem::absolute(file)) {
    std::lock_guard lock(netcdf_mutex());
    call(nc_create(file_.temporary().c_str(), NC_NETCDF4 | NC_CLOBBER, &id_));
    open_ = true;
    try {
      define(provenance);
    } catch (...) {
      abandon();
      throw;
    }
  }

  ~NetcdfWriter() override {
    std::lock_guard lock(netcdf_mutex());
    abandon();
  }

 private:
  void call(int status) const { netcdf_call(status, file_.target(), "cannot be written"); }

  void abandon() {
    if (open_) nc_close(id_);
    open_ = false;
  }

  void define(const Provenance& provenance) {
    const nlohmann::ordered_json attributes = provenance_json(provenance);
    for (const auto& [key, value] : attributes.items()) {
      const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
      if (!text.empty()) put_text(NC_GLOBAL, key, text);
    }
    std::map<std::string, int> dimensions;
    const auto dimension = [&](const std::string& name, std::size_t size) {
      if (!dimensions.contains(name)) call(nc_def_dim(id_, name.c_str(), size, &dimensions[name]));
      return dimensions[name];
    };
    const int member = dimension("member", layout().members), time = dimension("time", layout().times);
    call(nc_def_var(id_, "time", NC_DOUBLE, 1, &time, &time_));
    store_in_one_piece(time_);
    for (const RecordedField& recorded : layout().fields) {
      std::vector<int> shape{member, time};
      for (const symbolic::Index& axis : recorded.axes)
        shape.push_back(dimension(axis.name, static_cast<std::size_t>(axis.size)));
      define_field(recorded, shape);
    }
    call(nc_enddef(id_));
    const std::size_t number = layout().single_precision ? sizeof(float) : sizeof(double);
    file_.reserve(layout().times * sizeof(double) + layout().members * layout().times * layout().variables() * number);
    put_times();
  }

  /// Contiguous storage: the size is known, and consecutive times of a member are consecutive in the file.
  void store_in_one_piece(int variable) {
    call(nc_def_var_chunking(id_, variable, NC_CONTIGUOUS, nullptr));
    call(nc_def_var_fill(id_, variable, NC_NOFILL, nullptr));
  }

  void define_field(const RecordedField& recorded, const std::vector<int>& shape) {
    int variable = 0;
    call(nc_def_var(id_, recorded.field.name.c_str(), layout().single_precision ? NC_FLOAT : NC_DOUBLE,
                    static_cast<int>(shape.size()), shape.data(), &variable));
    store_in_one_piece(variable);
    put_text(variable, "label", recorded.field.label());
    variables_.push_back(variable);
  }

  void put_text(int variable, const std::string& name, const std::string& text) {
    call(nc_put_att_text(id_, variable, name.c_str(), text.size(), text.data()));
  }

  void put_times() {
    constexpr std::size_t at_once = 1 << 16;
    std::vector<double> times;
    for (std::size_t first = 0; first < layout().times; first += at_once) {
      const std::size_t count = std::min(at_once, layout().times - first);
      times.resize(count);
      for (std::size_t i = 0; i < count; ++i)
        times[i] = layout().start + static_cast<double>(first + i) * layout().interval;
      call(nc_put_vara_double(id_, time_, &first, &count, times.data()));
    }
  }

  void write(std::size_t member, std::size_t first_time, std::size_t times, std::span<const double> values) override {
    const std::size_t columns = layout().variables();
    std::size_t first_column = 0;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const RecordedField& recorded = layout().fields[i];
      const std::size_t sites = recorded.sites();
      slab_.resize(times * sites);
      for (std::size_t time = 0; time < times; ++time)
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(time * columns + first_column), sites,
                    slab_.begin() + static_cast<std::ptrdiff_t>(time * sites));
      std::vector<std::size_t> start{member, first_time}, count{1, times};
      for (const symbolic::Index& axis : recorded.axes) {
        start.push_back(0);
        count.push_back(static_cast<std::size_t>(axis.size));
      }
      put_slab(variables_[i], start, count);
      first_column += sites;
    }
  }

  void put_slab(int variable, const std::vector<std::size_t>& start, const std::vector<std::size_t>& count) {
    if (layout().single_precision) {
      narrow_slab_.resize(slab_.size());
      std::ranges::transform(slab_, narrow_slab_.begin(), [](double value) { return static_cast<float>(value); });
    }
    std::lock_guard lock(netcdf_mutex());
    call(layout().single_precision ? nc_put_vara_float(id_, variable, start.data(), count.data(), narrow_slab_.data())
                                   : nc_put_vara_double(id_, variable, start.data(), count.data(), slab_.data()));
  }

  void complete() override {
    {
      std::lock_guard lock(netcdf_mutex());
      open_ = false;
      call(nc_close(id_));
    }
    file_.commit();
  }

  PendingFile file_;
  int id_ = -1, time_ = -1;
  bool open_ = false;
  std::vector<int> variables_;
  std::vector<double> slab_;
  std::vector<float> narrow_slab_;
};

}  // namespace

std::unique_ptr<TrajectoryWriter> write_netcdf(const std::filesystem::path& file, const TrajectoryLayout& layout,
                                               const Provenance& provenance) {
  return std::make_unique<NetcdfWriter>(file, layout, provenance);
}

}  // namespace gfdt::data
