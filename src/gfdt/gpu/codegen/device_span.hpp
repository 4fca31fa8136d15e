#pragma once

// For the host and for device code.
namespace gfdt_device {

/// Which members of a run a launch advances, and how far.
struct DeviceSpan {
  unsigned long long seed;
  unsigned long long step;     ///< number of the first step
  unsigned long long end;      ///< of the steps
  unsigned long long burn_in;  ///< steps
  unsigned long long total;    ///< steps of the run
  unsigned long long stride;   ///< numbers between the records of neighbouring blocks
  double dt;
  unsigned cadence;
  unsigned blocks;
  unsigned recorded;  ///< 0: nobody looks at samples
};

}  // namespace gfdt_device
