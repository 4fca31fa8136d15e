#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "gfdt/data/csv/csv.hpp"
#include "gfdt/data/write_atomically.hpp"

namespace gfdt::data {
namespace {

/// An anonymous temporary file of doubles with random access.
class Spool {
 public:
  Spool(const std::filesystem::path& target, std::size_t size) : file_(target) {
    ::unlink(file_.temporary().c_str());
    file_.reserve(size * sizeof(double));
  }

  void write(std::size_t first, std::span<const double> values) {
    const char* from = reinterpret_cast<const char*>(values.data());
    std::size_t left = values.size_bytes();
    for (std::size_t at = first * sizeof(double); left > 0;) {
      const ssize_t done = ::pwrite(file_.descriptor(), from, left, static_cast<off_t>(at));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail_to_write(file_.target(), errno);
      from += done;
      at += static_cast<std::size_t>(done);
      left -= static_cast<std::size_t>(done);
    }
  }

  void read(std::size_t first, std::span<double> values) const {
    char* to = reinterpret_cast<char*>(values.data());
    std::size_t left = values.size_bytes();
    for (std::size_t at = first * sizeof(double); left > 0;) {
      const ssize_t done = ::pread(file_.descriptor(), to, left, static_cast<off_t>(at));
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) fail_to_write(file_.target(), done < 0 ? errno : EIO);
      to += done;
      at += static_cast<std::size_t>(done);
      left -= static_cast<std::size_t>(done);
    }
  }

 private:
  PendingFile file_;
};

class CsvWriter : public TrajectoryWriter {
 public:
  CsvWriter(const std::filesystem::path& file, const TrajectoryLayout& layout, const Provenance& provenance)
      : TrajectoryWriter(layout),
        file_(file),
        spool_(file, layout.members * layout.times * layout.variables()),
        columns_(layout.variables()) {
    for (const std::string& line : to_lines(provenance)) text_ += "# " + line + "\n";
    text_ += "member,time";
    for (const std::string& name : column_names(layout.fields))
      text_ += name.find(',') == std::string::npos ? "," + name : ",\"" + name + "\"";
    text_ += "\n";
    file_.write(text_);
    text_.clear();
  }

 private:
  void write(std::size_t member, std::size_t first_time, std::size_t, std::span<const double> values) override {
    spool_.write((member * layout().times + first_time) * columns_, values);
  }

  void complete() override {
    constexpr std::size_t numbers_at_once = 1 << 16;
    const std::size_t rows_at_once = std::max<std::size_t>(1, numbers_at_once / columns_);
    std::vector<double> values;
    for (std::size_t member = 0; member < layout().members; ++member)
      for (std::size_t time = 0; time < layout().times; time += rows_at_once) {
        const std::size_t rows = std::min(rows_at_once, layout().times - time);
        values.resize(rows * columns_);
        spool_.read((member * layout().times + time) * columns_, values);
        for (std::size_t row = 0; row < rows; ++row)
          add_row(member, time + row, std::span(values).subspan(row * columns_, columns_));
        file_.write(text_);
        text_.clear();
      }
    file_.commit();
  }

  void add_row(std::size_t member, std::size_t time, std::span<const double> values) {
    const auto out = std::back_inserter(text_);
    fmt::format_to(out, "{},{:.15g}", member, layout().start + static_cast<double>(time) * layout().interval);
    for (double value : values)
      if (layout().single_precision)
        fmt::format_to(out, ",{}", static_cast<float>(value));
      else
        fmt::format_to(out, ",{}", value);
    text_ += '\n';
  }

  PendingFile file_;
  Spool spool_;
  std::size_t columns_;
  std::string text_;
};

}  // namespace

std::unique_ptr<TrajectoryWriter> write_csv(const std::filesystem::path& file, const TrajectoryLayout& layout,
                                            const Provenance& provenance) {
  return std::make_unique<CsvWriter>(file, layout, provenance);
}

}  // namespace gfdt::data
