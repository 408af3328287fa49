# HissPython.cmake - an interpreter that the Python package can be built with.
#
# It needs cffi and its own headers.  Debian's comes first, since its packages
# are what tools/bootstrap installs; a wheel is built for the interpreter that builds it.
#
# HISS_BUILD_PYTHON    ON: it must be found; AUTO: with the tests, where it is.
# HISS_PYTHON          the interpreter
# HISS_PYTHON_INCLUDE  the folder of Python.h, where that is not the
#                      interpreter's own; empty in the end: no package is built
# HISS_PYTHON_WHY      the reason, then
set(HISS_BUILD_PYTHON AUTO CACHE STRING
    "Build the Python package: ON, OFF or AUTO")
set(HISS_PYTHON "" CACHE FILEPATH "Python interpreter for the package")
set(HISS_PYTHON_INCLUDE "" CACHE PATH "Folder of Python.h, if it is another")
set(HISS_PYTHON_WHY "not asked for")

function(hiss_try_python program)
  execute_process(
    COMMAND "${program}" -c
            "import sysconfig, cffi; print(sysconfig.get_path('include'))"
    OUTPUT_VARIABLE include ERROR_VARIABLE fault RESULT_VARIABLE code
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(code EQUAL 0 AND EXISTS "${include}/Python.h")
    set(HISS_PYTHON "${program}" PARENT_SCOPE)
    set(HISS_PYTHON_INCLUDE "${include}" PARENT_SCOPE)
  endif()
endfunction()

if(HISS_BUILD_PYTHON STREQUAL "AUTO" AND HISS_SANITIZE)
  set(HISS_PYTHON_WHY "an interpreter cannot load sanitized code")
elseif(HISS_BUILD_PYTHON AND (HISS_BUILD_TESTS
       OR NOT HISS_BUILD_PYTHON STREQUAL "AUTO"))
  set(candidates "${HISS_PYTHON}")
  if(SKBUILD)
    list(PREPEND candidates "${Python3_EXECUTABLE}" "${PYTHON_EXECUTABLE}")
  else()
    list(APPEND candidates /usr/bin/python3 "${Python3_EXECUTABLE}")
  endif()
  set(HISS_PYTHON_WHY "needs python3-dev and python3-cffi")
  foreach(candidate IN LISTS candidates)
    if(candidate AND NOT HISS_PYTHON_INCLUDE)
      hiss_try_python("${candidate}")
    endif()
  endforeach()
  if(NOT HISS_PYTHON_INCLUDE AND NOT HISS_BUILD_PYTHON STREQUAL "AUTO")
    message(FATAL_ERROR "the Python package ${HISS_PYTHON_WHY}")
  endif()
endif()
