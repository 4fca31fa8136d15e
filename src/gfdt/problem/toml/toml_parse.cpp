#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "gfdt/problem/toml/toml_library.hpp"
#include "gfdt/problem/toml/toml_table.hpp"

namespace gfdt::problem {
namespace {

using Source = std::shared_ptr<const data::SourceText>;

Place place_of(const Source& source, const toml::source_region& region) {
  return {source, source->offset(static_cast<int>(region.begin.line), static_cast<int>(region.begin.column))};
}

/// The position of the first character inside the quotes of a string; the start of the value if escapes make the text
/// differ from the source.
Place inside_quotes(const Place& value, const std::string& text) {
  const std::string_view written = std::string_view(value.source->text()).substr(value.offset);
  std::size_t begin = written.starts_with("\"\"\"") || written.starts_with("'''") ? 3 : 1;
  if (begin == 3 && written.substr(begin).starts_with("\r\n")) begin += 2;
  if (begin == 3 && written.substr(begin).starts_with('\n')) begin += 1;
  const bool quoted = written.starts_with('"') || written.starts_with('\'');
  return quoted && written.substr(begin).starts_with(text) ? Place{value.source, value.offset + begin} : value;
}

Place key_place(const Source& source, const toml::key& key) {
  Place place = place_of(source, key.source());
  const std::string& text = source->text();
  if (place.offset < text.size() && (text[place.offset] == '"' || text[place.offset] == '\'')) ++place.offset;
  return place;
}

TomlValue convert(const Source& source, const toml::node& node) {
  TomlValue value;
  value.place = value.text_place = place_of(source, node.source());
  if (const auto* table = node.as_table()) {
    value.kind = TomlKind::table;
    for (const auto& [key, child] : *table)
      value.entries.push_back({std::string(key.str()), key_place(source, key), convert(source, child)});
    std::ranges::stable_sort(value.entries, {}, [](const TomlEntry& entry) { return entry.place.offset; });
  } else if (const auto* array = node.as_array()) {
    value.kind = TomlKind::array;
    for (const toml::node& child : *array) value.items.push_back(convert(source, child));
  } else if (const auto* text = node.as_string()) {
    value.kind = TomlKind::text;
    value.text = text->get();
    value.text_place = inside_quotes(value.place, value.text);
  } else if (const auto* integer = node.as_integer()) {
    value.kind = TomlKind::integer;
    value.integer = integer->get();
    value.real = static_cast<double>(value.integer);
  } else if (const auto* real = node.as_floating_point()) {
    value.kind = TomlKind::real;
    value.real = real->get();
  } else if (const auto* truth = node.as_boolean()) {
    value.kind = TomlKind::boolean;
    value.integer = truth->get();
  } else {
    value.kind = TomlKind::date;
  }
  return value;
}

/// toml++ 3.3 builds and destroys a key `a.a.a...` recursively, and a long one overflows the stack.
void refuse_deep_keys(const data::SourceText& source) {
  constexpr int most_parts = 64;
  const auto in_key = [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
           c == '-' || c == '"' || c == '\'';
  };
  int parts = 0;
  bool part = false;
  for (std::size_t i = 0; i < source.text().size(); ++i) {
    const char c = source.text()[i];
    if (c == '.') {
      parts = part ? parts + 1 : 0;
      part = false;
    } else if (in_key(c)) {
      part = true;
    } else if (c != ' ' && c != '\t') {
      parts = 0;
      part = false;
    }
    if (parts > most_parts) throw InputError(fmt::format("A key has more than {} parts.", most_parts), source.place(i));
  }
}

std::string sentence(std::string_view words) {
  std::string text(words);
  if (text.empty() || text.back() != '.') text += '.';
  return text;
}

toml::table parse(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return toml::parse(text);
}

}  // namespace

TomlValue parse_toml(std::shared_ptr<const data::SourceText> source) {
  refuse_deep_keys(*source);
  try {
    const toml::table table = parse(source->text());
    TomlValue document = convert(source, table);
    document.place = document.text_place = {source, 0};
    return document;
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    throw InputError(sentence(error.description()),
                     source->place(source->offset(static_cast<int>(begin.line), static_cast<int>(begin.column))));
  }
}

TomlValue parse_toml_value(std::shared_ptr<const data::SourceText> source, std::size_t offset) {
  // Leading spaces preserve the column numbers; the key "v=" takes the two columns before the value.
  std::string padded(static_cast<std::size_t>(std::max(source->place(offset).column, 3)) - 3, ' ');
  padded += "v=" + source->text().substr(offset);
  const Place place{source, offset};
  const std::string rest = source->text().substr(offset);
  try {
    auto shifted = std::make_shared<data::SourceText>(source->file(), padded);
    refuse_deep_keys(*shifted);
    const toml::table table = parse(padded);
    if (const toml::node* node = table.get("v"); node && table.size() == 1) return convert(source, *node);
  } catch (const toml::parse_error&) {
  } catch (const InputError&) {
  }
  TomlValue value;
  value.place = value.text_place = place;
  double number = 0;
  auto [stop, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  const bool is_number = !rest.empty() && problem == std::errc() && stop == rest.data() + rest.size();
  value.kind = is_number ? TomlKind::real : TomlKind::text;
  value.real = number;
  value.text = rest;
  return value;
}

}  // namespace gfdt::problem
