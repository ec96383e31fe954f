// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the wrappers of runtime/dsm need of a node, on top of tiny-runtime.c:
// all that it may call shared is below 256 GiB, and so is the program itself.

#include "Base/Lines.h"
#include "Base/ThreadLook.h"
#include "Entries/Entries.h"
#include "Foreign/Callbacks.h"
#include "Foreign/Pins.h"
#include <asm/prctl.h>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>

namespace graupel::dsm {
[[noreturn]] void fail(const char *, ...) { abort(); }
// All of the test is compiled with checks.
void requireCheckedFor(const void *, size_t, size_t, const void *, const char *,
                       uintptr_t) {}
PlaceName nameOf(uintptr_t) { return {}; }
bool isPinned(const void *) { return false; }
LookState Look;
// Nobody is known to the node, so each wrapper calls the runtime.
__thread ThreadLook *SelfLook __attribute__((tls_model("initial-exec")));
} // namespace graupel::dsm

using namespace graupel::dsm;

__attribute__((constructor(102))) static void start() {
  uint8_t *Base = nullptr;
  syscall(SYS_arch_prctl, ARCH_GET_GS, &Base);
  static_assert(sizeof(TagTable) == sizeof Base);
  memcpy(static_cast<void *>(&Look.Tags), &Base, sizeof Base);
  Look.Shared.RegionStart = 4096; // Null is no shared address.
}
