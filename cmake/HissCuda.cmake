# HissCuda.cmake - the plug-in for cards, where there is a compiler for it.
#
# HISS_CUDA   AUTO: if nvcc is on PATH or in build/cuda (tools/get_nvcc), there
#             is a target hiss_cuda, which `make cuda` builds; ON: nvcc must be
#             there, and all builds build it; OFF: not looked for.
# HISS_CUDA_ARCHITECTURES  of the machine code; the newest is also there as PTX,
#             for cards to come.
#
# The library does not depend on it: libhiss_cuda.so is opened at run time.
# nvcc is called by custom commands: CMake's own support wants a whole toolkit,
# and this needs only the compiler and the runtime, as PyPI has them.
# Contraction is off, so that the card has the bits of the processor.  The host's
# half is hardened as the library is (HissHarden, tests/install/test_binaries).
set(HISS_CUDA AUTO CACHE STRING "The plug-in for cards: AUTO, ON or OFF")
set_property(CACHE HISS_CUDA PROPERTY STRINGS AUTO ON OFF)
set(HISS_CUDA_ARCHITECTURES "75;80;86;89;90" CACHE STRING
    "Compute capabilities of the plug-in for cards")

if(NOT HISS_CUDA STREQUAL "OFF")
  file(GLOB found "${PROJECT_SOURCE_DIR}/build/cuda/lib/python*/site-packages/nvidia/cu13/bin")
  find_program(HISS_NVCC nvcc HINTS ${found})
endif()
if(HISS_CUDA STREQUAL "ON" AND NOT HISS_NVCC)
  message(FATAL_ERROR "HISS_CUDA is ON and there is no nvcc: put it on PATH, "
                      "or run tools/get_nvcc")
endif()
set(HISS_HAVE_CUDA OFF)
if(HISS_CUDA STREQUAL "OFF" OR NOT HISS_NVCC)
  return()
endif()
set(HISS_HAVE_CUDA ON)

file(REAL_PATH "${HISS_NVCC}" nvcc)
cmake_path(GET nvcc PARENT_PATH root)
cmake_path(GET root PARENT_PATH root)
set(codes)
foreach(arch IN LISTS HISS_CUDA_ARCHITECTURES)
  if(arch STREQUAL "90") # with what no later card has (plugins/cuda/network/wide.cu)
    set(arch "90a")
  endif()
  list(APPEND codes "-gencode=arch=compute_${arch},code=sm_${arch}")
endforeach()
list(GET HISS_CUDA_ARCHITECTURES -1 arch)
list(APPEND codes "-gencode=arch=compute_${arch},code=compute_${arch}")

set(HISS_NVCC_FLAGS -std=c++17 -O3 -fmad=false ${codes} -I "${root}/include"
    -I "${PROJECT_SOURCE_DIR}/include" -I "${PROJECT_SOURCE_DIR}/src"
    -I "${PROJECT_SOURCE_DIR}/plugins"
    -L "${root}/lib")
set(folder "${PROJECT_BINARY_DIR}/cuda")
file(MAKE_DIRECTORY "${folder}")
file(GLOB_RECURSE kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/plugins/cuda/*.cu")
set(objects)
foreach(kernel IN LISTS kernels)
  file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}/plugins/cuda" "${kernel}")
  string(REGEX REPLACE "[/.]" "_" name "${name}")
  set(object "${folder}/${name}.o")
  add_custom_command(OUTPUT "${object}"
    COMMAND "${HISS_NVCC}" -std=c++17 -O3 -fmad=false ${codes}
            -I "${root}/include" -I "${PROJECT_SOURCE_DIR}/include"
            -I "${PROJECT_SOURCE_DIR}/src" -I "${PROJECT_SOURCE_DIR}/plugins" -MD -MF "${object}.d"
            -Xcompiler=-fPIC,-fvisibility=hidden,-fstack-protector-strong
            -Xcompiler=-U_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=2
            -c "${kernel}" -o "${object}"
    DEPENDS "${kernel}" DEPFILE "${object}.d" VERBATIM
    COMMENT "Building CUDA object ${name}.o")
  list(APPEND objects "${object}")
endforeach()
set(HISS_CUDA_PLUGIN "${PROJECT_BINARY_DIR}/libhiss_cuda.so")
add_custom_command(OUTPUT "${HISS_CUDA_PLUGIN}"
  COMMAND "${HISS_NVCC}" -shared -cudart=static -L "${root}/lib" ${objects}
          -Xlinker=-z,relro,-z,now,-z,noexecstack
          -o "${HISS_CUDA_PLUGIN}"
  DEPENDS ${objects} VERBATIM COMMENT "Linking libhiss_cuda.so")
set(all)
if(HISS_CUDA STREQUAL "ON")
  set(all ALL)
endif()
add_custom_target(hiss_cuda ${all} DEPENDS "${HISS_CUDA_PLUGIN}")
install(FILES "${HISS_CUDA_PLUGIN}" DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        OPTIONAL)
