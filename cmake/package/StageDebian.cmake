# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Read by cpack between installation and packing: the files of each package as
# Debian wants them, and what graupel depends on.

set(stage "${CPACK_TEMPORARY_DIRECTORY}")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "Packing failed: ${ARGN}")
  endif()
endfunction()

# No symbols but those that programs are linked with and plugins resolve.
# Archives keep theirs: what is linked with them reports lines.
file(GLOB binaries "${stage}/graupel/usr/bin/*" "${stage}/graupel/usr/lib/*.so")
set(elf_files "")
foreach(file IN LISTS binaries)
  file(READ "${file}" magic LIMIT 4 HEX)
  if(magic STREQUAL "7f454c46")
    run(strip --strip-unneeded --remove-section=.comment "${file}")
    list(APPEND elf_files "${file}")
  endif()
  if(file MATCHES "\\.so$")
    run(chmod 644 "${file}")
  endif()
endforeach()

# The text of CHANGELOG.md, and one entry as Debian's tools read it.
function(write_changelogs folder)
  run(sh -c "gzip -9n < \"$1\" > \"$2\"" sh "${CPACK_GRAUPEL_SOURCE}/CHANGELOG.md" "${folder}/changelog.gz")
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE "${stage}/changelog"
"graupel (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Packed by cpack. What is new is in changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  run(sh -c "gzip -9n < \"$1\" > \"$2\"" sh "${stage}/changelog" "${folder}/changelog.Debian.gz")
  file(REMOVE "${stage}/changelog")
endfunction()

foreach(package graupel graupel-dev graupel-doc)
  set(folder "${stage}/${package}/usr/share/doc/${package}")
  file(COPY "${CMAKE_CURRENT_LIST_DIR}/copyright" DESTINATION "${folder}")
  write_changelogs("${folder}")
endforeach()
set(overrides "${stage}/graupel/usr/share/lintian/overrides")
file(MAKE_DIRECTORY "${overrides}")
file(COPY_FILE "${CMAKE_CURRENT_LIST_DIR}/lintian-overrides" "${overrides}/graupel")
file(GLOB pages "${stage}/graupel/usr/share/man/man1/*.1")
run(gzip -9n ${pages})

# dpkg-shlibdeps wants a source package's control file. What only programs of
# graupel dsm need is recommended. clang, which compiles these, takes most of a
# minute to install: graupel-dev recommends it.
# graupel-bisect is Python.
file(WRITE "${stage}/shlibdeps/debian/control" "Source: graupel\n\nPackage: graupel\nArchitecture: any\n")
set(dsm "${stage}/graupel/usr/lib/libgraupel-dsm.so")
list(REMOVE_ITEM elf_files "${dsm}")
execute_process(
  COMMAND dpkg-shlibdeps -O -dDepends ${elf_files} -dRecommends "${dsm}"
  WORKING_DIRECTORY "${stage}/shlibdeps"
  OUTPUT_VARIABLE dependencies ERROR_VARIABLE warnings RESULT_VARIABLE status)
if(NOT status EQUAL 0 OR NOT dependencies MATCHES "shlibs:Depends=([^\n]+)")
  message(FATAL_ERROR "dpkg-shlibdeps failed: ${warnings}")
endif()
set(CPACK_DEBIAN_GRAUPEL_PACKAGE_DEPENDS "${CMAKE_MATCH_1}, python3:any")
set(CPACK_DEBIAN_GRAUPEL_PACKAGE_SUGGESTS "clang-22, lld-22")
if(dependencies MATCHES "shlibs:Recommends=([^\n]+)")
  string(REGEX REPLACE "libgcc-s1[^,]*, " ""
    CPACK_DEBIAN_GRAUPEL_PACKAGE_RECOMMENDS "${CMAKE_MATCH_1}")
endif()
file(REMOVE_RECURSE "${stage}/shlibdeps")
