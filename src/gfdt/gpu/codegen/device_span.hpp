#pragma once

// Shared by host and device code.
namespace gfdt_device {

/// Members and steps of a kernel launch.
struct DeviceSpan {
  unsigned long long seed;
  unsigned long long step;     ///< index of the first step
  unsigned long long end;      ///< index after the last step
  unsigned long long burn_in;  ///< steps of the burn-in
  unsigned long long total;    ///< steps of the run
  unsigned long long stride;   ///< distance in numbers between the records of neighbouring blocks
  double dt;
  unsigned cadence;
  unsigned blocks;
  unsigned recorded;  ///< 0: samples are not needed
};

}  // namespace gfdt_device
