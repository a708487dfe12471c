# LBFGS++ 0.1 ships headers only: no CMake package, no pkg-config file.
find_path(LBFGSpp_INCLUDE_DIR LBFGSB.h PATH_SUFFIXES LBFGSpp)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LBFGSpp REQUIRED_VARS LBFGSpp_INCLUDE_DIR)
if(LBFGSpp_FOUND AND NOT TARGET LBFGSpp::LBFGSpp)
  add_library(LBFGSpp::LBFGSpp INTERFACE IMPORTED)
  set_target_properties(LBFGSpp::LBFGSpp PROPERTIES
                        INTERFACE_INCLUDE_DIRECTORIES "${LBFGSpp_INCLUDE_DIR}")
endif()
mark_as_advanced(LBFGSpp_INCLUDE_DIR)
