#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "gfdt/gpu/driver/library.hpp"

namespace gfdt::gpu {

/// Address of device memory, as the driver represents it.
using Address = unsigned long long;

/// The functions of the CUDA driver that are used, declared as in its manual.
struct Driver {
  using Code = int;  ///< 0: success
  Code (*init)(unsigned);
  Code (*version)(int*);
  Code (*error_text)(Code, const char**);
  Code (*device_count)(int*);
  Code (*device)(int*, int number);
  Code (*device_name)(char*, int size, int device);
  Code (*device_attribute)(int*, int attribute, int device);
  Code (*retain_context)(void**, int device);
  Code (*make_current)(void* context);
  Code (*synchronize)();
  Code (*memory_info)(std::size_t* free, std::size_t* total);
  Code (*allocate)(Address*, std::size_t bytes);
  Code (*release)(Address);
  Code (*to_device)(Address, const void*, std::size_t bytes);
  Code (*to_host)(void*, Address, std::size_t bytes);
  Code (*fill_bytes)(Address, unsigned char, std::size_t bytes);
  Code (*allocate_on_host)(void**, std::size_t bytes, unsigned flags);
  Code (*load_module)(void**, const void* image);
  Code (*unload_module)(void*);
  Code (*module_function)(void**, void* module, const char* name);
  Code (*function_attribute)(void* function, int attribute, int value);
  Code (*launch)(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared_bytes,
                 void* stream, void** arguments, void** extra);

  static constexpr Code out_of_memory = 2;

  /// The driver of this machine, loaded once. Returns null if there is none and sets `missing` to the reason.
  static const Driver* find(std::string* missing = nullptr);

  /// Throws Error with the driver's message if a call has failed.
  void check(Code code, const char* doing) const;

 private:
  std::shared_ptr<const Library> library_;
};

}  // namespace gfdt::gpu
