#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>

#include "gfdt/base/error.hpp"
#include "gfdt/gpu/driver/driver.hpp"

namespace gfdt::gpu {

class Device;

/// Device memory, released on destruction. Throws OutOfMemory if the device has not enough.
class Memory {
 public:
  Memory() = default;
  Memory(const Device& device, std::size_t bytes);
  ~Memory();
  Memory(Memory&& other) noexcept { *this = std::move(other); }
  Memory& operator=(Memory&& other) noexcept;

  Address address() const { return address_; }
  std::size_t bytes() const { return bytes_; }

 private:
  const Device* device_ = nullptr;
  Address address_ = 0;
  std::size_t bytes_ = 0;
};

/// A function of compiled device code; shares ownership of the code.
class Kernel {
 public:
  Kernel() = default;
  Kernel(const Device& device, const std::string& source, const char* name);

  /// Sets the bytes of shared memory per thread group for subsequent launches.
  void set_group_memory(std::size_t bytes);

  /// Launches the kernel once. Arguments are passed by value, as the kernel declares them. An argument whose size is
  /// known only at run time is passed as its bytes.
  template <class... Arguments>
  void launch(unsigned blocks, unsigned threads, const Arguments&... arguments) const {
    static_assert((std::is_trivially_copyable_v<Arguments> && ...));
    const void* const list[] = {bytes_of(arguments)...};
    launch_with(blocks, threads, list);
  }

  /// Launches one thread per item of work, in groups of 128.
  template <class... Arguments>
  void launch_for(std::size_t work, const Arguments&... arguments) const {
    constexpr unsigned group = 128;
    if (work > 0) launch(static_cast<unsigned>((work + group - 1) / group), group, arguments...);
  }

 private:
  struct Module;
  template <class Argument>
  static const void* bytes_of(const Argument& argument) {
    return &argument;
  }
  static const void* bytes_of(const std::span<const std::byte>& bytes) { return bytes.data(); }
  void launch_with(unsigned blocks, unsigned threads, const void* const* arguments) const;
  std::shared_ptr<const Module> module_;
  void* function_ = nullptr;
  unsigned group_bytes_ = 0;
};

/// A GPU. Operations are executed in the order of the calls; copies to the host wait for their completion.
class Device {
 public:
  /// The first GPU that the driver provides. Returns null if there is none and sets `missing` to the reason.
  static const Device* find(std::string* missing = nullptr);

  const std::string& name() const { return name_; }
  int capability() const { return capability_; }  ///< compute capability, 90 for 9.0
  int multiprocessors() const { return multiprocessors_; }
  std::size_t group_bytes() const {
    return static_cast<std::size_t>(group_bytes_);
  }  ///< shared memory per thread group
  std::size_t free_bytes() const;
  const Driver& driver() const { return *driver_; }

  /// Makes this the current device of the calling thread.
  void use() const;
  void synchronize() const;

  template <class T>
  void upload(std::span<const T> from, Address to) const {
    copy_to_device(std::as_bytes(from), to);
  }
  template <class T>
  void download(Address from, std::span<T> to) const {
    copy_to_host(from, std::as_writable_bytes(to));
  }
  void clear(const Memory& memory) const;

 private:
  explicit Device(const Driver& driver);
  void copy_to_device(std::span<const std::byte> from, Address to) const;
  void copy_to_host(Address from, std::span<std::byte> to) const;
  const Driver* driver_;
  void* context_ = nullptr;
  std::byte* staging_ = nullptr;  ///< page-locked host memory, for copies at full speed
  mutable std::mutex staging_mutex_;
  std::string name_;
  int capability_ = 0, multiprocessors_ = 0, group_bytes_ = 0;
};

/// Thrown if a device has not enough memory.
class OutOfMemory : public Error {
 public:
  using Error::Error;
};

}  // namespace gfdt::gpu
