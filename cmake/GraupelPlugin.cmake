# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Part of the package Graupel: what it takes to build a pass plugin. A plugin
# contains no LLVM; it resolves LLVM and BOLT against the graupel-bolt that
# loads it, and therefore has to be compiled as they were.

# Sets OUT to why plugins cannot be built here, or to nothing.
function(_graupel_plugin_obstacle out)
  set(${out} "" PARENT_SCOPE)
  string(REGEX MATCH "^[0-9]+" major "${GRAUPEL_LLVM_VERSION}")

  find_program(GRAUPEL_LLVM_CONFIG NAMES llvm-config-${major} llvm-config
    DOC "llvm-config of LLVM ${GRAUPEL_LLVM_VERSION}")
  if(NOT GRAUPEL_LLVM_CONFIG)
    set(${out} "llvm-config-${major} was not found. Install llvm-${major}-dev or pass -DGRAUPEL_LLVM_CONFIG=PATH."
      PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND "${GRAUPEL_LLVM_CONFIG}" --version --includedir
    OUTPUT_VARIABLE answer RESULT_VARIABLE status ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0 OR NOT answer MATCHES "^([^\n]+)\n(.+)$")
    set(${out} "${GRAUPEL_LLVM_CONFIG} does not answer. Pass -DGRAUPEL_LLVM_CONFIG=PATH." PARENT_SCOPE)
    return()
  endif()
  set(version "${CMAKE_MATCH_1}")
  set(GRAUPEL_LLVM_INCLUDE_DIR "${CMAKE_MATCH_2}" PARENT_SCOPE)
  if(NOT version STREQUAL GRAUPEL_LLVM_VERSION)
    set(${out} "${GRAUPEL_LLVM_CONFIG} is LLVM ${version}, and this graupel-bolt loads only plugins built against ${GRAUPEL_LLVM_VERSION}. Pass -DGRAUPEL_LLVM_CONFIG=PATH."
      PARENT_SCOPE)
    return()
  endif()

  if(NOT EXISTS "${GRAUPEL_BOLT_INCLUDE_DIR}/bolt/Core/BinaryContext.h")
    if(GRAUPEL_BOLT_INCLUDE_DIR)
      set(found "GRAUPEL_BOLT_INCLUDE_DIR is ${GRAUPEL_BOLT_INCLUDE_DIR}, which holds no bolt/Core/BinaryContext.h.")
    else()
      set(found "GRAUPEL_BOLT_INCLUDE_DIR is not set: plugins need BOLT's headers, which no package provides.")
    endif()
    set(${out} "${found} Run\n  ${Graupel_FETCH_BOLT_HEADERS} DIR\nand pass -DGRAUPEL_BOLT_INCLUDE_DIR=DIR/include."
      PARENT_SCOPE)
    return()
  endif()
  get_filename_component(parent "${GRAUPEL_BOLT_INCLUDE_DIR}" DIRECTORY)
  if(EXISTS "${parent}/VERSION")
    file(STRINGS "${parent}/VERSION" version LIMIT_COUNT 1)
    if(NOT version STREQUAL GRAUPEL_LLVM_VERSION)
      set(${out} "BOLT's headers in ${GRAUPEL_BOLT_INCLUDE_DIR} are of version ${version}, this graupel-bolt is ${GRAUPEL_LLVM_VERSION}. Remove the folder and run ${Graupel_FETCH_BOLT_HEADERS} again."
        PARENT_SCOPE)
    endif()
  endif()
endfunction()

_graupel_plugin_obstacle(_graupel_obstacle)
if(_graupel_obstacle STREQUAL "")
  set(Graupel_bolt-plugin_FOUND TRUE)
  if(NOT TARGET Graupel::bolt-plugin)
    add_library(Graupel::bolt-plugin INTERFACE IMPORTED)
    set_target_properties(Graupel::bolt-plugin PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES
        "${Graupel_INCLUDE_DIR};${GRAUPEL_BOLT_INCLUDE_DIR};${GRAUPEL_LLVM_INCLUDE_DIR}"
      INTERFACE_SYSTEM_INCLUDE_DIRECTORIES
        "${GRAUPEL_BOLT_INCLUDE_DIR};${GRAUPEL_LLVM_INCLUDE_DIR}"
      INTERFACE_COMPILE_FEATURES cxx_std_17
      INTERFACE_COMPILE_DEFINITIONS
        "_GNU_SOURCE;__STDC_CONSTANT_MACROS;__STDC_FORMAT_MACROS;__STDC_LIMIT_MACROS"
      # LLVM and BOLT are built without RTTI; a class derived from theirs must be too.
      INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:-fno-rtti;-fno-exceptions>")
  endif()
else()
  set(Graupel_bolt-plugin_FOUND FALSE)
  if("bolt-plugin" IN_LIST Graupel_FIND_COMPONENTS AND Graupel_FIND_REQUIRED_bolt-plugin)
    set(Graupel_NOT_FOUND_MESSAGE "${_graupel_obstacle}")
  endif()
endif()
set_property(GLOBAL PROPERTY _GRAUPEL_PLUGIN_OBSTACLE "${_graupel_obstacle}")
unset(_graupel_obstacle)

# Builds the pass plugin NAME.so; load it with graupel-bolt --load-bolt-plugin.
function(graupel_add_bolt_plugin name)
  get_property(obstacle GLOBAL PROPERTY _GRAUPEL_PLUGIN_OBSTACLE)
  if(obstacle)
    message(FATAL_ERROR "The plugin '${name}' cannot be built. ${obstacle}")
  endif()
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE Graupel::bolt-plugin)
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so")
endfunction()
