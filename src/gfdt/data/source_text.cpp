#include "gfdt/data/source_text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "gfdt/base/utf8.hpp"
#include "gfdt/parallel/ranks.hpp"

namespace gfdt::data {
namespace {

/// Longer lines are not shown in messages, because thousands of positions may each store a copy of the line.
constexpr std::size_t longest_shown_line = 4096;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

/// Waits until data or the end of the input are available. Throws Error on a request to stop.
void wait_for_data(int descriptor, const std::filesystem::path& file) {
  constexpr int nap = 50;  // milliseconds
  for (pollfd wanted{descriptor, POLLIN, 0}; ::poll(&wanted, 1, nap) <= 0;)
    if (ranks::stopping().requested())
      throw Error(fmt::format("Stopped while waiting for the writer of '{}'.", file.string()));
}

}  // namespace

SourceText::SourceText(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {
  line_begins_.push_back(text_.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
    line_begins_.push_back(at + 1);
  for (std::size_t at = 0; at < text_.size();) {
    const std::size_t bytes = utf8::character_bytes(std::string_view(text_).substr(at));
    if (bytes == 0) {
      Origin where = place(at);
      where.source_line.clear();
      throw InputError("This is not text in UTF-8; save the file as UTF-8.", where);
    }
    at += bytes;
  }
}

std::string_view SourceText::line(std::size_t number) const {
  const std::size_t begin = line_begins_[number];
  std::size_t end = number + 1 < line_begins_.size() ? line_begins_[number + 1] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

Origin SourceText::place(int line_number, int column) const {
  const std::string_view shown = line(static_cast<std::size_t>(line_number) - 1);
  return {file_, line_number, column, shown.size() <= longest_shown_line ? std::string(shown) : std::string()};
}

Origin SourceText::place(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::ranges::upper_bound(line_begins_, offset);
  const std::size_t number =
      after == line_begins_.begin() ? 0 : static_cast<std::size_t>(after - line_begins_.begin()) - 1;
  int column = 1;
  for (std::size_t i = line_begins_[number]; i < offset; ++i) column += utf8::continues(text_[i]) ? 0 : 1;
  return place(static_cast<int>(number) + 1, column);
}

std::size_t SourceText::offset(int line_number, int column) const {
  const std::size_t number = std::clamp<std::size_t>(static_cast<std::size_t>(line_number), 1, line_begins_.size()) - 1;
  const std::string_view text = line(number);
  std::size_t at = 0;
  for (int passed = 1; passed < column && at < text.size(); ++passed)
    for (++at; at < text.size() && utf8::continues(text[at]);) ++at;
  return line_begins_[number] + at;
}

std::string read_text_file(const std::filesystem::path& file, std::size_t most_bytes, Pipes pipes) {
  // A blocking open would wait for the writer of a pipe and ignore signals.
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (opened.number() < 0)
    throw Error(fmt::format("The file '{}' cannot be opened: {}.", file.string(), std::strerror(errno)));
  struct stat status {};
  if (::fstat(opened.number(), &status) == 0 && S_ISDIR(status.st_mode))
    throw Error(fmt::format("'{}' is a folder, not a file.", file.string()));
  if (pipes == Pipes::rejected && !S_ISREG(status.st_mode))
    throw Error(fmt::format("'{}' is not a regular file.", file.string()));
  std::string text;
  while (text.size() <= most_bytes) {
    constexpr std::size_t at_once = 1 << 16;
    const std::size_t before = text.size();
    if (!S_ISREG(status.st_mode)) wait_for_data(opened.number(), file);
    text.resize(before + at_once);
    const ssize_t got = ::read(opened.number(), text.data() + before, at_once);
    if (got < 0 && errno != EINTR && errno != EAGAIN)
      throw Error(fmt::format("The file '{}' cannot be read: {}.", file.string(), std::strerror(errno)));
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return text;
  }
  throw Error(fmt::format("The file '{}' is larger than {} MB.", file.string(), most_bytes >> 20));
}

void require_no_pipe(const std::filesystem::path& file) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(file, ignored);
  if (std::filesystem::is_fifo(status) || std::filesystem::is_socket(status))
    throw Error(
        fmt::format("'{}' is a pipe, which can be read only once: save its contents to a file.", file.string()));
}

}  // namespace gfdt::data
