# HissInstall.cmake - what `make install` puts where.
#
# The pkg-config file and the CMake package find their prefix from their own
# place, so that an installed tree may be moved.
#
# product  builds that, and no tests.
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
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES ${HISS_HEADERS} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/hiss")
install(EXPORT hissTargets NAMESPACE hiss:: DESTINATION "${cmake_dir}")

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/hissConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/hissConfig.cmake" INSTALL_DESTINATION "${cmake_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/hissConfigVersion.cmake"
                                 COMPATIBILITY ${HISS_COMPATIBILITY})
install(FILES "${PROJECT_BINARY_DIR}/hissConfig.cmake"
              "${PROJECT_BINARY_DIR}/hissConfigVersion.cmake"
        DESTINATION "${cmake_dir}")

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
configure_file("${PROJECT_SOURCE_DIR}/cmake/hiss.pc.in"
               "${PROJECT_BINARY_DIR}/hiss.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/hiss.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

if(EXISTS "${PROJECT_SOURCE_DIR}/docs/hiss.1")
  install(FILES "${PROJECT_SOURCE_DIR}/docs/hiss.1"
          DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()

# The data that come along, where src/base/read/data.c looks, and not what was
# fetched beside them.  A build tree has a link there.
set(data "${PROJECT_SOURCE_DIR}/data")
file(STRINGS "${data}/SHA256SUMS" sums)
install(FILES "${data}/README.md" "${data}/SHA256SUMS"
        DESTINATION share/hiss/data)
foreach(sum IN LISTS sums)
  string(REGEX REPLACE "^[0-9a-f]+ +" "" name "${sum}")
  cmake_path(GET name PARENT_PATH folder)
  install(FILES "${data}/${name}" DESTINATION "share/hiss/data/${folder}")
endforeach()
install(PROGRAMS "${PROJECT_SOURCE_DIR}/tools/get_data"
        DESTINATION share/hiss)
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/hiss")
file(CREATE_LINK "${data}" "${PROJECT_BINARY_DIR}/share/hiss/data" SYMBOLIC)

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE"
              "${HISS_SBOM}"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")
