#pragma once

#include <span>

#include "gfdt/gpu/codegen/device_source.hpp"
#include "gfdt/gpu/driver/device.hpp"
#include "gfdt/simulate/options.hpp"
#include "gfdt/symbolic/model/model.hpp"

namespace gfdt::simulate {

/// Whether a device can take the steps of a model. Models with more states or longer formulas run on the host.
bool fits_device(const symbolic::Model& model, const Options& options, const gpu::Device& device);

/// Kernel for the steps of a model, in the form that suits its size (gpu/codegen/device_form.hpp).
class DeviceStep {
 public:
  DeviceStep(const symbolic::Model& model, const codegen::Routine& routine, const Options& options,
             const gpu::Device& device);

  /// The arguments are those of gfdt_advance (gpu/codegen/device_source.hpp); `threads` is the number of lanes of all
  /// blocks.
  template <class... Arguments>
  void launch(std::size_t threads, const Arguments&... arguments) const {
    const Groups groups = groups_for(static_cast<unsigned>(threads));
    kernel_.launch(groups.count, groups.threads, arguments...);
  }

 private:
  struct Groups {
    unsigned count, threads;
  };
  Groups groups_for(unsigned threads) const;

  const gpu::Device& device_;
  gpu::Kernel kernel_;
  unsigned group_members_ = 0, group_threads_ = 0;  ///< 0: one thread per member, in groups of a suitable size
};

}  // namespace gfdt::simulate
