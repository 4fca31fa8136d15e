#include "gfdt/gpu/driver/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "gfdt/base/error.hpp"

namespace gfdt::gpu {

std::shared_ptr<const Library> Library::open(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (void* const handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
      return std::shared_ptr<const Library>(new Library(handle, name));
  return nullptr;
}

Library::~Library() { ::dlclose(handle_); }

void* Library::function(const char* name) const {
  void* const found = ::dlsym(handle_, name);
  if (!found) throw Error(fmt::format("The library {} is too old: it has no function {}.", name_, name));
  return found;
}

}  // namespace gfdt::gpu
