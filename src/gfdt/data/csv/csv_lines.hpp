#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "gfdt/base/error.hpp"

namespace gfdt::data {

/// What stands between two separators, without its quotes and the blanks around it.
struct CsvCell {
  std::string_view text;
  std::size_t offset = 0;  ///< in its line
};

/// A cell read as a number.
struct CsvNumber {
  double value = 0;
  bool readable = false;
  bool too_large = false;  ///< a number, but not one that fits into double precision
};
CsvNumber read_number(std::string_view text);

/// The lines of a table, one after the other; empty lines and comments, which start with #, are passed over. Cells are
/// separated by commas; by semicolons or tabs where the header holds these and no comma, and then decimals may be
/// written with commas.
class CsvLines {
 public:
  /// Throws Error when the file cannot be opened.
  explicit CsvLines(const std::filesystem::path& file);

  /// Steps to the header. Throws InputError when there is none.
  void expect_header();
  /// Steps to the next line; false at the end. Throws Error when the file cannot be read to its end.
  bool next();
  /// Of this line. The texts are good until the next step.
  const std::vector<CsvCell>& cells();
  /// The same; throws InputError unless there are so many.
  const std::vector<CsvCell>& cells(std::size_t count);

  /// A cell of this table as a number.
  CsvNumber number(std::string_view text) const;
  /// What may be wrong with a cell that is no number, as a sentence after a blank; empty where nothing comes to mind.
  std::string advice(std::string_view text) const;

  const std::string& file() const { return file_; }
  /// Whether the latest line has no end, as where a file was cut off inside its last number.
  bool cut_short() const { return cut_short_; }
  int line_number() const { return line_number_; }
  Origin place(std::size_t offset) const;
  [[noreturn]] void fail(const std::string& message, std::size_t offset) const;

 private:
  std::string file_;
  std::ifstream stream_;
  std::string line_;
  int number_ = 0, line_number_ = 1;
  bool cut_short_ = false;
  char separator_ = ',';
  std::vector<CsvCell> cells_;
};

}  // namespace gfdt::data
