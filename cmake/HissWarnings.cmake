# HissWarnings.cmake - the warnings that the tree is silent under.

# hiss_set_warnings(target): for an INTERFACE library that others link.
function(hiss_set_warnings target)
  target_compile_options(${target} INTERFACE
    -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wpointer-arith
    -Wcast-qual -Wwrite-strings -Wmissing-prototypes -Wstrict-prototypes
    -Wvla -Wformat=2)
  # clang counts every NAN and INFINITY that becomes a double.
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} INTERFACE -Wdouble-promotion)
  endif()
  if(HISS_WERROR)
    target_compile_options(${target} INTERFACE -Werror)
  endif()
endfunction()
