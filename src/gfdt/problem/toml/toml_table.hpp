#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/data/source_text.hpp"

namespace gfdt::problem {

/// A byte of a source text.
struct Place {
  std::shared_ptr<const data::SourceText> source;
  std::size_t offset = 0;

  Origin origin() const { return source->place(offset); }
};

enum class TomlKind { boolean, integer, real, text, array, table, date };

struct TomlEntry;

/// A TOML value that knows where it was written and in which order its entries came. The readers throw InputError,
/// "expected a number, found a string", when it is of another kind; `what` names the value in the message.
struct TomlValue {
  TomlKind kind = TomlKind::table;
  Place place;       ///< first character
  Place text_place;  ///< first character inside the quotes of a text, where that can be told
  std::string text;
  double real = 0;                 ///< of an integer too
  std::int64_t integer = 0;        ///< of a boolean: 0 or 1
  std::vector<TomlValue> items;    ///< of an array
  std::vector<TomlEntry> entries;  ///< of a table, in the order of the file

  double number(const std::string& what) const;
  double finite_number(const std::string& what) const;
  std::int64_t whole_number(const std::string& what, std::int64_t least, std::int64_t most) const;
  bool truth(const std::string& what) const;
  const std::string& words(const std::string& what) const;
  const std::vector<TomlValue>& array_items(const std::string& what) const;
  const std::vector<TomlEntry>& table_entries(const std::string& what) const;

  bool is_number() const { return kind == TomlKind::integer || kind == TomlKind::real; }
  bool is_table() const { return kind == TomlKind::table; }
  /// The entry of that name, or null; also null when this is no table.
  const TomlEntry* find(const std::string& name) const;
  TomlEntry* find(const std::string& name);

  [[noreturn]] void fail(const std::string& message) const { throw InputError(message, place.origin()); }
  [[noreturn]] void fail_kind(const std::string& what, const std::string& expected) const;
};

struct TomlEntry {
  std::string name;
  Place place;  ///< of the key
  TomlValue value;

  [[noreturn]] void fail(const std::string& message) const { throw InputError(message, place.origin()); }
};

/// Throws InputError for the first entry that is not among the known keys, naming the nearest of them. `section` is the
/// table's name in messages, empty for the whole file.
void expect_keys(const TomlValue& table, const std::string& section, std::span<const std::string> known);

/// Reads a TOML document. Throws InputError.
TomlValue parse_toml(std::shared_ptr<const data::SourceText> source);

/// Reads the text after `offset` as one TOML value; a text that is none is taken as a string as it stands.
TomlValue parse_toml_value(std::shared_ptr<const data::SourceText> source, std::size_t offset);

}  // namespace gfdt::problem
