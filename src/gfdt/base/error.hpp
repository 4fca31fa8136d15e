#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace gfdt {

/// A text without control characters and bytes that are not UTF-8, very long words of which are shortened.
std::string fit_for_a_terminal(std::string_view text);

/// Something the caller or user must change; `what()` is a full sentence. Names and texts of the user's that it quotes
/// are made fit for a terminal: without control characters, and cut in their middle where they are very long.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence);
};

/// Where a piece of text stands: its file (or a description) and the position of its first character, counted from 1.
struct Origin {
  std::string file = "formula";
  int line = 1;
  int column = 1;
  /// The whole source line, shown above the caret; the piece of text itself when empty.
  std::string source_line;
};

/// An error at a place in a text: prints as `file:line:column: message`, the line, and a caret below the culprit.
class InputError : public Error {
 public:
  InputError(const std::string& message, Origin place);

  const std::string& message() const { return message_; }
  const Origin& place() const { return place_; }

 private:
  std::string message_;
  Origin place_;
};

/// The place `offset` bytes into a text that starts at `start`. The column counts characters of UTF-8, not bytes.
Origin place_within(const Origin& start, std::string_view text, std::size_t offset);

}  // namespace gfdt
