# Flags of our own targets: warnings are errors; sanitizers where asked for.
add_library(gfdt_flags INTERFACE)
target_compile_options(gfdt_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror)
if(GFDT_SANITIZE)
  # With instrumented code g++ takes members of the standard library for uninitialized.
  target_compile_options(gfdt_flags INTERFACE -fsanitize=${GFDT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
                         -Wno-maybe-uninitialized)
  target_link_options(gfdt_flags INTERFACE -fsanitize=${GFDT_SANITIZE})
endif()
if(GFDT_FUZZ)
  target_compile_options(gfdt_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  target_link_options(gfdt_flags INTERFACE -fsanitize=address,undefined)
endif()
