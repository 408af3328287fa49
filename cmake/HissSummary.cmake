# HissSummary.cmake - one line for each thing found or left out.
function(hiss_report label found yes no)
  if(${found})
    message(STATUS "  ${label} ${yes}")
  else()
    message(STATUS "  ${label} ${no}")
  endif()
endfunction()

list(JOIN HISS_ISAS ", " isas)
set(sanitizers "${HISS_SANITIZE}")
message(STATUS "hiss ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}, "
               "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
message(STATUS "  lanes:      ${isas}")
hiss_report("OpenBLAS:  " HISS_HAVE_BLAS "${OPENBLAS_LIBRARY}"
            "left out, plain loops instead (libopenblas-dev)")
hiss_report("netCDF:    " HISS_HAVE_NETCDF "${NETCDF_LIBRARY}"
            "left out, no .nc results (libnetcdf-dev)")
hiss_report("MPI:       " HISS_HAVE_MPI "${MPI_C_LIBRARIES}"
            "left out, runs of one process (${HISS_MPI_WHY})")
hiss_report("cmocka:    " HISS_HAVE_CMOCKA "${CMOCKA_LIBRARY}"
            "left out, no unit tests (libcmocka-dev)")
hiss_report("Python:    " Python3_FOUND "${Python3_EXECUTABLE}"
            "left out, no checks of the sources (python3)")
hiss_report("package:   " HISS_PYTHON_INCLUDE "for ${HISS_PYTHON}"
            "left out, ${HISS_PYTHON_WHY}")
hiss_report("CUDA:      " HISS_HAVE_CUDA "${HISS_NVCC}"
            "left out, no plug-in for cards (make cuda)")
hiss_report("hardening: " HISS_HARDEN "on" "off (HISS_HARDEN)")
hiss_report("sanitizers:" sanitizers "${HISS_SANITIZE}" "none")
