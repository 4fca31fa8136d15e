// Any bytes must give a problem or an Error with a sentence.
#include <cstdint>
#include <string>

#include "gfdt/base/error.hpp"
#include "gfdt/problem/problem.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    gfdt::problem::parse_problem(std::string(reinterpret_cast<const char*>(data), size), "fuzz.toml", {},
                                 "experiments");
  } catch (const gfdt::Error&) {
  }
  return 0;
}
