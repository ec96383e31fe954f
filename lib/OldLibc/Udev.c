//===- Udev.c - hwloc without udev ----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is no archive of libudev. hwloc asks it for names of disks, which nobody
// here looks at, and goes on without if there is no context.
//
//===----------------------------------------------------------------------===//

#include <stddef.h>

struct udev;
struct udev_device;

struct udev *udev_new(void) { return NULL; }
struct udev *udev_unref(struct udev *Context) {
  (void)Context;
  return NULL;
}
struct udev_device *udev_device_new_from_subsystem_sysname(
    struct udev *Context, const char *Subsystem, const char *Name) {
  (void)Context, (void)Subsystem, (void)Name;
  return NULL;
}
const char *udev_device_get_property_value(struct udev_device *Device,
                                           const char *Key) {
  (void)Device, (void)Key;
  return NULL;
}
struct udev_device *udev_device_unref(struct udev_device *Device) {
  (void)Device;
  return NULL;
}
