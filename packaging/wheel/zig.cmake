# zig.cmake - compiles for an old C library, on whatever machine this is.
#
# HISS_ARCH   x86_64 or aarch64
# HISS_ZIG    folder with the compiler's front ends, cc and ar
# HISS_DEPS   prefix of the libraries; nothing of this machine's own is taken
set(CMAKE_C_COMPILER "${HISS_ZIG}/cc")
set(CMAKE_AR "${HISS_ZIG}/ar" CACHE FILEPATH "")
set(CMAKE_RANLIB "${HISS_ZIG}/ranlib" CACHE FILEPATH "")
set(CMAKE_C_COMPILER_AR "${CMAKE_AR}" CACHE FILEPATH "")
set(CMAKE_C_COMPILER_RANLIB "${CMAKE_RANLIB}" CACHE FILEPATH "")
if(NOT CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL HISS_ARCH)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR "${HISS_ARCH}")
endif()
set(CMAKE_FIND_ROOT_PATH "${HISS_DEPS}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# Comes with the compiler and is no file.
set(MATH_LIBRARY m CACHE STRING "")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HISS_ARCH HISS_ZIG HISS_DEPS)
