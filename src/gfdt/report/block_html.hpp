#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

#include "gfdt/report/page.hpp"

namespace gfdt::report {

/// Writes blocks as HTML, and collects the data of their figures for the script.
class BlockWriter {
 public:
  std::string& text() { return text_; }
  const Json& figures() const { return figures_; }

  void operator()(const Verdict& verdict);
  void operator()(const Paragraph& paragraph);
  void operator()(const Table& table);
  void operator()(const Checks& checks);
  void operator()(const Quotation& quotation);
  void operator()(const Figure& figure);
  void operator()(const Folded& folded);
  void operator()(const SideBySide& columns);

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

 private:
  /// Prose whose long enumerations are shortened; a click shows all of it.
  void add_prose(const std::string& text);
  void add_legend(const Figure& figure);

  std::string text_;
  Json figures_ = Json::array();
};

}  // namespace gfdt::report
