# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the manager page needs: Graupel::http, cpp-httplib. As a library, its
# classes look as the options say with which it was built; as a header alone
# there are none.

include_guard()

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(GRAUPEL_PKG_HTTP QUIET cpp-httplib)
endif()
find_path(GRAUPEL_HTTP_INCLUDE_DIR httplib.h HINTS ${GRAUPEL_PKG_HTTP_INCLUDE_DIRS})
find_library(GRAUPEL_HTTP_LIBRARY cpp-httplib HINTS ${GRAUPEL_PKG_HTTP_LIBRARY_DIRS})
find_package(Threads REQUIRED)
if(NOT GRAUPEL_HTTP_INCLUDE_DIR)
  message(FATAL_ERROR "httplib.h was not found. "
    "Install libcpp-httplib-dev, or set CMAKE_PREFIX_PATH to where it is.")
endif()
add_library(graupel_http INTERFACE)
add_library(Graupel::http ALIAS graupel_http)
target_include_directories(graupel_http SYSTEM INTERFACE ${GRAUPEL_HTTP_INCLUDE_DIR})
target_link_libraries(graupel_http INTERFACE Threads::Threads)
if(GRAUPEL_HTTP_LIBRARY)
  if(NOT GRAUPEL_PKG_HTTP_FOUND)
    message(FATAL_ERROR "libcpp-httplib was found, but not the options that it was built with. "
      "Install pkg-config.")
  endif()
  target_compile_options(graupel_http INTERFACE ${GRAUPEL_PKG_HTTP_CFLAGS_OTHER})
  target_link_libraries(graupel_http INTERFACE ${GRAUPEL_HTTP_LIBRARY})
endif()
