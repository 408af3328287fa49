# HissFlags.cmake - how every C file of the tree is compiled.
#
# hiss_flags      what all targets share: language, arithmetic, warnings.
#
# The arithmetic flags keep the draws the same under every instruction set:
# contraction to fused multiply-add is off and -ffast-math is never used,
# because NaN and -infinity are values here.
include(HissHarden)
include(HissWarnings)

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)

# Objects that a shared library can be made of; WebAssembly has none.
set(HISS_PIC ON)
if(EMSCRIPTEN)
  set(HISS_PIC OFF)
endif()

add_library(hiss_flags INTERFACE)
target_compile_definitions(hiss_flags INTERFACE _GNU_SOURCE)
target_compile_options(hiss_flags INTERFACE -ffp-contract=off -fno-math-errno)
target_link_libraries(hiss_flags INTERFACE hiss_harden)
hiss_set_warnings(hiss_flags)

# Sanitizers belong to the whole tree, since objects with and without them do
# not mix.
if(HISS_SANITIZE)
  add_compile_options(-fsanitize=${HISS_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HISS_SANITIZE})
endif()
