# HissHarden.cmake - what is linked, and how it resists.
#
# HISS_HARDEN    compile and link with the protections below.
# hiss_harden    carries them; hiss_flags links it.
#
# A fault in memory is to end the program instead of running on: guarded stack
# frames, copying functions that know the size of their target, tables of the
# loader that are read-only before main.  None of it changes a number.
#
# hiss_finish(target...): for what is installed.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)

option(HISS_HARDEN "Compile and link with protections against misuse" ON)

add_library(hiss_harden INTERFACE)
check_pie_supported(LANGUAGES C)

function(hiss_harden_compile name flag)
  check_c_compiler_flag("${flag}" HISS_COMPILES_${name})
  if(HISS_COMPILES_${name})
    target_compile_options(hiss_harden INTERFACE "${flag}")
  endif()
endfunction()

function(hiss_harden_link name flag)
  check_linker_flag(C "${flag}" HISS_LINKS_${name})
  if(HISS_LINKS_${name})
    target_link_options(hiss_harden INTERFACE "${flag}")
  endif()
endfunction()

# Level 3 where the compiler and the C library have it, else 2.  Without
# optimisation it does nothing but warn, and sanitizers have better checks.
function(hiss_harden_fortify)
  set(CMAKE_REQUIRED_FLAGS
      "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  check_c_source_compiles([[
    #include <string.h>
    #if __USE_FORTIFY_LEVEL < 3
    #error
    #endif
    int main(void) { return 0; }]] HISS_COMPILES_FORTIFY3)
  set(level 2)
  if(HISS_COMPILES_FORTIFY3)
    set(level 3)
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  if("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}" MATCHES "-O[123s]")
    target_compile_options(hiss_harden INTERFACE
      -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level})
  endif()
endfunction()

if(HISS_HARDEN)
  hiss_harden_compile(STACK_PROTECTOR -fstack-protector-strong)
  hiss_harden_compile(STACK_CLASH -fstack-clash-protection)
  # Shadow stacks cost no instruction; marks at the targets of jumps cost one
  # in every call, and Linux does not check them in programs.
  hiss_harden_compile(CF_PROTECTION -fcf-protection=return)
  hiss_harden_link(RELRO "LINKER:-z,relro")
  hiss_harden_link(BIND_NOW "LINKER:-z,now")
  hiss_harden_link(NO_EXEC_STACK "LINKER:-z,noexecstack")
  if(NOT HISS_SANITIZE)
    hiss_harden_fortify()
  endif()
endif()

# The RUNPATH in the build tree is the installed one: where the libraries of
# others were found.  Were they different, CMake would end the former with ":"
# to make room for the latter (file(RPATH_CHANGE)), and an empty element is the
# current folder, whose libraries would be loaded.  CMAKE_SKIP_RPATH=ON leaves
# it out, for packages of a distribution.
function(hiss_finish)
  set_target_properties(${ARGN} PROPERTIES
    POSITION_INDEPENDENT_CODE ${HISS_PIC}
    BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH_USE_LINK_PATH ON)
endfunction()
