#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "gfdt/base/error.hpp"

namespace gfdt::data {

/// Text between two separators, without quotes and surrounding blanks.
struct CsvCell {
  std::string_view text;
  std::size_t offset = 0;  ///< offset in the line, in bytes
};

/// A cell converted to a number.
struct CsvNumber {
  double value = 0;
  bool readable = false;
  bool too_large = false;  ///< a number that exceeds double precision
};
/// Converts a text with a decimal point to a number.
CsvNumber read_number(std::string_view text);

/// Reads a table line by line and skips empty lines and comments, which start with #. Cells are separated by commas. If
/// the header contains semicolons or tabs but no comma, these are the separators, and decimal commas are allowed.
class CsvLines {
 public:
  /// Throws Error if the file cannot be opened.
  explicit CsvLines(const std::filesystem::path& file);

  /// Advances to the header. Throws InputError if the file is empty, compressed, binary or UTF-16.
  void expect_header();
  /// Advances to the next line; returns false at the end. Throws Error if the file cannot be read to its end.
  bool next();
  /// Cells of the current line. The texts are valid until the next call of `next`.
  const std::vector<CsvCell>& cells();
  /// The same; throws InputError unless the line has `count` cells.
  const std::vector<CsvCell>& cells(std::size_t count);

  /// Converts a cell of this table to a number.
  CsvNumber number(std::string_view text) const;
  /// Probable cause, as a sentence preceded by a blank, why a cell is not a number; may be empty.
  std::string advice(std::string_view text) const;

  const std::string& file() const { return file_; }
  /// Whether the latest line has no line end, which suggests that the file was truncated.
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
