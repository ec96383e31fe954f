# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Precompiled headers. Without them nine tenths of the time for a file go to the
# headers of LLVM and the standard library. The sources still include what they
# use; -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON shows whether they do.
#
#   graupel_precompiled_llvm      for libraries that see LLVM's support library
#   graupel_precompiled_programs  the same for programs, which are not -fPIC
#
# bolt-plugins/ and llvm-passes/ have sets of their own.

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/Precompiled.cpp CONTENT "")

function(graupel_add_precompiled name)
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/Precompiled.cpp)
  target_link_libraries(${name} PRIVATE graupel_llvm_headers)
  target_precompile_headers(${name} PRIVATE
    <algorithm> <array> <cstdint> <cstring> <functional> <map> <memory>
    <numeric> <optional> <set> <string> <tuple> <utility> <vector>
    <llvm/ADT/ArrayRef.h> <llvm/ADT/DenseMap.h> <llvm/ADT/DenseSet.h>
    <llvm/ADT/STLExtras.h> <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h>
    <llvm/ADT/StringMap.h> <llvm/ADT/StringRef.h> <llvm/Support/Endian.h>
    <llvm/Support/Error.h> <llvm/Support/FileSystem.h>
    <llvm/Support/FormatVariadic.h> <llvm/Support/JSON.h>
    <llvm/Support/MemoryBuffer.h> <llvm/Support/Path.h>
    <llvm/Support/raw_ostream.h>)
endfunction()

graupel_add_precompiled(graupel_precompiled_llvm)
graupel_add_precompiled(graupel_precompiled_programs)
set_target_properties(graupel_precompiled_programs PROPERTIES
  POSITION_INDEPENDENT_CODE OFF)
target_compile_options(graupel_precompiled_programs PRIVATE -fPIE)
