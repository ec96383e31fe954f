# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DREADELF=llvm-readelf -DBLOB=FILE -DOBJECTS=a.o,b.o -P CheckBlob.cmake
#
# Fails unless the blob works wherever it is copied to. The objects are looked
# at too, since the linker resolves absolute relocations silently.

function(readelf out)
  execute_process(COMMAND ${READELF} ${ARGN} OUTPUT_VARIABLE text
    COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

string(REPLACE "," ";" objects "${OBJECTS}")
readelf(relocations -r -W ${objects})
string(REGEX MATCHALL "R_X86_64_[A-Z0-9_]+" kinds "${relocations}")
list(REMOVE_DUPLICATES kinds)
list(REMOVE_ITEM kinds R_X86_64_PC32 R_X86_64_PLT32)
if(kinds)
  message(FATAL_ERROR "${BLOB}: its code depends on its address: ${kinds}")
endif()

readelf(relocations -r -W ${BLOB})
if(relocations MATCHES "R_X86_64_")
  message(FATAL_ERROR "${BLOB} has relocations:\n${relocations}")
endif()

readelf(segments -l -W ${BLOB})
string(REGEX MATCHALL "\n  LOAD[^\n]*" loads "${segments}")
list(LENGTH loads count)
if(NOT count EQUAL 1 OR NOT loads MATCHES " R E ")
  message(FATAL_ERROR "${BLOB} must have one read-only segment:\n${segments}")
endif()

readelf(symbols -s -W ${BLOB})
if(symbols MATCHES " UND [a-zA-Z_]")
  message(FATAL_ERROR "${BLOB} has undefined symbols:\n${symbols}")
endif()
