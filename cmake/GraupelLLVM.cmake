# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds LLVM 22 and what graupel-bolt needs of BOLT, and offers both as
# interface targets:
#   graupel_llvm_headers  compile flags for code that sees only LLVM's headers
#   graupel_bolt          the above, BOLT's headers, and the static libraries
#
# BOLT is linked statically, and LLVM with it: libLLVM.so hides symbols that
# BOLT needs, and a program with both copies registers every option twice.

set(GRAUPEL_LLVM_MAJOR 22)

find_program(GRAUPEL_LLVM_CONFIG
  NAMES llvm-config-${GRAUPEL_LLVM_MAJOR}
  DOC "llvm-config of LLVM ${GRAUPEL_LLVM_MAJOR}")
if(NOT GRAUPEL_LLVM_CONFIG)
  message(FATAL_ERROR "llvm-config-${GRAUPEL_LLVM_MAJOR} was not found. "
    "Install LLVM ${GRAUPEL_LLVM_MAJOR} (tools/quickstart.sh does it on Debian 12) "
    "or pass -DGRAUPEL_LLVM_CONFIG=PATH.")
endif()

function(graupel_llvm_query out)
  execute_process(COMMAND ${GRAUPEL_LLVM_CONFIG} ${ARGN}
    OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  if(GRAUPEL_PORTABLE_ROOT)
    # LLVM names them, and nothing of it that we link calls them.
    string(REGEX REPLACE "[^ \n]*(z3|xml2)[^ \n]*" "" text "${text}")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

graupel_llvm_query(GRAUPEL_LLVM_VERSION --version)
graupel_llvm_query(GRAUPEL_LLVM_INCLUDE_DIR --includedir)
graupel_llvm_query(GRAUPEL_LLVM_LIB_DIR --libdir)
graupel_llvm_query(GRAUPEL_LLVM_BIN_DIR --bindir)
graupel_llvm_query(GRAUPEL_LLVM_SYSTEM_LIBS --link-static --system-libs)
graupel_llvm_query(GRAUPEL_LLVM_LIBS --link-static --libs
  x86 aarch64 riscv dwarflinker
  dwarflinkerclassic dwp jitlink orctargetprocess orcshared symbolize
  debuginfodwarf object mcdisassembler asmprinter profiledata)

if(NOT GRAUPEL_LLVM_VERSION VERSION_GREATER_EQUAL ${GRAUPEL_LLVM_MAJOR}
   OR GRAUPEL_LLVM_VERSION VERSION_GREATER_EQUAL 23)
  message(FATAL_ERROR "${GRAUPEL_LLVM_CONFIG} is version ${GRAUPEL_LLVM_VERSION}; "
    "Graupel needs LLVM ${GRAUPEL_LLVM_MAJOR}.")
endif()

# --- BOLT's headers: not packaged, see tools/fetch-bolt-headers.sh -----------
set(GRAUPEL_BOLT_INCLUDE_DIR "${CMAKE_SOURCE_DIR}/build/bolt-headers/include"
  CACHE PATH "Folder that holds bolt/Core/BinaryContext.h of LLVM ${GRAUPEL_LLVM_VERSION}")
if(NOT EXISTS "${GRAUPEL_BOLT_INCLUDE_DIR}/bolt/Core/BinaryContext.h")
  message(FATAL_ERROR "BOLT's headers were not found in ${GRAUPEL_BOLT_INCLUDE_DIR}. "
    "Run tools/fetch-bolt-headers.sh, or pass -DGRAUPEL_BOLT_INCLUDE_DIR=PATH "
    "if you have the include folder of BOLT ${GRAUPEL_LLVM_VERSION}.")
endif()
get_filename_component(bolt_header_parent "${GRAUPEL_BOLT_INCLUDE_DIR}" DIRECTORY)
if(EXISTS "${bolt_header_parent}/VERSION")
  file(STRINGS "${bolt_header_parent}/VERSION" bolt_header_version LIMIT_COUNT 1)
  if(NOT bolt_header_version STREQUAL GRAUPEL_LLVM_VERSION)
    message(FATAL_ERROR "BOLT's headers in ${GRAUPEL_BOLT_INCLUDE_DIR} are of version "
      "${bolt_header_version}, LLVM is ${GRAUPEL_LLVM_VERSION}. Remove the folder and "
      "run tools/fetch-bolt-headers.sh again.")
  endif()
endif()

# The one generated header BOLT 22's public headers and its driver need.
set(GRAUPEL_BOLT_GENERATED "${CMAKE_BINARY_DIR}/bolt-generated")
file(CONFIGURE OUTPUT "${GRAUPEL_BOLT_GENERATED}/bolt/Core/TargetConfig.def" CONTENT
"BOLT_TARGET(X86)
BOLT_TARGET(AArch64)
BOLT_TARGET(RISCV)
#undef BOLT_TARGET
")

add_library(graupel_llvm_headers INTERFACE)
target_include_directories(graupel_llvm_headers SYSTEM INTERFACE ${GRAUPEL_LLVM_INCLUDE_DIR})
target_compile_definitions(graupel_llvm_headers INTERFACE
  _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
# LLVM and BOLT are built without RTTI; a class derived from theirs must be too.
target_compile_options(graupel_llvm_headers INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti -fno-exceptions>
  -Wall -Wextra -Wno-unused-parameter
  # libstdc++ 12's own std::stable_sort trips over it.
  -Wno-deprecated-declarations)

add_library(graupel_bolt INTERFACE)
target_link_libraries(graupel_bolt INTERFACE graupel_llvm_headers)
target_include_directories(graupel_bolt SYSTEM INTERFACE
  ${GRAUPEL_BOLT_INCLUDE_DIR} ${GRAUPEL_BOLT_GENERATED})

file(GLOB GRAUPEL_BOLT_ARCHIVES CONFIGURE_DEPENDS "${GRAUPEL_LLVM_LIB_DIR}/libLLVMBOLT*.a")
if(NOT GRAUPEL_BOLT_ARCHIVES)
  message(FATAL_ERROR "No libLLVMBOLT*.a in ${GRAUPEL_LLVM_LIB_DIR}. "
    "Install libbolt-${GRAUPEL_LLVM_MAJOR}-dev.")
endif()
separate_arguments(llvm_libs UNIX_COMMAND "${GRAUPEL_LLVM_LIBS}")
separate_arguments(system_libs UNIX_COMMAND "${GRAUPEL_LLVM_SYSTEM_LIBS}")
set(GRAUPEL_BOLT_LINK
  -L${GRAUPEL_LLVM_LIB_DIR}
  -Wl,--start-group ${GRAUPEL_BOLT_ARCHIVES} ${llvm_libs} -Wl,--end-group
  ${system_libs})
