#include "gfdt/gpu/driver/driver.hpp"

#include <fmt/format.h>

#include "gfdt/base/error.hpp"

namespace gfdt::gpu {
namespace {

struct Found {
  std::unique_ptr<Driver> driver;
  std::string missing;
};

/// Older drivers do not support the instructions that the compiler generates.
constexpr int oldest_version = 12000;

}  // namespace

const Driver* Driver::find(std::string* missing) {
  static const Found found = [] {
    Found result;
    auto driver = std::make_unique<Driver>();
    driver->library_ = Library::open({"libcuda.so.1", "libcuda.so"});
    if (!driver->library_) {
      result.missing = "There is no NVIDIA driver on this machine (libcuda.so.1 cannot be opened).";
      return result;
    }
    const Library& library = *driver->library_;
    try {
      library.find(driver->init, "cuInit");
      library.find(driver->version, "cuDriverGetVersion");
      library.find(driver->error_text, "cuGetErrorString");
      library.find(driver->device_count, "cuDeviceGetCount");
      library.find(driver->device, "cuDeviceGet");
      library.find(driver->device_name, "cuDeviceGetName");
      library.find(driver->device_attribute, "cuDeviceGetAttribute");
      library.find(driver->retain_context, "cuDevicePrimaryCtxRetain");
      library.find(driver->make_current, "cuCtxSetCurrent");
      library.find(driver->synchronize, "cuCtxSynchronize");
      library.find(driver->memory_info, "cuMemGetInfo_v2");
      library.find(driver->allocate, "cuMemAlloc_v2");
      library.find(driver->release, "cuMemFree_v2");
      library.find(driver->to_device, "cuMemcpyHtoD_v2");
      library.find(driver->to_host, "cuMemcpyDtoH_v2");
      library.find(driver->fill_bytes, "cuMemsetD8_v2");
      library.find(driver->allocate_on_host, "cuMemHostAlloc");
      library.find(driver->load_module, "cuModuleLoadData");
      library.find(driver->unload_module, "cuModuleUnload");
      library.find(driver->module_function, "cuModuleGetFunction");
      library.find(driver->function_attribute, "cuFuncSetAttribute");
      library.find(driver->launch, "cuLaunchKernel");
      int known = 0, devices = 0;
      driver->check(driver->version(&known), "asking the NVIDIA driver for its version");
      if (known < oldest_version) {
        result.missing =
            fmt::format("The NVIDIA driver knows CUDA {}.{} only; CUDA {}.{} or newer is needed.", known / 1000,
                        known % 1000 / 10, oldest_version / 1000, oldest_version % 1000 / 10);
        return result;
      }
      driver->check(driver->init(0), "starting the NVIDIA driver");
      driver->check(driver->device_count(&devices), "counting GPUs");
      if (devices == 0) {
        result.missing = "The NVIDIA driver sees no GPU (CUDA_VISIBLE_DEVICES may hide it).";
        return result;
      }
    } catch (const Error& error) {
      result.missing = error.what();
      return result;
    }
    result.driver = std::move(driver);
    return result;
  }();
  if (!found.driver && missing) *missing = found.missing;
  return found.driver.get();
}

void Driver::check(Code code, const char* doing) const {
  if (code == 0) return;
  const char* text = nullptr;
  if (error_text(code, &text) != 0 || !text) text = "no further word";
  throw Error(fmt::format("The GPU failed at {}: {} (CUDA error {}).", doing, text, code));
}

}  // namespace gfdt::gpu
