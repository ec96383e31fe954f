# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# -DGRAUPEL_PORTABLE_ROOT=FOLDER, from tools/fetch-portable-root.sh: programs that
# run on any x86-64 Linux whose C library is as old as the one in FOLDER, and need
# no other library. Sources are compiled as ever; they are linked with FOLDER's C
# library and with archives instead of shared libraries. What a newer C library
# would have had is in lib/OldLibc.
#
# Left out is what needs a certain clang or UCX: llvm-passes, runtime/dsm,
# runtime/libstdcxx and runtime/stride.

set(GRAUPEL_PORTABLE_ROOT "" CACHE PATH
  "Folder of tools/fetch-portable-root.sh, for programs that run elsewhere too")
if(NOT GRAUPEL_PORTABLE_ROOT)
  return()
endif()

file(GLOB gcc_folder "${GRAUPEL_PORTABLE_ROOT}/usr/lib/gcc/x86_64-linux-gnu/*")
if(NOT EXISTS "${GRAUPEL_PORTABLE_ROOT}/usr/lib/x86_64-linux-gnu/libc_nonshared.a"
   OR NOT EXISTS "${gcc_folder}/libgcc_eh.a")
  message(FATAL_ERROR "${GRAUPEL_PORTABLE_ROOT} holds no C library to link with. "
    "Run tools/fetch-portable-root.sh.")
endif()

# Archives under the names that LLVM gives to its libraries.
set(archive_folder "${CMAKE_BINARY_DIR}/archives")
file(MAKE_DIRECTORY "${archive_folder}")
foreach(name stdc++ z zstd)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${name}.a
    OUTPUT_VARIABLE archive OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT IS_ABSOLUTE "${archive}")
    message(FATAL_ERROR "lib${name}.a was not found. Install its -dev package.")
  endif()
  file(CREATE_LINK "${archive}" "${archive_folder}/lib${name}.a" SYMBOLIC)
endforeach()
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(GRAUPEL_LIBNUMA_LIBRARY graupel_old_libc)

add_link_options(--sysroot=${GRAUPEL_PORTABLE_ROOT} --gcc-install-dir=${gcc_folder}
  -L${archive_folder} -static-libstdc++ -static-libgcc -pthread -Wl,--as-needed)
