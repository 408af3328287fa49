# HissSbom.cmake - a bill of materials: what this build of hiss is made of.
#
# hiss.cdx.json (CycloneDX 1.5) lists hiss and every library that was found,
# with version and licence.  It has no date and no serial number: the same
# configuration gives the same file.  Versions are those of the headers that
# the sources are compiled with; what the loader finds later may be newer.
#
# HISS_SBOM  the file

# hiss_version_of(out file pattern): the groups of a pattern, with dots, or
# "unknown".
function(hiss_version_of out file pattern)
  set(version)
  if(EXISTS "${file}")
    file(STRINGS "${file}" lines REGEX "${pattern}")
    foreach(line IN LISTS lines)
      string(REGEX MATCH "${pattern}" line "${line}")
      list(APPEND version "${CMAKE_MATCH_1}")
    endforeach()
  endif()
  list(JOIN version "." version)
  if(NOT version)
    set(version "unknown")
  endif()
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

set(sbom_components "[]")
set(sbom_needs "[]")

# hiss_sbom_add(name version licence what [file...]): a library of others; the
# files are those whose names the loader sees.
function(hiss_sbom_add name version licence what)
  set(ref "pkg:generic/${name}@${version}")
  set(one "{\"type\": \"library\", \"bom-ref\": \"${ref}\",
            \"name\": \"${name}\", \"version\": \"${version}\",
            \"description\": \"${what}\", \"scope\": \"required\",
            \"licenses\": [{\"license\": {\"id\": \"${licence}\"}}]}")
  if(ARGN)
    list(JOIN ARGN " " files)
    string(JSON one SET "${one}" properties
           "[{\"name\": \"hiss:libraries\", \"value\": \"${files}\"}]")
  endif()
  string(JSON count LENGTH "${sbom_components}")
  string(JSON components SET "${sbom_components}" ${count} "${one}")
  string(JSON needs SET "${sbom_needs}" ${count} "\"${ref}\"")
  set(sbom_components "${components}" PARENT_SCOPE)
  set(sbom_needs "${needs}" PARENT_SCOPE)
endfunction()

# No header of Random123 says its version; its package may.
set(sbom_version "unknown")
find_program(HISS_DPKG_QUERY dpkg-query)
if(HISS_DPKG_QUERY)
  execute_process(
    COMMAND "${HISS_DPKG_QUERY}" -W -f "\${Version}" librandom123-dev
    OUTPUT_VARIABLE sbom_found ERROR_QUIET)
  if(sbom_found MATCHES "^([0-9]+:)?([0-9.]+)")
    set(sbom_version "${CMAKE_MATCH_2}")
  endif()
endif()
hiss_sbom_add(random123 "${sbom_version}" BSD-3-Clause
  "random numbers by their address (headers)")
hiss_version_of(sbom_version "${JANSSON_INCLUDE_DIR}/jansson.h"
  "#define JANSSON_VERSION +\"([^\"]+)\"")
hiss_sbom_add(jansson "${sbom_version}" MIT "JSON" libjansson)
hiss_sbom_add(zlib "${ZLIB_VERSION_STRING}" Zlib "compressed files" libz)
if(HISS_HAVE_BLAS)
  hiss_version_of(sbom_version "${OPENBLAS_INCLUDE_DIR}/openblas_config.h"
    "#define OPENBLAS_VERSION +\" *OpenBLAS +([0-9.]+)")
  hiss_sbom_add(openblas "${sbom_version}" BSD-3-Clause
    "products of matrices" libopenblas libblas)
endif()
if(HISS_HAVE_NETCDF)
  hiss_version_of(sbom_version "${NETCDF_INCLUDE_DIR}/netcdf_meta.h"
    "#define NC_VERSION +\"([^\"]+)\"")
  hiss_sbom_add(netcdf "${sbom_version}" NetCDF
    "result files; brings HDF5" libnetcdf)
  if(HDF5_LIBRARY)
    hiss_version_of(sbom_version "${NETCDF_INCLUDE_DIR}/H5public.h"
      "#define H5_VERS_INFO +\"HDF5 library version: ([^\"]+)\"")
    hiss_sbom_add(hdf5 "${sbom_version}" BSD-3-Clause
      "what result files are written in" libhdf5 libhdf5_hl)
  endif()
endif()
if(HISS_HAVE_MPI)
  set(sbom_mpi mpi)
  foreach(folder IN LISTS MPI_C_INCLUDE_DIRS)
    if(EXISTS "${folder}/mpi.h")
      hiss_version_of(sbom_version "${folder}/mpi.h"
        "#define OMPI_[A-Z]+_VERSION +([0-9]+)")
      if(NOT sbom_version STREQUAL "unknown")
        set(sbom_mpi openmpi)
        break()
      endif()
    endif()
  endforeach()
  if(sbom_mpi STREQUAL "openmpi")
    hiss_sbom_add(openmpi "${sbom_version}" BSD-3-Clause-Open-MPI
      "runs that processes share" libmpi)
  else()
    hiss_sbom_add(mpi "${MPI_C_VERSION}" mpich2
      "runs that processes share" libmpi libmpich)
  endif()
endif()
if(HISS_GLIBC) # compiled for another C library than this machine's
  set(sbom_found "glibc ${HISS_GLIBC}")
else()
  execute_process(COMMAND getconf GNU_LIBC_VERSION
                  OUTPUT_VARIABLE sbom_found ERROR_QUIET)
endif()
if(sbom_found MATCHES "^glibc ([0-9.]+)")
  hiss_sbom_add(glibc "${CMAKE_MATCH_1}" LGPL-2.1-or-later
    "the C library, its mathematics and threads"
    libc libm libdl libpthread ld-linux)
endif()

set(sbom_ref "pkg:generic/hiss@${PROJECT_VERSION}")
string(JSON sbom SET "{}" bomFormat "\"CycloneDX\"")
string(JSON sbom SET "${sbom}" specVersion "\"1.5\"")
string(JSON sbom SET "${sbom}" version 1)
string(JSON sbom SET "${sbom}" metadata
  "{\"component\": {\"type\": \"library\", \"bom-ref\": \"${sbom_ref}\",
    \"name\": \"hiss\", \"version\": \"${PROJECT_VERSION}\",
    \"description\": \"${PROJECT_DESCRIPTION}\",
    \"licenses\": [{\"license\": {\"id\": \"Apache-2.0\"}}]}}")
string(JSON sbom SET "${sbom}" components "${sbom_components}")
string(JSON sbom SET "${sbom}" dependencies
  "[{\"ref\": \"${sbom_ref}\", \"dependsOn\": ${sbom_needs}}]")
set(HISS_SBOM "${PROJECT_BINARY_DIR}/hiss.cdx.json")
file(CONFIGURE OUTPUT "${HISS_SBOM}" CONTENT "${sbom}\n" @ONLY)
