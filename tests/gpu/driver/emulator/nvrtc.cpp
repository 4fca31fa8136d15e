// An emulation of NVRTC that compiles device code for the host. Its image is a shared library in which every kernel K
// has a caller K__call(void** arguments). GFDT_EMULATED_CXX names a compiler other than c++, and GFDT_EMULATED_SOURCES
// a folder in which the sources are kept.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>
#include <string>

namespace {

struct Program {
  std::string source, log, image;
};

std::string file_text(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Device code without the hardware functions, which the shim defines.
std::string without_assembly(const std::string& source) {
  const std::size_t end = source.find("typedef ");
  return end == std::string::npos ? source : source.substr(end);
}

std::string callers(const std::string& source) {
  static const std::regex kernel(R"(__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\()");
  std::string text;
  for (std::sregex_iterator found(source.begin(), source.end(), kernel), end; found != end; ++found) {
    const std::string name = (*found)[1];
    text += "extern \"C\" void " + name + "__call(void** arguments) { call_with(&gfdt_device::" + name +
            ", arguments); }\n";
  }
  return text;
}

}  // namespace

extern "C" {

int nvrtcCreateProgram(void** program, const char* source, const char*, int, const char* const*, const char* const*) {
  *program = new Program{source, {}, {}};
  return 0;
}

int nvrtcCompileProgram(void* handle, int, const char* const*) {
  Program& program = *static_cast<Program*>(handle);
  std::string folder = (std::filesystem::temp_directory_path() / "gfdt-device-XXXXXX").string();
  if (!mkdtemp(folder.data())) return 1;
  const std::string base = folder + "/code";
  if (const char* kept = std::getenv("GFDT_EMULATED_SOURCES"))
    std::ofstream(std::filesystem::path(kept) / (std::to_string(std::hash<std::string>{}(program.source)) + ".cu"))
        << program.source;
  const std::string body = without_assembly(program.source);
  std::ofstream(base + ".cpp") << "#include <type_traits>\n#include <utility>\n"
                               << file_text(GFDT_SHIM)
                               << "thread_local ThreadNumber threadIdx, blockIdx, blockDim, gridDim;\n"
                               << "extern \"C\" ThreadNumber* gfdt_numbers(int which) {\n"
                               << "  ThreadNumber* const all[] = {&threadIdx, &blockIdx, &blockDim, &gridDim};\n"
                               << "  return all[which];\n}\n"
                               << "extern \"C\" bool gfdt_wait_with(void (*group)(), void (*warp)()) {\n"
                               << "  wait_for_group = group, wait_for_warp = warp;\n  return "
                               << (body.find("__syncthreads") != std::string::npos ? "true" : "false") << ";\n}\n"
                               << body << callers(body);
  const char* const chosen = std::getenv("GFDT_EMULATED_CXX");
  const std::string command = std::string(chosen ? chosen : "c++") + " -std=c++20 -O1 -shared -fPIC -w -o " + base +
                              ".so " + base + ".cpp 2> " + base + ".log";
  const bool compiled = std::system(command.c_str()) == 0;
  program.log = file_text(base + ".log");
  program.image = file_text(base + ".so");
  std::filesystem::remove_all(folder);
  return compiled ? 0 : 6;
}

/// The version depends on the shim, so that a change of the shim invalidates cached code.
int nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = static_cast<int>(std::hash<std::string>{}(file_text(GFDT_SHIM)) % 1000000);
  return 0;
}
int nvrtcGetCUBINSize(void* program, std::size_t* size) {
  *size = static_cast<Program*>(program)->image.size();
  return 0;
}
int nvrtcGetCUBIN(void* program, char* image) {
  const std::string& code = static_cast<Program*>(program)->image;
  return code.copy(image, code.size()), 0;
}
int nvrtcGetProgramLogSize(void* program, std::size_t* size) {
  *size = static_cast<Program*>(program)->log.size() + 1;
  return 0;
}
int nvrtcGetProgramLog(void* program, char* log) {
  std::snprintf(log, static_cast<Program*>(program)->log.size() + 1, "%s", static_cast<Program*>(program)->log.c_str());
  return 0;
}
int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  *program = nullptr;
  return 0;
}
}
