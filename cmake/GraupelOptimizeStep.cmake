# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What graupel_optimize() does when a program is built: cmake -DGRAUPEL= -DFOLDER=
# -DPROGRAM= -DFILES= -DOUTPUTS= -DOPTIONS= -P this -- COMMAND...

set(train "")
set(behind FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(behind)
    list(APPEND train "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(behind TRUE)
  endif()
endforeach()

set(ENV{XDG_STATE_HOME} "${FOLDER}/state")
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed with status ${status}; see above.")
  endif()
endfunction()

file(REMOVE "${FOLDER}/done")
run("Registering ${PROGRAM}" "${GRAUPEL}" register --json "${PROGRAM}"
  OUTPUT_QUIET)
run("The training command" "${GRAUPEL}" learn -- ${train})
set(options "")
if(OPTIONS)
  set(options -- ${OPTIONS})
endif()
run("Optimizing ${PROGRAM}" "${GRAUPEL}" optimize "${PROGRAM}" ${options})
file(REMOVE_RECURSE "${FOLDER}/exported")
run("Exporting ${PROGRAM}" "${GRAUPEL}" export "${PROGRAM}" "${FOLDER}/exported"
  OUTPUT_QUIET)
foreach(file output IN ZIP_LISTS FILES OUTPUTS)
  file(REAL_PATH "${file}" real)
  if(NOT EXISTS "${FOLDER}/exported${real}")
    message(FATAL_ERROR "${file} was not optimized; does the training command run it?")
  endif()
  get_filename_component(parent "${output}" DIRECTORY)
  file(COPY "${FOLDER}/exported${real}" DESTINATION "${parent}")
endforeach()
file(TOUCH "${FOLDER}/done")
