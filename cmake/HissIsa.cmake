# HissIsa.cmake - one text, one object per instruction set.
#
# Files of src/lanes/ are compiled once per instruction set with HS_ISA set to
# its name, from which they build their symbols; the table to use is chosen at
# run time.  With -ffp-contract=off all of them give the same bits.  Vectors
# wider than the machine's never cross a call, hence -Wno-psabi.
#
# hiss_isa   defines HS_HAVE_AVX2 and HS_HAVE_AVX512 where those objects exist.
# HISS_ISAS  the names: base, avx2, avx512, or `base` alone where that is asked
#            for.  Fuzzing is of readers: base alone, and not optimised, which
#            takes minutes under its sanitizers.
include(CheckCCompilerFlag)

set(HISS_ISAS "all" CACHE STRING "Instruction sets of src/lanes: all or base")
set_property(CACHE HISS_ISAS PROPERTY STRINGS all base)
set(wanted "${HISS_ISAS}")
set(HISS_ISAS base)
set(HISS_ISA_FLAGS_base)
set(HISS_ISA_FLAGS_avx2 -march=x86-64-v3)
set(HISS_ISA_FLAGS_avx512 -march=x86-64-v4 -mprefer-vector-width=512)

# Loops over lanes have nothing to teach a fuzzer, and with its counters they
# are ten times as slow.
set(HISS_LANE_OPTIMIZATION -O3)
if(HISS_SANITIZE MATCHES "fuzzer")
  set(HISS_LANE_OPTIMIZATION -O1 -fno-sanitize=fuzzer-no-link)
endif()

add_library(hiss_isa INTERFACE)
if(wanted STREQUAL "all"
   AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$"
   AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  foreach(isa IN ITEMS avx2 avx512)
    string(TOUPPER ${isa} upper)
    list(JOIN HISS_ISA_FLAGS_${isa} " " flags)
    check_c_compiler_flag("${flags}" HISS_COMPILES_${upper})
    if(HISS_COMPILES_${upper})
      list(APPEND HISS_ISAS ${isa})
      target_compile_definitions(hiss_isa INTERFACE HS_HAVE_${upper})
    endif()
  endforeach()
endif()

# hiss_add_lane_sources(file...): adds the files, compiled for each instruction
# set, to the library's objects.
function(hiss_add_lane_sources)
  foreach(isa IN LISTS HISS_ISAS)
    set(target hiss_lanes_${isa})
    if(NOT TARGET ${target})
      add_library(${target} OBJECT)
      target_link_libraries(${target} PRIVATE hiss_internal)
      set_target_properties(${target} PROPERTIES
        POSITION_INDEPENDENT_CODE ${HISS_PIC}
        C_VISIBILITY_PRESET ${HISS_VISIBILITY})
      target_compile_definitions(${target} PRIVATE HS_ISA=${isa})
      target_compile_options(${target} PRIVATE ${HISS_ISA_FLAGS_${isa}}
                             ${HISS_LANE_OPTIMIZATION} -Wno-psabi)
      set_property(GLOBAL APPEND PROPERTY HISS_OBJECTS
                   $<TARGET_OBJECTS:${target}>)
    endif()
    target_sources(${target} PRIVATE ${ARGN})
  endforeach()
endfunction()
