#pragma once

#include <string>

namespace gfdt {

/// Number of bytes that this process can still allocate: available memory of the machine, subject to the limits of the
/// control group and of the address space. Infinite if the system does not provide the information.
double available_memory();

/// Formats a number of bytes with a decimal unit, for example "1.5 GB".
std::string bytes_text(double bytes);

}  // namespace gfdt
