/*===- graupel/places.h - Versions of libraries without mounts ----*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* A file that `graupel run` writes where it cannot mount: a header, the places,
|* and the paths they name. It never changes, and agents map it.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_PLACES_H
#define GRAUPEL_PLACES_H

#include <stdint.h>

/** The path of the file. */
#define GRAUPEL_PLACES_VARIABLE "GRAUPEL_PLACES"

#define GRAUPEL_PLACES_MAGIC UINT64_C(0x31636c706c707247) /**< "Grplplc1" */

/** A file as it was when its content was known; times are in nanoseconds. */
struct GraupelFile {
  uint64_t Device, Inode, Size;
  int64_t ModifyTime, ChangeTime;
};

struct GraupelPlace {
  struct GraupelFile Original, Version;
  uint64_t Path; /**< Of the version: where in the file, ends with a 0. */
};

struct GraupelPlaces {
  uint64_t Magic, Size, Count; /**< Size: of the file. */
};

#endif /* GRAUPEL_PLACES_H */
