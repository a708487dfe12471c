# Headers lie beside their sources; one link per folder makes <pomlux/gp/kernel.hpp> resolve in the
# build tree as it does when installed.
set(POMLUX_INCLUDE_DIR ${CMAKE_CURRENT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${POMLUX_INCLUDE_DIR}/pomlux)

# Private to the project: consumers inherit no flags.
add_library(pomlux_build_flags INTERFACE)
target_compile_options(pomlux_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<BOOL:${POMLUX_WERROR}>:-Werror>
  # GCC collects garbage from 1 GB on instead of 128 MB: a tenth of the time to compile.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
target_compile_definitions(pomlux_build_flags INTERFACE
  $<$<BOOL:${POMLUX_CHECKED}>:POMLUX_CHECKED>)
if(POMLUX_SANITIZE)
  # Left out: what AddressSanitizer sees itself; it takes a third of the compile time.
  target_compile_options(pomlux_build_flags INTERFACE
    -fsanitize=${POMLUX_SANITIZE} -fno-sanitize=null,alignment,object-size
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(pomlux_build_flags INTERFACE -fsanitize=${POMLUX_SANITIZE})
endif()

# For the program and the tests, which leave the numerical work to the rooms: -O1 compiles faster by
# about a sixth. GCC 12 then warns of impossible copies in std::string (its bug 105329) and of
# uninitialised members inside Eigen.
set(POMLUX_LIGHT_OPTIONS $<$<CONFIG:Release>:-O1> $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)

# Before 1.0 a minor version may break its users.
set(POMLUX_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# pomlux_batches(TARGET SIZE): unity builds compile its sources in as few batches of up to SIZE as there can
# be, of equal size: every batch parses Eigen and instantiates it anew.
function(pomlux_batches target size)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  math(EXPR batches "(${count} + ${size} - 1) / ${size}")
  math(EXPR size "(${count} + ${batches} - 1) / ${batches}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# pomlux_library(NAME SOURCES a.cpp ... PUBLIC_HEADERS a.hpp ... [DEPENDS targets...] [PRIVATE_DEPENDS targets...])
# A library pomlux::NAME from the current folder, shared if BUILD_SHARED_LIBS says so.
function(pomlux_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC_HEADERS;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${POMLUX_INCLUDE_DIR}/pomlux/${name} SYMBOLIC)
  add_library(pomlux_${name} ${ARG_SOURCES})
  add_library(pomlux::${name} ALIAS pomlux_${name})
  set_target_properties(pomlux_${name} PROPERTIES EXPORT_NAME ${name}
                                                  POSITION_INDEPENDENT_CODE ON
                                                  CXX_EXTENSIONS OFF
                                                  VERSION ${PROJECT_VERSION}
                                                  SOVERSION ${POMLUX_SOVERSION}
                                                  INSTALL_RPATH $ORIGIN)
  target_compile_features(pomlux_${name} PUBLIC cxx_std_20)
  target_include_directories(pomlux_${name} PUBLIC $<BUILD_INTERFACE:${POMLUX_INCLUDE_DIR}>
                                                   $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(pomlux_${name}
                        PUBLIC ${ARG_DEPENDS}
                        PRIVATE $<BUILD_INTERFACE:pomlux_build_flags> ${ARG_PRIVATE_DEPENDS})
  if(POMLUX_SANITIZE AND BUILD_SHARED_LIBS)
    # Otherwise what a test instantiates of Eigen, not optimised, takes the place of the library's own.
    target_link_options(pomlux_${name} PRIVATE -Wl,-Bsymbolic-functions)
  endif()
  set_property(GLOBAL APPEND PROPERTY POMLUX_LIBRARIES pomlux_${name})
  foreach(header IN LISTS ARG_PUBLIC_HEADERS)
    set_property(GLOBAL APPEND PROPERTY POMLUX_HEADERS ${name}/${header})
  endforeach()
endfunction()

# pomlux_leaves(LIBRARY NAME OPTIONS...): inner loops, compiled once per instruction-set level and chosen at
# run time (core/isa.hpp): NAME_baseline.cpp, and NAME_v3.cpp and NAME_v4.cpp where the processor may have
# those levels. They include no header with inline functions, so no such function leaks to other levels.
# Set options keep them out of unity builds, too.
function(pomlux_leaves library name)
  target_sources(pomlux_${library} PRIVATE ${name}_baseline.cpp)
  set_source_files_properties(${name}_baseline.cpp PROPERTIES COMPILE_OPTIONS "${ARGN}")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    target_compile_definitions(pomlux_${library} PRIVATE POMLUX_X86_LEVELS)
    target_sources(pomlux_${library} PRIVATE ${name}_v3.cpp ${name}_v4.cpp)
    set_source_files_properties(${name}_v3.cpp PROPERTIES COMPILE_OPTIONS "${ARGN};-march=x86-64-v3")
    set_source_files_properties(${name}_v4.cpp PROPERTIES
      COMPILE_OPTIONS "${ARGN};-march=x86-64-v4;-mprefer-vector-width=512")
  endif()
endfunction()
