#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gfdt/base/error.hpp"

namespace gfdt::data {

/// A text with its file name and line offsets, for error messages with positions.
class SourceText {
 public:
  /// Throws InputError if the text is not valid UTF-8.
  SourceText(std::string file, std::string text);

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }

  /// Position of a line and column, counted from 1; columns count UTF-8 characters.
  Origin place(int line, int column) const;
  /// Position of a byte of the text.
  Origin place(std::size_t offset) const;
  /// Byte offset of a line and column; the end of the line if the column lies beyond it.
  std::size_t offset(int line, int column) const;

 private:
  std::string_view line(std::size_t number) const;

  std::string file_;
  std::string text_;
  std::vector<std::size_t> line_begins_;
};

/// Whether pipes are accepted as files. Waiting for the writer of a pipe ends on a request to stop.
enum class Pipes { accepted, rejected };

/// Reads a whole file of at most `most_bytes`. Throws Error if it is missing, a folder, unreadable or too large.
std::string read_text_file(const std::filesystem::path& file, std::size_t most_bytes, Pipes pipes = Pipes::rejected);

/// Throws Error for a pipe. For readers that open a file more than once.
void require_no_pipe(const std::filesystem::path& file);

}  // namespace gfdt::data
