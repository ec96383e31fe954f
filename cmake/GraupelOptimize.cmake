# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Part of the package Graupel: programs that are optimized when they are built.
#
#   graupel_optimize(TARGET
#     TRAIN COMMAND [ARGUMENTS...]      typical work; names of targets are their
#                                       files
#     [LIBRARIES TARGET...]             that are optimized with it
#     [OPTIONS OPTION...]               for graupel-bolt
#     [WORKING_DIRECTORY FOLDER])       where COMMAND runs
#
# The target and the libraries are linked so that they can be optimized. Once they
# are built COMMAND runs, which must run TARGET, and counts; then there is an
# optimized file of each, of the same name, in optimized/ beside it:
# $<TARGET_FILE_DIR:TARGET>/optimized/$<TARGET_FILE_NAME:TARGET>. Install those;
# they have the run path of the build, so set BUILD_WITH_INSTALL_RPATH if they need
# another. They are made again only if a file or COMMAND changes. The target
# TARGET-optimized stands for them.
#
# Nothing of that is in the user's database: each has one of its own in the build.
function(graupel_optimize target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "WORKING_DIRECTORY"
    "TRAIN;LIBRARIES;OPTIONS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "graupel_optimize: there is no target ${target}; call it after add_executable.")
  endif()
  if(NOT arg_TRAIN)
    message(FATAL_ERROR "graupel_optimize(${target}): TRAIN is missing; give a command that runs ${target}.")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "graupel_optimize(${target}): unknown arguments ${arg_UNPARSED_ARGUMENTS}.")
  endif()
  if(NOT arg_WORKING_DIRECTORY)
    set(arg_WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  set(train "")
  foreach(word IN LISTS arg_TRAIN)
    if(TARGET ${word})
      set(word "$<TARGET_FILE:${word}>")
    endif()
    list(APPEND train "${word}")
  endforeach()
  set(files "")
  set(outputs "")
  foreach(image ${target} ${arg_LIBRARIES})
    target_link_options(${image} PRIVATE LINKER:--emit-relocs)
    set(output "$<TARGET_FILE_DIR:${image}>/optimized/$<TARGET_FILE_NAME:${image}>")
    list(APPEND files "$<TARGET_FILE:${image}>")
    list(APPEND outputs "${output}")
  endforeach()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.graupel")
  add_custom_command(OUTPUT "${folder}/done"
    COMMAND ${CMAKE_COMMAND}
      "-DGRAUPEL=$<TARGET_FILE:Graupel::graupel>" "-DFOLDER=${folder}"
      "-DPROGRAM=$<TARGET_FILE:${target}>" "-DFILES=${files}"
      "-DOUTPUTS=${outputs}" "-DOPTIONS=${arg_OPTIONS}"
      -P "${_graupel_optimize_step}" -- ${train}
    DEPENDS ${target} ${arg_LIBRARIES} ${files}
      "$<TARGET_FILE:Graupel::graupel>"
    WORKING_DIRECTORY "${arg_WORKING_DIRECTORY}"
    COMMENT "Optimizing ${target} by what it executes"
    VERBATIM)
  add_custom_target(${target}-optimized ALL DEPENDS "${folder}/done")
endfunction()
set(_graupel_optimize_step "${CMAKE_CURRENT_LIST_DIR}/GraupelOptimizeStep.cmake")
set(_graupel_optimize_step "${_graupel_optimize_step}" CACHE INTERNAL "")
