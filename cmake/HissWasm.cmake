# HissWasm.cmake - the command for browsers, compiled by Emscripten.
#
# Takes the place of HissDependencies: jansson and zlib are compiled from the
# sources of Debian's packages, which `tools/bootstrap wasm` puts into
# build/wasm-sources; Random123 is headers, those of librandom123-dev.
#
# hiss_deps            links every dependency of the library.
# hiss_wasm_program(target)  how the command is linked.
set(sources "${PROJECT_SOURCE_DIR}/build/wasm-sources")
foreach(file IN ITEMS jansson/src/jansson.h zlib/zlib.h)
  if(NOT EXISTS "${sources}/${file}")
    message(FATAL_ERROR "${sources}/${file} is not there: "
                        "run tools/bootstrap wasm")
  endif()
endforeach()
find_path(RANDOM123_HOST Random123/philox.h NO_CMAKE_FIND_ROOT_PATH
          PATHS /usr/include)
if(NOT RANDOM123_HOST)
  message(FATAL_ERROR "there is no Random123: run tools/bootstrap wasm")
endif()
# A folder with nothing else: /usr/include itself is another platform's.
set(random123 "${PROJECT_BINARY_DIR}/random123")
file(COPY "${RANDOM123_HOST}/Random123" DESTINATION "${random123}")

set(json_inline inline)
set(json_have_long_long 1)
set(json_have_localeconv 0)
set(json_have_atomic_builtins 1)
set(json_have_sync_builtins 1)
set(JANSSON_INCLUDE_DIR "${PROJECT_BINARY_DIR}/jansson")
configure_file("${sources}/jansson/src/jansson_config.h.in"
               "${JANSSON_INCLUDE_DIR}/jansson_config.h" @ONLY)
configure_file("${sources}/jansson/src/jansson.h"
               "${JANSSON_INCLUDE_DIR}/jansson.h" COPYONLY)
file(WRITE "${JANSSON_INCLUDE_DIR}/jansson_private_config.h"
     "/* what it needs is defined by the command line */\n")
file(GLOB files "${sources}/jansson/src/*.c")
add_library(hiss_jansson STATIC ${files})
target_include_directories(hiss_jansson PRIVATE "${JANSSON_INCLUDE_DIR}")
target_compile_definitions(hiss_jansson PRIVATE
  HAVE_STDINT_H HAVE_UNISTD_H HAVE_FCNTL_H HAVE_SYS_STAT_H HAVE_SYS_TYPES_H
  HAVE_SYS_TIME_H HAVE_GETTIMEOFDAY HAVE_ATOMIC_BUILTINS
  INITIAL_HASHTABLE_ORDER=3)

file(GLOB files "${sources}/zlib/*.c")
add_library(hiss_zlib STATIC ${files})
target_include_directories(hiss_zlib INTERFACE "${sources}/zlib")
# for whoever includes zlib.h, too: the type of places in a file hangs on it
target_compile_definitions(hiss_zlib PUBLIC HAVE_UNISTD_H)
target_compile_options(hiss_zlib PRIVATE -Wno-deprecated-non-prototype
                       -Wno-unknown-warning-option)

foreach(library IN ITEMS hiss_jansson hiss_zlib)
  target_compile_options(${library} PRIVATE -Os)
endforeach()
set(JANSSON_LIBRARY hiss_jansson)
set(MATH_LIBRARY m)
set(HISS_HAVE_BLAS OFF)
set(HISS_HAVE_NETCDF OFF)
set(HISS_HAVE_MPI OFF)
set(HISS_MPI_WHY "not in a browser")
set(HISS_HAVE_CMOCKA OFF)

add_library(hiss_deps INTERFACE)
target_include_directories(hiss_deps SYSTEM INTERFACE
  "${random123}" "${JANSSON_INCLUDE_DIR}")
target_link_libraries(hiss_deps INTERFACE hiss_jansson hiss_zlib)

# One script that makes an instance of the program when it is called; who loads
# it gives the compiled code, its files and what is done with its output.  Every
# run is an instance of its own.
#
# Memory grows up to what can be addressed, and an allocation that fails is
# NULL.  A node that is not Debian's does not know where Debian has the modules
# that Emscripten's own scripts need.
set(HISS_WASM_SIMD -msimd128)
add_compile_options(${HISS_WASM_SIMD})
set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK
  "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
function(hiss_wasm_program target)
  set_target_properties(${target} PROPERTIES SUFFIX .js
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  # what prints is not where time goes
  target_compile_options(${target} PRIVATE -Os)
  target_link_options(${target} PRIVATE -O2
    -sMODULARIZE=1 -sEXPORT_NAME=createHiss -sENVIRONMENT=web,worker,node
    -sINVOKE_RUN=0 -sEXIT_RUNTIME=1 -sFORCE_FILESYSTEM=1
    -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4294967296
    -sABORTING_MALLOC=0 -sTOTAL_STACK=8388608
    -sEXPORTED_FUNCTIONS=_main,_cli_interrupt_note
    -sEXPORTED_RUNTIME_METHODS=FS,callMain,ENV)
endfunction()

# The pinned draws of every kernel (tests/unit/kernel/test_golden.c), a program
# for node; cmocka is compiled from the sources of Debian's package, too.
function(hiss_wasm_golden)
  set(config "${PROJECT_BINARY_DIR}/cmocka")
  file(WRITE "${config}/config.h" "/* see the command line */\n")
  add_executable(test_golden
    "${PROJECT_SOURCE_DIR}/tests/unit/kernel/test_golden.c"
    "${sources}/cmocka/src/cmocka.c")
  target_include_directories(test_golden PRIVATE
    "${PROJECT_SOURCE_DIR}/tests" "${config}"
    "${sources}/cmocka/include")
  target_compile_definitions(test_golden PRIVATE
    _UINTPTR_T _UINTPTR_T_DEFINED HAVE_MALLOC_H HAVE_INTTYPES_H HAVE_SIGNAL_H HAVE_STRINGS_H
    HAVE_STRUCT_TIMESPEC HAVE_CLOCK_GETTIME HAVE_TIME_H HAVE_SETJMP_H)
  target_compile_options(test_golden PRIVATE -w)
  target_link_libraries(test_golden PRIVATE
    hiss_static hiss_flags ${MATH_LIBRARY})
  set_target_properties(test_golden PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  target_link_options(test_golden PRIVATE -O2 -sENVIRONMENT=node
    -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=8388608)
endfunction()
