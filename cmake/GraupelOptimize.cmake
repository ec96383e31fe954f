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
# The program and the libraries are linked so that they can be optimized. Once they
# are built COMMAND runs, which must run TARGET, and counts. Then optimized files
# take the place of what was linked: tests run them, programs load them, and
# install(TARGETS) ships them. They keep the times of the link, so nothing is
# linked again. The target TARGET-optimized, a part of `all`, does it; as long as
# it has not, installing is an error.
#
# A file is optimized again when it is linked again, and all are linked again when
# the arguments, a file of the source tree among them, or Graupel change. What was
# linked is kept as CMakeFiles/TARGET.graupel/linked/TARGET in the folder of the
# build, with a database of its own: the user's has nothing of it.
cmake_policy(PUSH)
cmake_policy(VERSION 3.16...3.21)
function(graupel_optimize target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "WORKING_DIRECTORY"
    "TRAIN;LIBRARIES;OPTIONS")
  set(me "graupel_optimize(${target})")
  if(CMAKE_VERSION VERSION_LESS 3.21)
    message(FATAL_ERROR "${me}: this is CMake ${CMAKE_VERSION}; 3.21 or newer is needed.")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${me}: there is no target ${target}; call it after add_executable.")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${me}: unknown arguments ${arg_UNPARSED_ARGUMENTS}.")
  endif()
  if("${arg_TRAIN}" STREQUAL "")
    message(FATAL_ERROR "${me}: TRAIN is missing: a command that makes ${target} do typical work, as in\n"
      "  graupel_optimize(${target} TRAIN ${target} --typical work)\n"
      "Programs are optimized by what they execute then.")
  endif()
  if(NOT arg_WORKING_DIRECTORY)
    set(arg_WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.graupel")
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi_config)
    string(APPEND folder "/$<CONFIG>")
  endif()
  set(settings "${folder}/settings")
  set(causes "${settings}" "$<TARGET_FILE:Graupel::graupel>"
    "$<TARGET_FILE:Graupel::graupel-bolt>")
  set(train "")
  set(trainers "")
  foreach(word IN LISTS arg_TRAIN)
    cmake_path(IS_PREFIX CMAKE_SOURCE_DIR "${word}" NORMALIZE in_sources)
    cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${word}" NORMALIZE in_build)
    if(TARGET ${word})
      list(APPEND trainers ${word})
      set(word "$<TARGET_FILE:${word}>")
    elseif(in_sources AND NOT in_build AND EXISTS "${word}" AND NOT IS_DIRECTORY "${word}")
      list(APPEND causes "${word}")
    endif()
    list(APPEND train "${word}")
  endforeach()

  set(images "")
  set(files "")
  foreach(image IN ITEMS ${target} LISTS arg_LIBRARIES)
    _graupel_check_image(${image} real)
    # What changes without a link would keep its time, and `cmake --install` goes
    # by times.
    set_property(TARGET ${real} APPEND PROPERTY LINK_DEPENDS ${causes})
    target_link_options(${real} PRIVATE LINKER:--emit-relocs)
    list(APPEND images ${real})
    list(APPEND files "$<TARGET_FILE:${real}>")
  endforeach()
  # Make does not see that a command has changed.
  file(GENERATE OUTPUT "${settings}"
    CONTENT "${train}\n${arg_OPTIONS}\n${arg_WORKING_DIRECTORY}\n${files}\n")
  add_custom_command(OUTPUT "${folder}/done"
    COMMAND ${CMAKE_COMMAND}
      "-DGRAUPEL=$<TARGET_FILE:Graupel::graupel>" "-DFOLDER=${folder}"
      "-DLOCK=${CMAKE_BINARY_DIR}/CMakeFiles/graupel.lock"
      "-DIMAGES=${images}" "-DFILES=${files}" "-DOPTIONS=${arg_OPTIONS}"
      -P "${_graupel_optimize_step}" -- ${train}
    DEPENDS ${images} ${trainers} ${files} ${causes}
    WORKING_DIRECTORY "${arg_WORKING_DIRECTORY}"
    COMMENT "Optimizing ${target} by what it executes"
    VERBATIM)
  add_custom_target(${target}-optimized ALL DEPENDS "${folder}/done")

  # Nothing else is installed. An optimized file has the time of what was linked: if
  # that stayed where it was installed, the next `cmake --install` would take it for
  # up to date.
  string(CONFIGURE [[
set(files "@files@")
set(plain "")
foreach(file IN LISTS files)
  if(EXISTS "${file}" AND NOT (EXISTS "@folder@/done" AND "@folder@/done" IS_NEWER_THAN "${file}"))
    list(APPEND plain "${file}")
    get_filename_component(name "${file}" NAME)
    foreach(installed IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
      if(installed MATCHES "/([^/]+)$" AND CMAKE_MATCH_1 STREQUAL name)
        file(REMOVE "$ENV{DESTDIR}${installed}")
      endif()
    endforeach()
  endif()
endforeach()
if(plain)
  message(FATAL_ERROR "Not optimized: ${plain}; build the target @target@-optimized, and install again.")
endif()
]] check @ONLY)
  file(GENERATE OUTPUT "${folder}/check.cmake" CONTENT "${check}")
  # Old policies of a project keep generator expressions from being evaluated here.
  string(REPLACE "$<CONFIG>" "\${CMAKE_INSTALL_CONFIG_NAME}" folder "${folder}")
  install(CODE "include(\"${folder}/check.cmake\")" ALL_COMPONENTS)
endfunction()

# What is behind a name, if it can be optimized, and in one place only.
function(_graupel_check_image image result)
  if(NOT TARGET ${image})
    message(FATAL_ERROR "${me}: there is no target ${image}; call it after add_library.")
  endif()
  get_target_property(real ${image} ALIASED_TARGET)
  if(NOT real)
    set(real ${image})
  endif()
  get_target_property(type ${real} TYPE)
  get_target_property(imported ${real} IMPORTED)
  get_target_property(before ${real} _GRAUPEL_OPTIMIZED)
  if(imported)
    message(FATAL_ERROR "${me}: ${image} is not built by this project.")
  elseif(image STREQUAL target)
    if(NOT type STREQUAL "EXECUTABLE")
      message(FATAL_ERROR "${me}: it is no program; name a program, and the library under LIBRARIES.")
    endif()
  elseif(NOT type MATCHES "^(SHARED|MODULE)_LIBRARY$")
    message(FATAL_ERROR "${me}: ${image} is no shared library; what is linked into ${target} is optimized with it.")
  endif()
  if(before)
    message(FATAL_ERROR "${me}: ${image} is optimized by ${before} already, and can be by one call only.")
  endif()
  set_target_properties(${real} PROPERTIES _GRAUPEL_OPTIMIZED "${me}")
  set(${result} ${real} PARENT_SCOPE)
endfunction()
cmake_policy(POP)
set(_graupel_optimize_step "${CMAKE_CURRENT_LIST_DIR}/GraupelOptimizeStep.cmake")
set(_graupel_optimize_step "${_graupel_optimize_step}" CACHE INTERNAL "")
