#pragma once

#include <string>

namespace gfdt {

/// Bytes that this process can still take: free memory of the machine, within the limits of its control group and of
/// its address space. Infinite if the system does not tell.
double available_memory();

/// "1.5 GB"
std::string bytes_text(double bytes);

}  // namespace gfdt
