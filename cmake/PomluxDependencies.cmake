# Finds what the build needs. Nothing is downloaded.
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)
endif()

# Eigen 5 refuses a request for 3.4, so the version is compared here.
find_package(Eigen3 CONFIG REQUIRED)
if(Eigen3_VERSION VERSION_LESS 3.4)
  message(FATAL_ERROR "pomlux needs Eigen 3.4 or newer; found ${Eigen3_VERSION}")
endif()
set(POMLUX_BOOST_MINIMUM 1.74)
find_package(Boost ${POMLUX_BOOST_MINIMUM} REQUIRED)
find_package(TBB CONFIG REQUIRED)
find_package(LBFGSpp REQUIRED)

if(POMLUX_BUILD_CLI)
  find_package(yaml-cpp CONFIG REQUIRED)
  if(NOT TARGET yaml-cpp::yaml-cpp)  # before 0.8
    add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
  endif()
  find_package(CLI11 CONFIG REQUIRED)
  find_package(nlohmann_json CONFIG REQUIRED)
endif()
