# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Part of the package Graupel: the target Graupel::dsm. What links with it is
# compiled with checks and runs under distributed shared memory (graupel/dsm.h).
# Needs Graupel_DSM_CFG, clang's configuration file, and GRAUPEL_LLVM_VERSION.

string(REGEX MATCH "^[0-9]+" _graupel_major "${GRAUPEL_LLVM_VERSION}")
set(_graupel_obstacle "")
foreach(_graupel_language C CXX)
  if(CMAKE_${_graupel_language}_COMPILER_LOADED AND NOT
     (CMAKE_${_graupel_language}_COMPILER_ID STREQUAL "Clang" AND
      CMAKE_${_graupel_language}_COMPILER_VERSION VERSION_GREATER_EQUAL ${_graupel_major} AND
      CMAKE_${_graupel_language}_COMPILER_VERSION VERSION_LESS "${_graupel_major}.99"))
    set(_graupel_obstacle "Graupel::dsm needs Clang ${_graupel_major}, the compiler for ${_graupel_language} is ${CMAKE_${_graupel_language}_COMPILER}. Pass -DCMAKE_C_COMPILER=clang-${_graupel_major} -DCMAKE_CXX_COMPILER=clang++-${_graupel_major}.")
  endif()
endforeach()
if(NOT EXISTS "${Graupel_DSM_CFG}")
  set(_graupel_obstacle "This Graupel has no DSM, since it was built for any Linux. Install the Debian package, or build Graupel here.")
endif()

if(_graupel_obstacle STREQUAL "")
  set(Graupel_dsm_FOUND TRUE)
  if(NOT TARGET Graupel::dsm)
    add_library(Graupel::dsm INTERFACE IMPORTED)
    set_target_properties(Graupel::dsm PROPERTIES
      INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:C,CXX>:--config=${Graupel_DSM_CFG}>"
      INTERFACE_LINK_OPTIONS "--config=${Graupel_DSM_CFG}")
  endif()
else()
  set(Graupel_dsm_FOUND FALSE)
  if("dsm" IN_LIST Graupel_FIND_COMPONENTS AND Graupel_FIND_REQUIRED_dsm)
    set(Graupel_NOT_FOUND_MESSAGE "${_graupel_obstacle}")
  endif()
endif()
unset(_graupel_major)
unset(_graupel_obstacle)
