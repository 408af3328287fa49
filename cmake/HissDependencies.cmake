# HissDependencies.cmake - finds what docs/dependencies.md lists.
#
# hiss_deps            links every dependency of the library.
# HISS_STATIC_LIBS     the same as plain library names, for those who link the
#                      installed static library.
# HISS_MISSING         required ones that were not found; configuring stops.
# HISS_HAVE_BLAS, HISS_HAVE_NETCDF, HISS_HAVE_MPI, HISS_HAVE_CMOCKA,
# Python3_FOUND: optional.
# HISS_MPI             ON: it must be found; OFF: it is not looked for; AUTO.
# HISS_MPIRUN          starts the processes of the tests.
#
# A dependency is found here when a source needs it and not before.
include(CheckLibraryExists)

set(HISS_MISSING)
macro(hiss_require found name package)
  if(NOT ${found})
    list(APPEND HISS_MISSING "  ${name}: apt-get install ${package}")
  endif()
endmacro()

find_path(RANDOM123_INCLUDE_DIR Random123/philox.h)
find_path(JANSSON_INCLUDE_DIR jansson.h)
find_library(JANSSON_LIBRARY jansson)
find_package(ZLIB QUIET)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads QUIET)
find_library(MATH_LIBRARY m)
hiss_require(RANDOM123_INCLUDE_DIR "Random123 headers" librandom123-dev)
hiss_require(JANSSON_INCLUDE_DIR "jansson.h" libjansson-dev)
hiss_require(JANSSON_LIBRARY "libjansson" libjansson-dev)
hiss_require(ZLIB_FOUND "zlib" zlib1g-dev)
hiss_require(Threads_FOUND "POSIX threads" libc6-dev)
hiss_require(MATH_LIBRARY "libm" libc6-dev)
if(HISS_MISSING)
  list(JOIN HISS_MISSING "\n" missing)
  message(FATAL_ERROR "hiss needs what is missing here:\n${missing}\n"
                      "  or run tools/bootstrap, which installs everything")
endif()

# cblas.h of OpenBLAS and of no other: the number of threads must be settable.
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(PC_OPENBLAS QUIET openblas)
endif()
find_path(OPENBLAS_INCLUDE_DIR openblas_config.h
          HINTS ${PC_OPENBLAS_INCLUDE_DIRS}
          PATH_SUFFIXES openblas openblas-pthread openblas-serial)
find_library(OPENBLAS_LIBRARY NAMES openblas scipy_openblas
             HINTS ${PC_OPENBLAS_LIBRARY_DIRS})
set(HISS_HAVE_BLAS OFF)
# PyPI's has its own names, so that it can be loaded beside another one.
set(openblas_prefix)
if(OPENBLAS_LIBRARY MATCHES "scipy_openblas")
  set(openblas_prefix scipy_)
endif()
if(OPENBLAS_LIBRARY AND EXISTS "${OPENBLAS_INCLUDE_DIR}/cblas.h")
  check_library_exists("${OPENBLAS_LIBRARY}"
    ${openblas_prefix}openblas_set_num_threads "" HISS_OPENBLAS_LINKS)
  set(HISS_HAVE_BLAS ${HISS_OPENBLAS_LINKS})
endif()

# Results that ArviZ opens; netCDF-4, so one that was built with HDF5.
if(PKG_CONFIG_FOUND)
  pkg_check_modules(PC_NETCDF QUIET netcdf)
endif()
find_path(NETCDF_INCLUDE_DIR netcdf.h HINTS ${PC_NETCDF_INCLUDE_DIRS})
find_library(NETCDF_LIBRARY netcdf HINTS ${PC_NETCDF_LIBRARY_DIRS})
set(HISS_HAVE_NETCDF OFF)
# A static one does not bring what it needs.
set(netcdf_needs)
if(NETCDF_LIBRARY MATCHES "\\.a$")
  find_library(HDF5_HL_LIBRARY hdf5_hl)
  find_library(HDF5_LIBRARY hdf5)
  set(netcdf_needs ${HDF5_HL_LIBRARY} ${HDF5_LIBRARY} ZLIB::ZLIB
                   ${CMAKE_DL_LIBS} ${MATH_LIBRARY})
endif()
if(NETCDF_LIBRARY AND NETCDF_INCLUDE_DIR)
  set(CMAKE_REQUIRED_LIBRARIES ${netcdf_needs})
  check_library_exists("${NETCDF_LIBRARY}" nc_def_var_deflate ""
                       HISS_NETCDF_LINKS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  set(HISS_HAVE_NETCDF ${HISS_NETCDF_LINKS})
endif()

# Runs that many processes share.
set(HISS_MPI AUTO CACHE STRING "Share runs between processes: ON, OFF or AUTO")
set(HISS_HAVE_MPI OFF)
set(HISS_MPI_WHY "asked to be")
if(HISS_MPI)
  set(HISS_MPI_WHY "libopenmpi-dev")
  find_package(MPI QUIET COMPONENTS C)
  set(HISS_HAVE_MPI ${MPI_C_FOUND})
  find_program(HISS_MPIRUN mpirun)
  if(NOT HISS_HAVE_MPI AND NOT HISS_MPI STREQUAL "AUTO")
    message(FATAL_ERROR "HISS_MPI needs MPI: apt-get install libopenmpi-dev")
  endif()
endif()

find_path(CMOCKA_INCLUDE_DIR cmocka.h)
find_library(CMOCKA_LIBRARY cmocka)
set(HISS_HAVE_CMOCKA OFF)
if(CMOCKA_INCLUDE_DIR AND CMOCKA_LIBRARY)
  set(HISS_HAVE_CMOCKA ON)
endif()
find_package(Python3 QUIET COMPONENTS Interpreter)

add_library(hiss_deps INTERFACE)
target_include_directories(hiss_deps SYSTEM INTERFACE
  ${RANDOM123_INCLUDE_DIR} ${JANSSON_INCLUDE_DIR})
target_link_libraries(hiss_deps INTERFACE
  ${JANSSON_LIBRARY} ZLIB::ZLIB Threads::Threads ${CMAKE_DL_LIBS}
  ${MATH_LIBRARY})
set(HISS_STATIC_LIBS jansson z ${CMAKE_DL_LIBS} m pthread)
if(HISS_HAVE_BLAS)
  target_include_directories(hiss_deps SYSTEM INTERFACE
    ${OPENBLAS_INCLUDE_DIR})
  target_compile_definitions(hiss_deps INTERFACE HS_HAVE_BLAS)
  if(openblas_prefix)
    foreach(name IN ITEMS cblas_sgemm openblas_set_num_threads
                          openblas_get_config)
      target_compile_definitions(hiss_deps INTERFACE
        ${name}=${openblas_prefix}${name})
    endforeach()
  endif()
  target_link_libraries(hiss_deps INTERFACE ${OPENBLAS_LIBRARY})
  list(PREPEND HISS_STATIC_LIBS openblas)
endif()
if(HISS_HAVE_NETCDF)
  target_include_directories(hiss_deps SYSTEM INTERFACE ${NETCDF_INCLUDE_DIR})
  target_compile_definitions(hiss_deps INTERFACE HS_HAVE_NETCDF)
  target_link_libraries(hiss_deps INTERFACE ${NETCDF_LIBRARY}
                        ${netcdf_needs})
  list(PREPEND HISS_STATIC_LIBS netcdf)
endif()
if(HISS_HAVE_MPI)
  target_include_directories(hiss_deps SYSTEM INTERFACE
    ${MPI_C_INCLUDE_DIRS})
  target_link_libraries(hiss_deps INTERFACE ${MPI_C_LIBRARIES})
  list(PREPEND HISS_STATIC_LIBS mpi)
endif()
