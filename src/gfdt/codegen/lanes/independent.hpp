#pragma once

// Put before a loop whose iterations do not share memory. Empty for clang, which checks at run time: its corresponding
// pragma also forces vectorization, which fails under sanitizers.
#ifdef __clang__
#define GFDT_LANES_INDEPENDENT
#else
#define GFDT_LANES_INDEPENDENT _Pragma("GCC ivdep")
#endif
