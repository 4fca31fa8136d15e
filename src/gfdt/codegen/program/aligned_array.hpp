#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace gfdt::codegen {

/// An array aligned to 64 bytes, initialized to zero.
template <class T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size)
      : data_(new (std::align_val_t{alignment}) T[size == 0 ? 1 : size]()), size_(size) {}
  AlignedArray(const AlignedArray& other) : AlignedArray(other.size_) {
    std::copy_n(other.data(), other.size_, data());
  }
  AlignedArray& operator=(const AlignedArray& other) { return *this = AlignedArray(other); }
  AlignedArray(AlignedArray&&) noexcept = default;
  AlignedArray& operator=(AlignedArray&&) noexcept = default;

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::span<T> span() { return {data(), size_}; }

 private:
  static constexpr std::size_t alignment = 64;
  struct Delete {
    void operator()(T* pointer) const { ::operator delete[](pointer, std::align_val_t{alignment}); }
  };
  std::unique_ptr<T[], Delete> data_;
  std::size_t size_ = 0;
};

}  // namespace gfdt::codegen
