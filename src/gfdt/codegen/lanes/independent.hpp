#pragma once

// Before a loop whose rounds do not meet in memory. clang checks at run time instead: it has no word for this that is
// not also an order to make vectors, which fails under sanitizers.
#ifdef __clang__
#define GFDT_LANES_INDEPENDENT
#else
#define GFDT_LANES_INDEPENDENT _Pragma("GCC ivdep")
#endif
