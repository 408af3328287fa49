# HissInstall.cmake - what `make install` puts where.
#
# The pkg-config file and the CMake package find their prefix from their own
# place, so that an installed tree may be moved.
#
# product  builds that, and no tests.
# Components: library, development, and for the rest none (HissDeb.cmake).
include(CMakePackageConfigHelpers)

add_custom_target(product DEPENDS hiss_shared hiss_static)
foreach(part IN ITEMS hiss completions)
  if(TARGET ${part})
    add_dependencies(product ${part})
  endif()
endforeach()

set(cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/hiss")
set(pc_dir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")

install(TARGETS hiss_shared hiss_static EXPORT hissTargets
        LIBRARY COMPONENT library NAMELINK_COMPONENT development
        ARCHIVE COMPONENT development
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES ${HISS_HEADERS} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/hiss"
        COMPONENT development)
install(EXPORT hissTargets NAMESPACE hiss:: DESTINATION "${cmake_dir}"
        COMPONENT development)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/hissConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/hissConfig.cmake" INSTALL_DESTINATION "${cmake_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/hissConfigVersion.cmake"
                                 COMPATIBILITY ${HISS_COMPATIBILITY})
install(FILES "${PROJECT_BINARY_DIR}/hissConfig.cmake"
              "${PROJECT_BINARY_DIR}/hissConfigVersion.cmake"
        DESTINATION "${cmake_dir}" COMPONENT development)

file(RELATIVE_PATH pc_up "${pc_dir}" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
set(pc_libdir "\${prefix}")
set(pc_includedir "\${prefix}")
cmake_path(APPEND pc_libdir "${CMAKE_INSTALL_LIBDIR}")
cmake_path(APPEND pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
# jansson and zlib bring their own flags through Requires.private.  OpenBLAS
# does not: its file asks for the Fortran runtime, which its C part never uses.
set(pc_libs ${HISS_STATIC_LIBS})
list(REMOVE_ITEM pc_libs jansson z)
list(TRANSFORM pc_libs PREPEND "-l")
list(JOIN pc_libs " " pc_libs)
# A program finds the library where it was linked, unless that is a folder of
# the system, where the loader looks anyway.
set(pc_rpath "-Wl,-rpath,\${libdir} ")
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(pc_rpath "")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/hiss.pc.in"
               "${PROJECT_BINARY_DIR}/hiss.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/hiss.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
        COMPONENT development)

set(manual "${PROJECT_SOURCE_DIR}/docs/hiss.1")
if(HISS_DEB)
  include(HissDeb)
  hiss_deb_compress(manual "${manual}" hiss.1)
endif()
install(FILES "${manual}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")

# The data that come along, where src/base/read/data.c looks, and not what was
# fetched beside them.  A build tree has a link there.
set(data "${PROJECT_SOURCE_DIR}/data")
function(hiss_install_data place)
  file(STRINGS "${data}/SHA256SUMS" sums)
  install(FILES "${data}/README.md" "${data}/SHA256SUMS"
          DESTINATION ${place}/data ${ARGN})
  foreach(sum IN LISTS sums)
    string(REGEX REPLACE "^[0-9a-f]+ +" "" name "${sum}")
    cmake_path(GET name PARENT_PATH folder)
    install(FILES "${data}/${name}" DESTINATION "${place}/data/${folder}"
            ${ARGN})
  endforeach()
  install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/get_data"
          DESTINATION ${place} ${ARGN})
endfunction()
hiss_install_data(share/hiss)
if(SKBUILD) # within the package, beside the command
  hiss_install_data(hiss/share/hiss COMPONENT python EXCLUDE_FROM_ALL)
endif()
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/hiss")
file(CREATE_LINK "${data}" "${PROJECT_BINARY_DIR}/share/hiss/data" SYMBOLIC)

install(FILES "${PROJECT_SOURCE_DIR}/NOTICE" "${HISS_SBOM}"
              "${PROJECT_SOURCE_DIR}/README.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(NOT HISS_DEB) # Debian has its own way with these
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
                "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
          DESTINATION "${CMAKE_INSTALL_DOCDIR}")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}"
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples"
                  "${PROJECT_SOURCE_DIR}/python/examples"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}"
        PATTERN "__pycache__" EXCLUDE)
if(HISS_DEB)
  include(CPack)
endif()
