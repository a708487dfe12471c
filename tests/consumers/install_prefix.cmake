# Installs the build in BINARY_DIR into an empty PREFIX, and checks what came.
unset(ENV{DESTDIR})
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${PREFIX}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(header pomlux.hpp version.hpp core/types.hpp gp/kernel.hpp estimators/f_lite.hpp)
  if(NOT EXISTS ${PREFIX}/include/pomlux/${header})
    message(FATAL_ERROR "<pomlux/${header}> was not installed")
  endif()
endforeach()
# Nothing installed may point back to where it was built.
file(GLOB_RECURSE texts ${PREFIX}/*.cmake ${PREFIX}/*.pc ${PREFIX}/*.hpp)
foreach(text IN LISTS texts)
  file(READ ${text} content)
  string(FIND "${content}" "${BINARY_DIR}" position)
  if(NOT position EQUAL -1)
    message(FATAL_ERROR "${text} names the build folder ${BINARY_DIR}")
  endif()
endforeach()
