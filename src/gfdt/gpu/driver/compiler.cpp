#include "gfdt/gpu/driver/compiler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include "gfdt/base/code_store.hpp"
#include "gfdt/base/error.hpp"
#include "gfdt/gpu/driver/library.hpp"

namespace gfdt::gpu {
namespace {

/// The functions of NVRTC that are used, declared as in its manual.
struct Nvrtc {
  using Code = int;
  using Program = void*;
  Code (*create)(Program*, const char* source, const char* name, int, const char* const*, const char* const*);
  Code (*compile)(Program, int count, const char* const* options);
  Code (*image_size)(Program, std::size_t*);
  Code (*image)(Program, char*);
  Code (*log_size)(Program, std::size_t*);
  Code (*log)(Program, char*);
  Code (*destroy)(Program*);
  Code (*version)(int* major, int* minor);
  std::shared_ptr<const Library> library;
};

std::vector<std::string> library_names() {
  std::vector<std::string> names;
  if (const char* own = std::getenv("GFDT_NVRTC")) names.emplace_back(own);
  for (const char* folder : {"", "/usr/local/cuda/lib64/", "/usr/local/cuda/targets/x86_64-linux/lib/"})
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
      names.push_back(std::string(folder) + name);
  return names;
}

const Nvrtc* nvrtc() {
  static const std::unique_ptr<const Nvrtc> found = []() -> std::unique_ptr<const Nvrtc> {
    auto result = std::make_unique<Nvrtc>();
    result->library = Library::open(library_names());
    if (!result->library) return nullptr;
    const Library& library = *result->library;
    library.find(result->create, "nvrtcCreateProgram");
    library.find(result->compile, "nvrtcCompileProgram");
    library.find(result->image_size, "nvrtcGetCUBINSize");
    library.find(result->image, "nvrtcGetCUBIN");
    library.find(result->log_size, "nvrtcGetProgramLogSize");
    library.find(result->log, "nvrtcGetProgramLog");
    library.find(result->destroy, "nvrtcDestroyProgram");
    library.find(result->version, "nvrtcVersion");
    return result;
  }();
  return found.get();
}

/// Saves a source that does not compile to a file for inspection.
std::string keep(const std::string& source) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     fmt::format("gfdt-{}-{:016x}.cu", ::getpid(), std::hash<std::string>{}(source));
  std::ofstream(file) << source;
  return file.string();
}

std::vector<std::string> options_for(int capability) {
  return {fmt::format("--gpu-architecture=sm_{}", capability), "--std=c++17", "--extra-device-vectorization"};
}

Image compile_now(const Nvrtc& compiler, const std::string& source, int capability) {
  Nvrtc::Program program = nullptr;
  if (compiler.create(&program, source.c_str(), "gfdt.cu", 0, nullptr, nullptr) != 0)
    throw Error("The compiler for the GPU could not be started.");
  const std::vector<std::string> options = options_for(capability);
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  const bool compiled = compiler.compile(program, static_cast<int>(words.size()), words.data()) == 0;
  std::size_t size = 0;
  Image image;
  std::string log;
  if (compiled) {
    compiler.image_size(program, &size);
    image.resize(size);
    compiler.image(program, image.data());
  } else {
    compiler.log_size(program, &size);
    log.resize(size);
    compiler.log(program, log.data());
  }
  compiler.destroy(&program);
  if (!compiled)
    throw Error(
        fmt::format("Code generated for the GPU does not compile; it is kept in {}. Output of the compiler:\n{}",
                    keep(source), log));
  return image;
}

/// Uses the cache if possible; an unusable cache is ignored.
Image compile_once(const Nvrtc& compiler, const std::string& source, int capability) {
  int major = 0, minor = 0;
  compiler.version(&major, &minor);
  const CompiledText text{
      fmt::format("// NVRTC {}.{} {}\n", major, minor, fmt::join(options_for(capability), " ")) + source, ".cu",
      ".cubin"};
  Image image;
  bool failed = false;
  try {
    const auto compile = [&](const auto&, const std::filesystem::path& code) {
      failed = true;
      image = compile_now(compiler, source, capability);
      failed = false;
      std::ofstream file(code, std::ios::binary);
      file.write(image.data(), static_cast<std::streamsize>(image.size()));
      file.close();
      if (!file) throw Error(fmt::format("The file '{}' cannot be written.", code.string()));  // not cached
    };
    const std::string code = bytes_of(compiled_once(text, compile));
    if (image.empty()) image.assign(code.begin(), code.end());
  } catch (const Error&) {
    if (failed) throw;
  }
  return image.empty() ? compile_now(compiler, source, capability) : image;
}

}  // namespace

std::string compiler_missing() {
  try {
    if (nvrtc()) return {};
  } catch (const Error& error) {
    return error.what();
  }
  return "There is no compiler for GPUs on this machine: NVRTC (libnvrtc.so, of the CUDA toolkit) cannot be opened. "
         "GFDT_NVRTC can name its file.";
}

Image compile(const std::string& source, int capability) {
  static std::mutex mutex;
  static std::map<std::pair<int, std::string>, Image> known;
  if (const std::string missing = compiler_missing(); !missing.empty()) throw Error(missing);
  std::lock_guard lock(mutex);
  Image& image = known[{capability, source}];
  if (image.empty()) image = compile_once(*nvrtc(), source, capability);
  return image;
}

}  // namespace gfdt::gpu
