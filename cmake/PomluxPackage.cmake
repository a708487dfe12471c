# `cpack -G DEB` in a Release build: a Debian package of the program alone. The libraries are for
# `cmake --install`.
if(BUILD_SHARED_LIBS)
  message(STATUS "No Debian package from a build of shared libraries: the package has the program alone")
  return()
endif()

# Who holds the licence is who is named.
file(STRINGS ${PROJECT_SOURCE_DIR}/LICENSE holder REGEX "^Copyright ")
string(REGEX REPLACE "^Copyright \\(c\\) [0-9]+ " "" holder "${holder}")
if(holder STREQUAL "")
  message(FATAL_ERROR "LICENSE names no holder of the copyright")
endif()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/pomlux
        RENAME copyright COMPONENT program)

# Who packs it for others: Debian wants an address, and a changelog signed with it.
set(POMLUX_PACKAGE_CONTACT "${holder}" CACHE STRING "Maintainer of the Debian package, Name <address>")

# Compressed without a time: the same sources give the same bytes on one day, or for one
# SOURCE_DATE_EPOCH.
find_program(POMLUX_GZIP gzip)
if(POMLUX_GZIP)
  string(TIMESTAMP today "%a, %d %b %Y 00:00:00 +0000" UTC)
  set(folder ${PROJECT_BINARY_DIR}/package)
  file(WRITE ${folder}/changelog
    "pomlux (${PROJECT_VERSION}) unstable; urgency=medium\n\n"
    "  * CHANGELOG.md of the sources says what is new.\n\n -- ${POMLUX_PACKAGE_CONTACT}  ${today}\n")
  configure_file(${PROJECT_SOURCE_DIR}/docs/pomlux.1 ${folder}/pomlux.1 COPYONLY)
  execute_process(COMMAND ${POMLUX_GZIP} -9nf changelog pomlux.1 WORKING_DIRECTORY ${folder}
                  COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${folder}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/pomlux
          COMPONENT program)
  install(FILES ${folder}/pomlux.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
endif()

set(CPACK_PACKAGE_NAME pomlux)
set(CPACK_PACKAGE_CONTACT "${POMLUX_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
    "Runs experiments written in YAML, leaves plain result files and a report,\n\
and estimates the probability that each of many candidates is the best.")
set(CPACK_COMPONENTS_ALL program)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS gnuplot-nox)  # figures as PDF
include(CPack)
