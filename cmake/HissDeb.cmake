# HissDeb.cmake - the Debian packages (packaging/deb/build), by CPack.
#
#   hiss           the command, its manual, completions, documents and data:
#                  everything that is installed without a component
#   libhiss0.1     the shared library; the name follows the soname
#   libhiss-dev    headers, static library, pkg-config and CMake files
#   python3-hiss   the package for Debian's interpreter
set(deb_library "libhiss${HISS_SOVERSION}")
set(HISS_DEB_MAINTAINER "The hiss developers <hiss@example.org>" CACHE STRING
    "Whom the Debian packages name as their maintainer")
string(TIMESTAMP deb_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(CPACK_COMPONENTS_ALL Unspecified library development python)

set(CPACK_PACKAGE_NAME hiss)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${HISS_DEB_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${PROJECT_HOMEPAGE_URL}")

# hiss_deb(component package section title what...)
function(hiss_deb component package section title)
  string(TOUPPER "${component}" name)
  list(JOIN ARGN "\n" what)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_DESCRIPTION "${title}\n${what}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${name}_DESCRIPTION "${title}\n${what}" PARENT_SCOPE)
endfunction()
hiss_deb(Unspecified hiss science
  "samples multimodal discrete distributions (command)"
  "hiss draws from spin glasses, graphical models, QUBOs, Potts models and"
  "binary networks, crosses between isolated modes, and says whether the"
  "draws can be trusted.")
hiss_deb(library ${deb_library} libs
  "samples multimodal discrete distributions (library)"
  "The shared library, for programs that were built with libhiss-dev.")
hiss_deb(development libhiss-dev libdevel
  "samples multimodal discrete distributions (development)"
  "Headers, static library, pkg-config and CMake files of the library.")
hiss_deb(python python3-hiss python
  "samples multimodal discrete distributions (Python)"
  "The package hiss for Python 3: models from numpy arrays and files, draws"
  "as numpy arrays.")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_DEPENDS "python3:any") # of get_data
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${deb_library} (= ${PROJECT_VERSION}-1), libjansson-dev, zlib1g-dev")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
    "${PROJECT_SOURCE_DIR}/packaging/deb/triggers")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.9), python3-numpy, python3-cffi-backend, hiss")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
    "${PROJECT_SOURCE_DIR}/packaging/deb/postinst"
    "${PROJECT_SOURCE_DIR}/packaging/deb/prerm")

# hiss_deb_compress(out file name): a compressed copy, the same every time.
function(hiss_deb_compress out file name)
  set(copy "${PROJECT_BINARY_DIR}/deb/${name}")
  configure_file("${file}" "${copy}" COPYONLY)
  execute_process(COMMAND gzip -9nkf "${copy}" COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${copy}.gz" PARENT_SCOPE)
endfunction()

# Every package has its copyright and its list of changes.
set(deb_changes "${PROJECT_BINARY_DIR}/deb/changes")
file(WRITE "${deb_changes}" "hiss (${PROJECT_VERSION}-1) unstable; \
urgency=medium\n\n  * See changelog.gz of the package hiss.\n\n\
 -- ${HISS_DEB_MAINTAINER}  ${deb_date}\n")
hiss_deb_compress(deb_changes "${deb_changes}" changelog.Debian)
hiss_deb_compress(deb_upstream "${PROJECT_SOURCE_DIR}/CHANGELOG.md" changelog)
install(FILES "${deb_upstream}" DESTINATION share/doc/hiss)
foreach(pair IN ITEMS "Unspecified hiss" "library ${deb_library}"
                      "development libhiss-dev" "python python3-hiss")
  separate_arguments(pair)
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/deb/copyright"
                "${deb_changes}"
          DESTINATION share/doc/${package} COMPONENT ${component})
endforeach()

