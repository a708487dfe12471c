# Installs the build in BINARY_DIR, moves the tree to PREFIX, where it has to work as well, and checks
# what came.
unset(ENV{DESTDIR})
file(REMOVE_RECURSE ${PREFIX} ${PREFIX}_first)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${PREFIX}_first
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${PREFIX}_first ${PREFIX})
foreach(header pomlux.hpp version.hpp core/types.hpp gp/kernel.hpp estimators/f_lite.hpp)
  if(NOT EXISTS ${PREFIX}/include/pomlux/${header})
    message(FATAL_ERROR "<pomlux/${header}> was not installed")
  endif()
endforeach()
if(EXISTS ${PREFIX}/bin/pomlux)
  execute_process(COMMAND ${PREFIX}/bin/pomlux --version OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endif()
# Nothing installed may point back to where it was built, nor to where it was first.
file(GLOB_RECURSE texts ${PREFIX}/*.cmake ${PREFIX}/*.pc ${PREFIX}/*.hpp)
foreach(text IN LISTS texts)
  file(READ ${text} content)
  string(FIND "${content}" "${BINARY_DIR}" position)
  if(NOT position EQUAL -1)
    message(FATAL_ERROR "${text} names the build folder ${BINARY_DIR}")
  endif()
endforeach()
