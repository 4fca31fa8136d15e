#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gfdt/base/error.hpp"

namespace gfdt {

/// Serializes numbers and texts for transfer between processes. The byte order is that of the machine.
class Packer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(std::span<const T> values) {
    put(std::uint64_t{values.size()});
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const std::vector<T>& values) { put(std::span<const T>(values)); }
  void put(const std::vector<bool>& values) { put(std::vector<char>(values.begin(), values.end())); }
  void put(std::string_view text) { put(std::span<const char>(text.data(), text.size())); }
  void put(const std::string& text) { put(std::string_view(text)); }
  /// Nested vectors.
  template <class T>
  requires(!std::is_trivially_copyable_v<T>) void put(const std::vector<T>& values) {
    put(std::uint64_t{values.size()});
    for (const T& value : values) put(value);
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads values in the order in which they were packed. Throws Error if the bytes do not match.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get(T& value) { std::memcpy(&value, next(sizeof value), sizeof value); }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get(std::vector<T>& values) {
    const std::size_t count = length(sizeof(T));
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), next(count * sizeof(T)), count * sizeof(T));
  }
  /// The number of packed values must equal `values.size()`.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get(std::span<T> values) {
    if (length(sizeof(T)) != values.size()) fail();
    if (!values.empty()) std::memcpy(values.data(), next(values.size_bytes()), values.size_bytes());
  }
  void get(std::vector<bool>& values) {
    std::vector<char> flags;
    get(flags);
    values.assign(flags.begin(), flags.end());
  }
  void get(std::string& text) {
    const std::size_t count = length(1);
    text.assign(next(count), count);
  }
  template <class T>
  requires(!std::is_trivially_copyable_v<T>) void get(std::vector<T>& values) {
    values.resize(length(1));
    for (T& value : values) get(value);
  }
  template <class T>
  T get() {
    T value{};
    get(value);
    return value;
  }

  bool empty() const { return rest_.empty(); }

 private:
  [[noreturn]] static void fail() { throw Error("What came from another rank is not what was expected."); }
  const char* next(std::size_t count) {
    if (count > rest_.size()) fail();
    const char* const here = rest_.data();
    rest_.remove_prefix(count);
    return here;
  }
  /// Reads a number of elements; fails if the remaining bytes cannot hold as many of this size.
  std::size_t length(std::size_t size) {
    const auto count = get<std::uint64_t>();
    if (count > rest_.size() / size) fail();
    return count;
  }

  std::string_view rest_;
};

}  // namespace gfdt
