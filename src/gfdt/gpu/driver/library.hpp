#pragma once

#include <memory>
#include <string>
#include <vector>

namespace gfdt::gpu {

/// A shared library that is opened when it is wanted: a machine without it runs the same program.
class Library {
 public:
  /// Opens the first of these names that can be opened; null when there is none.
  static std::shared_ptr<const Library> open(const std::vector<std::string>& names);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Throws Error where the library has no such function.
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
