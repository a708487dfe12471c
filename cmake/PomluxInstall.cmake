# What users of the libraries get: headers as <pomlux/FOLDER/NAME.hpp>, the umbrella header
# <pomlux/pomlux.hpp> and <pomlux/version.hpp> (these two also in the build tree), the libraries,
# a CMake package with one component per folder, a pkg-config file; and the program.
get_property(POMLUX_HEADERS GLOBAL PROPERTY POMLUX_HEADERS)
get_property(POMLUX_LIBRARIES GLOBAL PROPERTY POMLUX_LIBRARIES)

list(TRANSFORM POMLUX_HEADERS REPLACE "(.+)" "#include <pomlux/\\1>"
     OUTPUT_VARIABLE POMLUX_INCLUDES)
list(SORT POMLUX_INCLUDES)
list(APPEND POMLUX_INCLUDES "#include <pomlux/version.hpp>")
list(JOIN POMLUX_INCLUDES "\n" POMLUX_INCLUDES)
foreach(header pomlux version)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${header}.hpp.in
                 ${POMLUX_INCLUDE_DIR}/pomlux/${header}.hpp @ONLY)
endforeach()

option(POMLUX_INSTALL "Make the install target" ${PROJECT_IS_TOP_LEVEL})
if(NOT POMLUX_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)

install(TARGETS ${POMLUX_LIBRARIES} pomlux_pomlux EXPORT pomluxTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(header IN LISTS POMLUX_HEADERS)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${header}
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pomlux/${folder})
endforeach()
install(FILES ${POMLUX_INCLUDE_DIR}/pomlux/pomlux.hpp ${POMLUX_INCLUDE_DIR}/pomlux/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pomlux)
if(TARGET pomlux_cli)
  if(BUILD_SHARED_LIBS)  # they are found from wherever the tree is moved to
    file(RELATIVE_PATH to_libraries /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
    set_target_properties(pomlux_cli PROPERTIES INSTALL_RPATH $ORIGIN/${to_libraries})
  endif()
  install(TARGETS pomlux_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs/paper DESTINATION ${CMAKE_INSTALL_DATADIR}/pomlux
          COMPONENT program)  # what `reproduce` runs
  include(PomluxPackage)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pomlux)
install(EXPORT pomluxTargets NAMESPACE pomlux:: DESTINATION ${package_dir})
list(TRANSFORM POMLUX_LIBRARIES REPLACE "^pomlux_" "" OUTPUT_VARIABLE components)
list(JOIN components ", " POMLUX_COMPONENTS)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/pomluxConfig.cmake.in pomluxConfig.cmake
                              INSTALL_DESTINATION ${package_dir}
                              NO_CHECK_REQUIRED_COMPONENTS_MACRO NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may break its users.
write_basic_package_version_file(pomluxConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/pomluxConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/pomluxConfigVersion.cmake
        DESTINATION ${package_dir})

# A static library comes before those it uses, and each folder's depends on earlier ones.
set(POMLUX_PC_LIBRARIES ${POMLUX_LIBRARIES})
list(REVERSE POMLUX_PC_LIBRARIES)
list(TRANSFORM POMLUX_PC_LIBRARIES PREPEND "-l")
list(JOIN POMLUX_PC_LIBRARIES " " POMLUX_PC_LIBRARIES)
file(RELATIVE_PATH POMLUX_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/pomlux.pc.in pomlux.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/pomlux.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
