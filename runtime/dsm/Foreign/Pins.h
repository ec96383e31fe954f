//===- Pins.h - Ranges held for code without checks -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code without checks has no handshake points, so all that is valid when it is
// called stays valid while it runs. gdsm_fetch makes a range valid, and keeps
// it so when the thread meets a handshake point before the call, or in checked
// code that is called back: a thread's pins are part of every set that it
// acquires (Node/Faults.h), and it goes online nowhere without them. So they
// are given up like anything else while the thread waits in the runtime, and
// hold up nobody for longer than foreign code runs.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_PINS_H
#define GRAUPEL_DSM_FOREIGN_PINS_H

namespace graupel::dsm {

/// Whether the calling thread holds the address.
bool isPinned(const void *P);

/// The same, and may write there.
bool isPinnedToWrite(const void *P);

/// Ends the job if the calling thread holds anything; `Caller` has to be called
/// by others, too, and says so.
void requireNoPins(const char *Caller);

} // namespace graupel::dsm

#endif
