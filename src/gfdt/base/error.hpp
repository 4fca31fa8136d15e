#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace gfdt {

/// Makes text safe to print: replaces control characters and invalid UTF-8 by '?' and shortens very long words.
std::string fit_for_a_terminal(std::string_view text);

/// An error that the caller or user can correct. `what()` is a full sentence, safe to print (see `fit_for_a_terminal`).
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence);
};

/// Position of a piece of text in its file (or in another source, named by `file`). Line and column are counted from 1.
struct Origin {
  std::string file = "formula";
  int line = 1;
  int column = 1;
  /// The whole source line, printed above the caret. If empty, the text itself is printed.
  std::string source_line;
};

/// An error at a position in a text. Prints `file:line:column: message`, the source line, and a caret below the error.
class InputError : public Error {
 public:
  InputError(const std::string& message, Origin place);

  const std::string& message() const { return message_; }
  const Origin& place() const { return place_; }

 private:
  std::string message_;
  Origin place_;
};

/// Position of the character `offset` bytes into a text that starts at `start`. Columns count UTF-8 characters, not
/// bytes.
Origin place_within(const Origin& start, std::string_view text, std::size_t offset);

}  // namespace gfdt
