# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs graupel-bolt, the header for pass plugins, and the CMake package
# `Graupel` (cmake/GraupelConfig.cmake.in says what it offers). The package also
# works without an installation: -DGraupel_DIR=BUILD/cmake.
#
# BOLT's headers are not ours to install; the script that fetches them is
# installed instead.
#
# Each file is of one component, which becomes a package: graupel (the default),
# graupel-dev or graupel-doc.

include(CMakePackageConfigHelpers)

set(GRAUPEL_INSTALL_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/Graupel")
set(graupel_package_dir "${CMAKE_BINARY_DIR}/cmake")

install(TARGETS graupel-bolt EXPORT GraupelTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS graupel graupel-linker graupel-ui EXPORT GraupelTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(PROGRAMS tools/graupel-bisect DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES bolt-plugins/include/graupel/BoltPassPlugin.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graupel COMPONENT graupel-dev)
install(FILES
  runtime/include/graupel/dsm.h
  runtime/include/graupel/dsm.hpp
  runtime/include/graupel/dsm_checks.h
  runtime/include/graupel/dsm_library.def
  runtime/include/graupel/dsm_sequential.h
  runtime/include/graupel/dsm_wrappers.h
  runtime/include/graupel/numa.h
  runtime/include/graupel/tempest.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graupel COMPONENT graupel-dev)
install(PROGRAMS tools/fetch-bolt-headers.sh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/graupel COMPONENT graupel-dev)
# Debian's packages name the license in a file of their own.
set(doc_folder "${CMAKE_INSTALL_DATAROOTDIR}/doc/graupel")
install(FILES LICENSE DESTINATION ${doc_folder} COMPONENT license)
install(FILES README.md CHANGELOG.md DESTINATION ${doc_folder} COMPONENT graupel-doc)
install(DIRECTORY docs DESTINATION ${doc_folder} COMPONENT graupel-doc
  FILES_MATCHING PATTERN "*.md")

# --- The package --------------------------------------------------------------
set(plugin_header "${CMAKE_SOURCE_DIR}/bolt-plugins/include/graupel/BoltPassPlugin.h")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${plugin_header}")
file(STRINGS "${plugin_header}" abi_line REGEX "constexpr uint32_t BoltPassPluginABI = [0-9]+")
if(NOT abi_line MATCHES "= ([0-9]+)")
  message(FATAL_ERROR "${plugin_header} does not define BoltPassPluginABI as expected here.")
endif()
set(GRAUPEL_BOLT_PLUGIN_ABI ${CMAKE_MATCH_1})

write_basic_package_version_file("${graupel_package_dir}/GraupelConfigVersion.cmake"
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)

# Of the build tree.
export(EXPORT GraupelTargets NAMESPACE Graupel::
  FILE "${graupel_package_dir}/GraupelTargets.cmake")
set(PACKAGED_INCLUDE_DIR "${CMAKE_SOURCE_DIR}/bolt-plugins/include")
set(PACKAGED_FETCH_SCRIPT "${CMAKE_SOURCE_DIR}/tools/fetch-bolt-headers.sh")
set(PACKAGED_BOLT_INCLUDE_DIR "${GRAUPEL_BOLT_INCLUDE_DIR}")
set(PACKAGED_DSM_CFG "${CMAKE_BINARY_DIR}/share/graupel/graupel-dsm.cfg")
set(PACKAGED_DSM_INCLUDE_DIR "${CMAKE_SOURCE_DIR}/runtime/include")
configure_package_config_file(cmake/GraupelConfig.cmake.in
  "${graupel_package_dir}/GraupelConfig.cmake"
  INSTALL_PREFIX "${CMAKE_BINARY_DIR}" INSTALL_DESTINATION cmake
  PATH_VARS PACKAGED_INCLUDE_DIR PACKAGED_FETCH_SCRIPT PACKAGED_DSM_CFG
    PACKAGED_DSM_INCLUDE_DIR)
foreach(part GraupelPlugin GraupelDsmTarget GraupelOptimize GraupelOptimizeStep)
  configure_file(cmake/${part}.cmake "${graupel_package_dir}/${part}.cmake"
    COPYONLY)
endforeach()

# Of the installation: relative to the prefix, so that the tree can be moved.
install(EXPORT GraupelTargets NAMESPACE Graupel::
  DESTINATION ${GRAUPEL_INSTALL_CMAKE_DIR} COMPONENT graupel-dev)
set(PACKAGED_INCLUDE_DIR "${CMAKE_INSTALL_INCLUDEDIR}")
set(PACKAGED_FETCH_SCRIPT "${CMAKE_INSTALL_DATADIR}/graupel/fetch-bolt-headers.sh")
set(PACKAGED_BOLT_INCLUDE_DIR "")
set(PACKAGED_DSM_CFG "${CMAKE_INSTALL_DATADIR}/graupel/graupel-dsm.cfg")
set(PACKAGED_DSM_INCLUDE_DIR "${CMAKE_INSTALL_INCLUDEDIR}")
configure_package_config_file(cmake/GraupelConfig.cmake.in
  "${graupel_package_dir}/installed/GraupelConfig.cmake"
  INSTALL_DESTINATION ${GRAUPEL_INSTALL_CMAKE_DIR}
  PATH_VARS PACKAGED_INCLUDE_DIR PACKAGED_FETCH_SCRIPT PACKAGED_DSM_CFG
    PACKAGED_DSM_INCLUDE_DIR)
install(FILES
  "${graupel_package_dir}/installed/GraupelConfig.cmake"
  "${graupel_package_dir}/GraupelConfigVersion.cmake"
  cmake/GraupelPlugin.cmake
  cmake/GraupelDsmTarget.cmake
  cmake/GraupelOptimize.cmake
  cmake/GraupelOptimizeStep.cmake
  DESTINATION ${GRAUPEL_INSTALL_CMAKE_DIR} COMPONENT graupel-dev)

# --- For pkg-config: relative to the file -------------------------------------
set(pkgconfig_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH PKGCONFIG_TO_PREFIX "/${pkgconfig_folder}" "/")
set(pkgconfig_files graupel graupel-numa)
if(NOT GRAUPEL_PORTABLE_ROOT)
  list(APPEND pkgconfig_files graupel-dsm)
endif()
foreach(name ${pkgconfig_files})
  configure_file(cmake/${name}.pc.in "${graupel_package_dir}/${name}.pc" @ONLY)
  install(FILES "${graupel_package_dir}/${name}.pc"
    DESTINATION ${pkgconfig_folder} COMPONENT graupel-dev)
endforeach()

# --- What shells and man know, from the descriptions in the command -----------
set(graupel_share "${CMAKE_BINARY_DIR}/share")
set(made_commands
  COMMAND ${CMAKE_COMMAND} -E make_directory
    "${graupel_share}/man/man1" "${graupel_share}/completions"
  COMMAND graupel man --into "${graupel_share}/man/man1"
  COMMAND graupel completion bash > "${graupel_share}/completions/graupel"
  COMMAND graupel completion zsh > "${graupel_share}/completions/_graupel"
  COMMAND graupel completion fish > "${graupel_share}/completions/graupel.fish")
add_custom_command(OUTPUT "${graupel_share}/man/man1/graupel.1"
  ${made_commands} DEPENDS graupel VERBATIM)
add_custom_target(graupel-pages ALL
  DEPENDS "${graupel_share}/man/man1/graupel.1")
install(DIRECTORY "${graupel_share}/man/" DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES tools/man/graupel-bolt.1 tools/man/graupel-bisect.1
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES "${graupel_share}/completions/graupel"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES "${graupel_share}/completions/_graupel"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES "${graupel_share}/completions/graupel.fish"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
