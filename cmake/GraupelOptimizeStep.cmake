# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What graupel_optimize() does when a program is built: cmake -DGRAUPEL= -DFOLDER=
# -DLOCK= -DIMAGES= -DFILES= -DOPTIONS= -P this -- COMMAND...
#
# The first image is the program; FILES are where they were linked. In FOLDER are
# linked/IMAGE, optimized/IMAGE, and `done` as long as the latter are in place. If
# anything fails, what was linked is in place, and `done` is not there.
cmake_policy(VERSION 3.21)

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

# Copies with rights and times; nobody sees half a file.
function(put from to)
  run("Copying ${from}" cp -p "${from}" "${to}.graupel")
  file(RENAME "${to}.graupel" "${to}")
endfunction()

# A step does not train with files that another one is replacing.
file(LOCK "${LOCK}")
file(REMOVE "${FOLDER}/done")
# What an earlier command has counted does not count.
file(REMOVE_RECURSE "${FOLDER}/state")
file(MAKE_DIRECTORY "${FOLDER}/linked" "${FOLDER}/optimized")
set(linked_again "")
foreach(image file IN ZIP_LISTS IMAGES FILES)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E compare_files "${file}" "${FOLDER}/optimized/${image}"
    RESULT_VARIABLE differs OUTPUT_QUIET ERROR_QUIET)
  if(differs)
    list(APPEND linked_again "${image}")
    put("${file}" "${FOLDER}/linked/${image}")
  else()
    put("${FOLDER}/linked/${image}" "${file}")
  endif()
endforeach()

list(GET FILES 0 program)
run("Registering ${program}" "${GRAUPEL}" register --json "${program}"
  OUTPUT_QUIET)
run("The training command" "${GRAUPEL}" learn -- ${train})
set(options "")
if(OPTIONS)
  set(options -- ${OPTIONS})
endif()
run("Optimizing ${program}" "${GRAUPEL}" optimize --no-measure "${program}" ${options})
file(REMOVE_RECURSE "${FOLDER}/exported")
run("Exporting ${program}" "${GRAUPEL}" export "${program}" "${FOLDER}/exported"
  OUTPUT_QUIET)
foreach(image file IN ZIP_LISTS IMAGES FILES)
  if(image IN_LIST linked_again)
    file(REAL_PATH "${file}" real)
    if(NOT EXISTS "${FOLDER}/exported${real}")
      message(FATAL_ERROR "${file} was not optimized: see above; the training command has to run it.")
    endif()
    file(RENAME "${FOLDER}/exported${real}" "${FOLDER}/optimized/${image}")
    run("Setting the time of ${image}" touch -r "${file}" "${FOLDER}/optimized/${image}")
  endif()
endforeach()
foreach(image file IN ZIP_LISTS IMAGES FILES)
  put("${FOLDER}/optimized/${image}" "${file}")
endforeach()
file(REMOVE_RECURSE "${FOLDER}/exported")
file(TOUCH "${FOLDER}/done")
