#include "gfdt/data/csv/csv_lines.hpp"
#include "gfdt/data/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace gfdt::data {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// Type of a compressed file, identified by its first bytes; null for other files.
const char* compressed_kind(std::string_view beginning) {
  constexpr std::pair<std::string_view, const char*> kinds[] = {{"\x1f\x8b", "a file compressed by gzip"},
                                                                {"BZh", "a file compressed by bzip2"},
                                                                {"\xfd"
                                                                 "7zXZ",
                                                                 "a file compressed by xz"},
                                                                {"\x28\xb5\x2f\xfd", "a file compressed by zstd"},
                                                                {"PK\x03\x04", "a zip archive or a spreadsheet"}};
  for (const auto& [bytes, kind] : kinds)
    if (beginning.starts_with(bytes)) return kind;
  return nullptr;
}

/// The part of a line outside quotes.
std::string unquoted(std::string_view line) {
  std::string text;
  bool inside = false;
  for (const char c : line) {
    if (c == '"') inside = !inside;
    if (!inside) text += c;
  }
  return text;
}

}  // namespace

CsvNumber read_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  CsvNumber number;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  number.too_large = problem == std::errc::result_out_of_range;
  number.readable = problem == std::errc() && stop == text.data() + text.size();
  return number;
}

CsvLines::CsvLines(const std::filesystem::path& file) : file_(file.string()) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) throw Error(fmt::format("'{}' is a folder, not a file.", file_));
  require_no_pipe(file);
  stream_.open(file, std::ios::binary);
  if (!stream_) throw Error(fmt::format("The file '{}' cannot be opened: {}.", file_, std::strerror(errno)));
}

void CsvLines::expect_header() {
  if (!next())
    throw InputError("The file is empty: a header line with the names of the columns is expected.", {file_, 1, 1, ""});
  if (const char* kind = compressed_kind(line_))
    throw InputError(fmt::format("This is {}, not text: decompress it, or export it as CSV.", kind), {file_, 1, 1, ""});
  if (line_.starts_with("\xFF\xFE") || line_.starts_with("\xFE\xFF"))
    throw InputError("The file is written in UTF-16: save it as UTF-8.", {file_, line_number_, 1, ""});
  if (line_.find('\0') != std::string::npos)
    throw InputError("This is a binary file: a table is text with a header line.", {file_, line_number_, 1, ""});
  if (line_.find('\r') != std::string::npos)
    throw InputError("Lines end with carriage returns alone: save the file with Unix or Windows line ends.",
                     {file_, line_number_, 1, ""});
  const std::string outside = unquoted(line_);
  if (outside.find(',') != std::string::npos) return;
  for (const char other : {';', '\t'})
    if (outside.find(other) != std::string::npos) separator_ = other;
}

CsvNumber CsvLines::number(std::string_view text) const {
  if (separator_ == ',' || text.find(',') == std::string_view::npos) return read_number(text);
  std::string with_point(text);
  with_point[with_point.find(',')] = '.';
  return read_number(with_point);
}

std::string CsvLines::advice(std::string_view text) const {
  if (separator_ != ',' || text.find(',') == std::string_view::npos) return {};
  return " Decimals are written with a point where columns are separated by commas.";
}

bool CsvLines::next() {
  for (std::string text; std::getline(stream_, text);) {
    ++number_;
    cut_short_ = stream_.eof();
    if (number_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    if (text.ends_with('\r')) text.pop_back();
    if (trimmed(text).empty() || text.starts_with('#')) continue;
    line_ = std::move(text);
    line_number_ = number_;
    return true;
  }
  if (stream_.bad()) throw Error(fmt::format("The file '{}' cannot be read to its end.", file_));
  return false;
}

Origin CsvLines::place(std::size_t offset) const {
  return place_within({file_, line_number_, 1, line_}, line_, offset);
}

void CsvLines::fail(const std::string& message, std::size_t offset) const { throw InputError(message, place(offset)); }

const std::vector<CsvCell>& CsvLines::cells() {
  cells_.clear();
  const std::string_view line = line_;
  for (std::size_t at = 0; at <= line.size();) {
    std::size_t begin = at;
    while (begin < line.size() && line[begin] == ' ') ++begin;
    if (begin < line.size() && line[begin] == '"') {
      const std::size_t close = line.find('"', begin + 1);
      if (close == std::string_view::npos) fail("This quote is never closed.", begin);
      cells_.push_back({line.substr(begin + 1, close - begin - 1), begin + 1});
      at = std::min(line.find(separator_, close), line.size()) + 1;
      if (!trimmed(line.substr(close + 1, at - close - 2)).empty())
        fail(separator_ == ',' ? "A comma is expected after the quote." : "A separator is expected after the quote.",
             close + 1);
    } else {
      const std::size_t comma = std::min(line.find(separator_, at), line.size());
      const std::string_view text = trimmed(line.substr(at, comma - at));
      cells_.push_back({text, text.empty() ? at : static_cast<std::size_t>(text.data() - line.data())});
      at = comma + 1;
    }
  }
  return cells_;
}

const std::vector<CsvCell>& CsvLines::cells(std::size_t count) {
  cells();
  if (cells_.size() != count) {
    const bool cut_off = cells_.size() < count && stream_.eof();
    const bool comma = cells_.size() > count && separator_ == ',';
    fail(
        fmt::format("This line has {} cells, the header {}.{}", cells_.size(), count,
                    cut_off ? " It is the last line and has no line end: the file was cut off."
                    : comma ? " A number with a decimal comma counts as two: write a point, or separate the columns by "
                              "semicolons."
                            : ""),
        cells_.size() > count ? cells_[count].offset : line_.size());
  }
  return cells_;
}

}  // namespace gfdt::data
