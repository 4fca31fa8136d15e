#pragma once

#include <memory>
#include <string>
#include <vector>

namespace gfdt::gpu {

/// A shared library that is loaded at run time, so that the program also runs on machines without it.
class Library {
 public:
  /// Loads the first of these libraries that can be loaded; null if there is none.
  static std::shared_ptr<const Library> open(const std::vector<std::string>& names);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Address of a function. Throws Error if the library does not contain it.
  void* function(const char* name) const;
  template <class Function>
  void find(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(this->function(name));
  }

 private:
  Library(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  void* handle_;
  std::string name_;
};

}  // namespace gfdt::gpu
