// An emulation of the CUDA driver on the host, which the tests load as libcuda. Device memory is host memory, with a
// size given by GFDT_EMULATED_BYTES. Kernels run one thread after another, or as fibers if they contain barriers.
// GFDT_EMULATED_DEVICES=0 hides the device, and GFDT_EMULATED_VERSION sets the version of the driver.
#include <dlfcn.h>
#include <elf.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fibers.hpp"

namespace {

struct ThreadNumber {
  unsigned x, y, z;
};

struct Function {
  void (*call)(void** arguments);
  ThreadNumber* (*numbers)(int which);
  bool together;  ///< whether the code contains barriers
};

struct Code {
  void* library;
  std::vector<std::unique_ptr<Function>> functions;
};

void wait_for_group() { emulator::Fibers::all().wait(emulator::Waiting::for_group); }
void wait_for_warp() { emulator::Fibers::all().wait(emulator::Waiting::for_warp); }

std::map<unsigned long long, std::size_t> memory;
std::size_t used = 0;

std::size_t number(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::size_t capacity() { return number("GFDT_EMULATED_BYTES", std::size_t{1} << 30); }

}  // namespace

extern "C" {

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int* version) { return *version = static_cast<int>(number("GFDT_EMULATED_VERSION", 13000)), 0; }
int cuGetErrorString(int code, const char** text) {
  return *text = code == 2 ? "out of memory" : "emulated failure", 0;
}
int cuDeviceGetCount(int* count) { return *count = static_cast<int>(number("GFDT_EMULATED_DEVICES", 1)), 0; }
int cuDeviceGet(int* device, int) { return *device = 0; }
int cuDeviceGetName(char* name, int size, int) {
  return std::strncpy(name, "emulated GPU", static_cast<std::size_t>(size)), 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  return *value = attribute == 75 ? 9 : attribute == 16 ? 2 : attribute == 97 ? 232448 : 0, 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) { return *context = &memory, 0; }
int cuCtxSetCurrent(void*) { return 0; }
int cuCtxSynchronize() { return 0; }
int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) { return *total = capacity(), *free = *total - used, 0; }

int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  if (used + bytes > capacity()) return 2;
  void* const place = std::malloc(bytes);
  std::memset(place, 0xff, bytes);
  *address = reinterpret_cast<unsigned long long>(place);
  memory[*address] = bytes;
  used += bytes;
  return 0;
}
int cuMemFree_v2(unsigned long long address) {
  used -= memory[address];
  memory.erase(address);
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void* from, std::size_t bytes) {
  return std::memcpy(reinterpret_cast<void*>(to), from, bytes), 0;
}
int cuMemcpyDtoH_v2(void* to, unsigned long long from, std::size_t bytes) {
  return std::memcpy(to, reinterpret_cast<void*>(from), bytes), 0;
}
int cuMemsetD8_v2(unsigned long long to, unsigned char value, std::size_t bytes) {
  return std::memset(reinterpret_cast<void*>(to), value, bytes), 0;
}
int cuMemHostAlloc(void** place, std::size_t bytes, unsigned) {
  static std::vector<std::unique_ptr<char[]>> all;  // kept until the process ends
  all.push_back(std::make_unique<char[]>(bytes));
  return *place = all.back().get(), 0;
}
int cuModuleLoadData(void** module, const void* image) {
  const auto& header = *static_cast<const Elf64_Ehdr*>(image);
  std::string file = (std::filesystem::temp_directory_path() / "gfdt-image-XXXXXX").string();
  const int descriptor = ::mkstemp(file.data());
  const std::size_t size = header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
  if (descriptor < 0 || ::write(descriptor, image, size) != static_cast<long>(size)) return 200;
  ::close(descriptor);
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  ::unlink(file.c_str());
  if (!library) return 200;
  *module = new Code{library, {}};
  return 0;
}
int cuModuleUnload(void* module) {
  ::dlclose(static_cast<Code*>(module)->library);
  return delete static_cast<Code*>(module), 0;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  void* const library = static_cast<Code*>(module)->library;
  void* const call = ::dlsym(library, (std::string(name) + "__call").c_str());
  void* const numbers = ::dlsym(library, "gfdt_numbers");
  if (!call || !numbers) return 500;
  const auto wait = reinterpret_cast<bool (*)(void (*)(), void (*)())>(::dlsym(library, "gfdt_wait_with"));
  const bool together = wait && wait(wait_for_group, wait_for_warp);
  auto& functions = static_cast<Code*>(module)->functions;
  functions.push_back(std::unique_ptr<Function>(new Function{
      reinterpret_cast<void (*)(void**)>(call), reinterpret_cast<ThreadNumber* (*)(int)>(numbers), together}));
  *function = functions.back().get();
  return 0;
}
int cuFuncSetAttribute(void*, int, int) { return 0; }
int cuLaunchKernel(void* handle, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned,
                   void*, void** arguments, void**) {
  const Function& function = *static_cast<Function*>(handle);
  *function.numbers(2) = {threads, 1, 1};
  *function.numbers(3) = {blocks, 1, 1};
  for (unsigned block = 0; block < blocks; ++block) {
    *function.numbers(1) = {block, 0, 0};
    const auto enter = [&](unsigned thread) { *function.numbers(0) = {thread, 0, 0}; };
    if (function.together) {
      emulator::Fibers::all().run(
          threads, [&](unsigned) { function.call(arguments); }, enter);
      continue;
    }
    for (unsigned thread = 0; thread < threads; ++thread) {
      enter(thread);
      function.call(arguments);
    }
  }
  return 0;
}
}
