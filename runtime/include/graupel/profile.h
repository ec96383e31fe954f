/*===- graupel/profile.h - Layout of execution profiles -----------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What an instrumented image, its runtime and the readers of profiles agree on.
|* docs/profile-format.md explains the file for those who read it with other
|* means. Everything is little-endian; sizes are bytes.
|*
|* A profile belongs to one instrumented image. Any number of processes count
|* into it at the same time, each thread into a slot of its own, which is mapped
|* from the file over the image's counters: what has been counted is in the file
|* at once, whatever happens to the process. The slot of a dead owner is taken
|* over, with its counts, by the next owner; the counts of the image are the
|* sums over all slots.
|*
|*   file  := header (one page)  metadata (padded to a page)  slot*
|*   slot  := owner (one page)  region (padded to a page)  targets (same)
|*   region := control  site*  counter*
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_PROFILE_H
#define GRAUPEL_PROFILE_H

#include <stdint.h>

#define GRAUPEL_PROFILE_MAGIC "GRAUPEL\x1a"
/** Format 1 had no shapes of blocks in its metadata. */
#define GRAUPEL_PROFILE_VERSION 2u
#define GRAUPEL_PROFILE_PAGE 4096u

/** Nothing counts into the file; it has one slot, and slots_checksum holds. */
#define GRAUPEL_PROFILE_SEALED 1u

/** The first page of a file; the rest of the page is zero. */
struct graupel_profile_header {
  char magic[8];
  uint32_t version;
  uint32_t flags; /**< GRAUPEL_PROFILE_SEALED or 0. */
  /** XXH3-64 of build_id and the metadata: counts of profiles with equal plans
      may be added. */
  uint64_t plan;
  /** Of the image that was instrumented: its GNU build-id or, without one, the
      XXH3-64 of its code (8 bytes). */
  uint8_t build_id[32];
  uint32_t build_id_size;
  uint32_t reserved;
  uint64_t metadata_size; /**< Without padding; it starts at the second page. */
  uint64_t slots_offset;
  uint64_t slot_size;
  uint64_t region_size; /**< A multiple of a page. */
  uint64_t site_count;
  uint64_t counter_count;
  uint64_t target_count; /**< Places in the target table, a power of two;
                              in a sealed file any number. */
  uint64_t slots_checksum; /**< XXH3-64 of the slots of a sealed file, or 0. */
  uint64_t checksum;       /**< XXH3-64 of all of the above. */
};

/** The first page of a slot: which process counts into it. All zero: nobody.
    Written under an exclusive flock of the file. A slot belongs to a process
    until that dies, whatever happens to the thread it was made for: only the
    process itself gives it to another of its threads. */
struct graupel_slot_owner {
  uint64_t pid;
  uint64_t tid;           /**< Which thread took it first. */
  uint64_t start_time;    /**< Of the process: field 22 of its stat in /proc. */
  uint64_t pid_namespace; /**< Inode of the namespace the above are valid in. */
  uint64_t boot;          /**< First 8 bytes of the kernel's boot id. */
  /** Address of the slot's region in the owner's memory. If nothing of the
      file is mapped there, exec or dlclose has given the slot up. */
  uint64_t region;
};

/** The first bytes of a region. */
struct graupel_region_control {
  /** Address of the target table in the owner's memory, 0 if it has none.
      Means nothing to readers of the file. */
  uint64_t targets;
  uint64_t unused;
  /** Indirect transfers that found the target table full. */
  uint64_t dropped;
  uint64_t reserved[5];
};

/** An indirect call or jump: its most frequent target so far. The file has room
    for them, which is unused. */
struct graupel_site {
  uint64_t target;  /**< Absolute address, 0 if none. */
  uint64_t counter; /**< Absolute address of its count, or of the sink. */
};

/** What counts indirect transfers and is of one thread alone, in memory of its
    process: sites follow, padded to a page, then the region. Nothing of it is in
    the file: processes can share a slot, one that has taken it over and children
    of the one before that could not have their own, and no address is good for
    both. */
struct graupel_thread_control {
  uint64_t targets;     /**< Address of the target table, 0 if there is none. */
  uint64_t target_mask; /**< target_count - 1. */
  uint64_t sink;        /**< Takes what nobody wants to know. */
  uint64_t self;        /**< Address of this struct, 0 before it is in use. */
  uint64_t reserved[4];
};

/** How often a site went to a target. key 0: unused. */
struct graupel_target {
  /** (index of the site + 1) << 40 | low 40 bits of (target - state), where
      state is the address of the image's graupel_image_state. Targets further
      away than that are GRAUPEL_TARGET_FAR. */
  uint64_t key;
  uint64_t count;
};
#define GRAUPEL_TARGET_BITS 40
#define GRAUPEL_TARGET_FAR (UINT64_C(1) << (GRAUPEL_TARGET_BITS - 1))

/** Count with locked increments into one slot a process. */
#define GRAUPEL_STATE_ATOMIC 1u
/** Counters are addressed relative to GS: every thread has a slot. */
#define GRAUPEL_STATE_THREADS 2u
/** Append ".PID" to the name of the profile. */
#define GRAUPEL_STATE_APPEND_PID 4u

/** The private, writable part of an instrumented image. graupel-bolt fills the
    first part. The image's graupel_thread_control and sites follow, then its
    region at region_offset. */
struct graupel_image_state {
  uint64_t version; /**< GRAUPEL_PROFILE_VERSION. */
  uint64_t flags;   /**< GRAUPEL_STATE_*. */
  /** From this struct to the bytes a new profile starts with: header and
      metadata, slots_offset bytes. */
  int64_t head_offset;
  uint64_t region_offset; /**< From this struct; page-aligned address. */
  uint64_t region_size;
  uint64_t target_count;
  char profile_path[4000]; /**< Absolute, ends with 0. */
  /** Belongs to the runtime; zero in the file. */
  uint64_t runtime[5 * 512 + 6];
};

#endif /* GRAUPEL_PROFILE_H */
