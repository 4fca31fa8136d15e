#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gfdt/data/source_text.hpp"

namespace gfdt::problem {

/// A byte position in a source text.
struct Place {
  std::shared_ptr<const data::SourceText> source;
  std::size_t offset = 0;

  Origin origin() const { return source->place(offset); }
};

enum class TomlKind { boolean, integer, real, text, array, table, date };

struct TomlEntry;

/// A TOML value with its source position; entries of a table keep the order of the file. The accessors throw InputError
/// if the value is of another kind ("expected a number, found a string"); `what` names the value in the message.
struct TomlValue {
  TomlKind kind = TomlKind::table;
  Place place;       ///< first character
  Place text_place;  ///< first character inside the quotes of a text, if it can be determined
  std::string text;
  double real = 0;                 ///< of a real or an integer
  std::int64_t integer = 0;        ///< of an integer; 0 or 1 for a boolean
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
  /// The entry with that name, or null; also null if this is not a table.
  const TomlEntry* find(const std::string& name) const;
  TomlEntry* find(const std::string& name);

  [[noreturn]] void fail(const std::string& message) const { throw InputError(message, place.origin()); }
  [[noreturn]] void fail_kind(const std::string& what, const std::string& expected) const;
};

struct TomlEntry {
  std::string name;
  Place place;  ///< position of the key
  TomlValue value;

  [[noreturn]] void fail(const std::string& message) const { throw InputError(message, place.origin()); }
};

/// Throws InputError for the first entry that is not one of the known keys, and suggests the nearest of them. `section`
/// is the name of the table in messages, empty for the whole file.
void expect_keys(const TomlValue& table, const std::string& section, std::span<const std::string> known);

/// Reads a TOML document. Throws InputError.
TomlValue parse_toml(std::shared_ptr<const data::SourceText> source);

/// Reads the text after `offset` as one TOML value; a text that is not a valid value is taken as a string verbatim.
TomlValue parse_toml_value(std::shared_ptr<const data::SourceText> source, std::size_t offset);

}  // namespace gfdt::problem
