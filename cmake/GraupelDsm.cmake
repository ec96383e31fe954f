# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What runtime/dsm needs: Graupel::ucx (messages) and Graupel::pmix (start-up
# under mpirun and srun).

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(GRAUPEL_PKG_UCX QUIET ucx)
  pkg_check_modules(GRAUPEL_PKG_PMIX QUIET pmix)
endif()

# graupel_find_dsm_library(TARGET HEADER PACKAGE LIBRARY...)
function(graupel_find_dsm_library target header package)
  string(TOUPPER ${target} upper)
  find_path(GRAUPEL_${upper}_INCLUDE_DIR ${header}
    HINTS ${GRAUPEL_PKG_${upper}_INCLUDE_DIRS}
    /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pmix2/include)
  set(found ${GRAUPEL_${upper}_INCLUDE_DIR})
  add_library(graupel_${target} INTERFACE)
  add_library(Graupel::${target} ALIAS graupel_${target})
  foreach(library IN LISTS ARGN)
    find_library(GRAUPEL_${library}_LIBRARY ${library}
      HINTS ${GRAUPEL_PKG_${upper}_LIBRARY_DIRS}
      /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pmix2/lib)
    if(NOT GRAUPEL_${library}_LIBRARY)
      set(found FALSE)
    endif()
    target_link_libraries(graupel_${target} INTERFACE ${GRAUPEL_${library}_LIBRARY})
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "${header} or its library (${ARGN}) was not found. "
      "Install ${package}, or set CMAKE_PREFIX_PATH to where it is.")
  endif()
  target_include_directories(graupel_${target} SYSTEM INTERFACE
    ${GRAUPEL_${upper}_INCLUDE_DIR})
endfunction()

graupel_find_dsm_library(ucx ucp/api/ucp.h libucx-dev ucp ucs)
graupel_find_dsm_library(pmix pmix.h libpmix-dev pmix)
