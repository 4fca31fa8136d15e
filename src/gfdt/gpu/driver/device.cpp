#include "gfdt/gpu/driver/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "gfdt/base/error.hpp"
#include "gfdt/gpu/driver/compiler.hpp"

namespace gfdt::gpu {
namespace {

constexpr std::size_t staging_bytes = std::size_t{1} << 24;
// Values of attributes in the CUDA driver API.
constexpr int multiprocessor_count = 16, capability_major = 75, capability_minor = 76, group_memory = 97;
constexpr int largest_group_memory = 8;  // attribute of a function

struct FoundDevice {
  std::unique_ptr<const Device> device;
  std::string missing;
};

}  // namespace

Memory::Memory(const Device& device, std::size_t bytes) : device_(&device), bytes_(bytes) {
  if (bytes == 0) return;
  const Driver::Code code = device.driver().allocate(&address_, bytes);
  if (code == Driver::out_of_memory)
    throw OutOfMemory(
        fmt::format("The {} has no room for {:.3g} GB.", device.name(), 1e-9 * static_cast<double>(bytes)));
  device.driver().check(code, "taking memory");
}

Memory::~Memory() {
  if (address_ != 0) device_->driver().release(address_);
}

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

struct Kernel::Module {
  Module(const Device& device, const Image& image) : driver(device.driver()) {
    driver.check(driver.load_module(&handle, image.data()), "loading compiled code");
  }
  ~Module() { driver.unload_module(handle); }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const Driver& driver;
  void* handle = nullptr;
};

Kernel::Kernel(const Device& device, const std::string& source, const char* name)
    : module_(std::make_shared<const Module>(device, compile(source, device.capability()))) {
  device.driver().check(device.driver().module_function(&function_, module_->handle, name), "finding a kernel");
}

void Kernel::set_group_memory(std::size_t bytes) {
  const Driver& driver = module_->driver;
  driver.check(driver.function_attribute(function_, largest_group_memory, static_cast<int>(bytes)),
               "taking memory for groups of threads");
  group_bytes_ = static_cast<unsigned>(bytes);
}

void Kernel::launch_with(unsigned blocks, unsigned threads, const void* const* arguments) const {
  const Driver& driver = module_->driver;
  void** const list = const_cast<void**>(arguments);  // the driver only reads them
  driver.check(driver.launch(function_, blocks, 1, 1, threads, 1, 1, group_bytes_, nullptr, list, nullptr),
               "launching a kernel");
}

const Device* Device::find(std::string* missing) {
  static const FoundDevice found = [] {
    FoundDevice result;
    const Driver* const driver = Driver::find(&result.missing);
    if (!driver) return result;
    try {
      result.device.reset(new Device(*driver));
    } catch (const Error& error) {
      result.missing = error.what();
    }
    return result;
  }();
  if (!found.device && missing) *missing = found.missing;
  return found.device.get();
}

Device::Device(const Driver& driver) : driver_(&driver) {
  int device = 0, major = 0, minor = 0;
  driver.check(driver.device(&device, 0), "choosing a GPU");
  char text[128] = {};
  driver.check(driver.device_name(text, sizeof text, device), "asking for its name");
  name_ = text;
  driver.check(driver.device_attribute(&major, capability_major, device), "asking for its capability");
  driver.check(driver.device_attribute(&minor, capability_minor, device), "asking for its capability");
  driver.check(driver.device_attribute(&multiprocessors_, multiprocessor_count, device), "asking for its size");
  driver.check(driver.device_attribute(&group_bytes_, group_memory, device), "asking for its size");
  capability_ = 10 * major + minor;
  driver.check(driver.retain_context(&context_, device), "starting work on it");
  use();
  void* staging = nullptr;
  driver.check(driver.allocate_on_host(&staging, staging_bytes, 0), "taking memory of the host");
  staging_ = static_cast<std::byte*>(staging);
}

void Device::use() const { driver_->check(driver_->make_current(context_), "starting work on it"); }

void Device::synchronize() const { driver_->check(driver_->synchronize(), "running a kernel"); }

std::size_t Device::free_bytes() const {
  std::size_t free = 0, total = 0;
  driver_->check(driver_->memory_info(&free, &total), "asking for free memory");
  return free;
}

void Device::copy_to_device(std::span<const std::byte> from, Address to) const {
  std::lock_guard lock(staging_mutex_);
  for (std::size_t done = 0; done < from.size(); done += staging_bytes) {
    const std::size_t count = std::min(staging_bytes, from.size() - done);
    std::memcpy(staging_, from.data() + done, count);
    driver_->check(driver_->to_device(to + done, staging_, count), "a copy to its memory");
  }
}

void Device::copy_to_host(Address from, std::span<std::byte> to) const {
  std::lock_guard lock(staging_mutex_);
  for (std::size_t done = 0; done < to.size(); done += staging_bytes) {
    const std::size_t count = std::min(staging_bytes, to.size() - done);
    driver_->check(driver_->to_host(staging_, from + done, count), "a copy from its memory");
    std::memcpy(to.data() + done, staging_, count);
  }
}

void Device::clear(const Memory& memory) const {
  if (memory.bytes() > 0) driver_->check(driver_->fill_bytes(memory.address(), 0, memory.bytes()), "clearing memory");
}

}  // namespace gfdt::gpu
