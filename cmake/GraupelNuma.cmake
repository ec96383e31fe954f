# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What NUMA needs: Graupel::hwloc (what a machine is made of; the command
# graupel) and Graupel::libnuma (system calls for memory; the runtime).

include_guard()

# graupel_find_numa_library(TARGET HEADER PACKAGE LIBRARY)
function(graupel_find_numa_library target header package library)
  string(TOUPPER ${target} upper)
  find_path(GRAUPEL_${upper}_INCLUDE_DIR ${header})
  find_library(GRAUPEL_${upper}_LIBRARY ${library})
  if(NOT GRAUPEL_${upper}_INCLUDE_DIR OR NOT GRAUPEL_${upper}_LIBRARY)
    message(FATAL_ERROR "${header} or lib${library} was not found. "
      "Install ${package}, or set CMAKE_PREFIX_PATH to where it is.")
  endif()
  add_library(graupel_${target} INTERFACE)
  add_library(Graupel::${target} ALIAS graupel_${target})
  target_include_directories(graupel_${target} SYSTEM INTERFACE
    ${GRAUPEL_${upper}_INCLUDE_DIR})
  target_link_libraries(graupel_${target} INTERFACE ${GRAUPEL_${upper}_LIBRARY})
endfunction()

graupel_find_numa_library(hwloc hwloc.h libhwloc-dev hwloc)
graupel_find_numa_library(libnuma numaif.h libnuma-dev numa)
