# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `cpack` makes of a build: the Debian packages graupel, graupel-dev and
# graupel-doc. Each is one component of the installation. package/StageDebian.cmake
# completes their files before they are packed. docs/design/packages.md

set(GRAUPEL_PACKAGE_MAINTAINER "Graupel maintainers <graupel@packages.invalid>"
  CACHE STRING "Whom Debian packages name as their maintainer")
set(GRAUPEL_PACKAGE_REVISION "1" CACHE STRING "Debian's part of the packages' version")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME graupel)
set(CPACK_PACKAGE_VENDOR "Graupel")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_CONTACT "${GRAUPEL_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL graupel graupel-dev graupel-doc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "${GRAUPEL_PACKAGE_REVISION}")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/package/StageDebian.cmake")
set(CPACK_GRAUPEL_SOURCE "${CMAKE_SOURCE_DIR}")
set(whole_version "${PROJECT_VERSION}-${GRAUPEL_PACKAGE_REVISION}")

# Packages are named like their components, not PROJECT-COMPONENT. Depends and
# Recommends of graupel are those of its files: StageDebian.cmake.
set(CPACK_DEBIAN_GRAUPEL_PACKAGE_NAME graupel)
set(CPACK_DEBIAN_GRAUPEL_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_GRAUPEL_DESCRIPTION
"post-link optimizer for programs and shared libraries
Graupel takes compiled programs further than the compiler did. graupel-bolt
instruments an executable that was linked with --emit-relocs, and rewrites
it by the profile of a run so that the same work takes fewer cycles. The
command graupel does it to applications with their libraries.
.
Plugins for clang 22 record what a program's memory accesses do (graupel
stride), and run threads in several processes (graupel dsm; UCX, PMIx, and
graupel-dev). graupel numa places memory and threads.")
set(CPACK_DEBIAN_GRAUPEL_PACKAGE_CONTROL_EXTRA "${CMAKE_CURRENT_LIST_DIR}/package/triggers")

set(CPACK_DEBIAN_GRAUPEL-DEV_PACKAGE_NAME graupel-dev)
set(CPACK_DEBIAN_GRAUPEL-DEV_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_GRAUPEL-DEV_PACKAGE_DEPENDS "graupel (= ${whole_version})")
set(CPACK_DEBIAN_GRAUPEL-DEV_PACKAGE_RECOMMENDS "clang-22, lld-22")
set(CPACK_DEBIAN_GRAUPEL-DEV_PACKAGE_SUGGESTS "cmake, pkg-config, llvm-22-dev")
set(CPACK_DEBIAN_GRAUPEL-DEV_DESCRIPTION
"post-link optimizer: headers and CMake files
Headers of graupel dsm, of libgraupel_numa and of pass plugins for
graupel-bolt; the CMake package Graupel, with which a project optimizes its
programs when they are built; files for pkg-config; libstdc++ with checks for
graupel dsm.")

set(CPACK_DEBIAN_GRAUPEL-DOC_PACKAGE_NAME graupel-doc)
set(CPACK_DEBIAN_GRAUPEL-DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_GRAUPEL-DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_GRAUPEL-DOC_DESCRIPTION
"post-link optimizer: documentation
For users and for those who change Graupel, with results of measurements.")

include(CPack)
