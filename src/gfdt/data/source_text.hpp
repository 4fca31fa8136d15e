#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gfdt/base/error.hpp"

namespace gfdt::data {

/// A text with the name of its file and the beginnings of its lines, so that errors can point into it.
class SourceText {
 public:
  /// Throws InputError when the text is not UTF-8.
  SourceText(std::string file, std::string text);

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }

  /// Lines and columns count from 1, columns in characters of UTF-8.
  Origin place(int line, int column) const;
  /// The place of a byte of the text.
  Origin place(std::size_t offset) const;
  /// The byte at a line and column; the end of the line when the column lies past it.
  std::size_t offset(int line, int column) const;

 private:
  std::string_view line(std::size_t number) const;

  std::string file_;
  std::string text_;
  std::vector<std::size_t> line_begins_;
};

/// Whether a pipe may stand for a file. Waiting for its writer ends when the program is asked to stop.
enum class Pipes { accepted, rejected };

/// Reads a whole file of at most `most_bytes`. Throws Error when it is missing, a folder, unreadable or too large.
std::string read_text_file(const std::filesystem::path& file, std::size_t most_bytes, Pipes pipes = Pipes::rejected);

/// Throws Error for a pipe, for readers that open a file more than once.
void require_no_pipe(const std::filesystem::path& file);

}  // namespace gfdt::data
