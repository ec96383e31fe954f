//===- Wire.h - The carrier of packets --------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The seam between flow control, which is ours, and UCX (or a test's network).
// Packets may be lost never, and reordered at will.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_WIRE_H
#define GRAUPEL_DSM_TRANSPORT_WIRE_H

#include <cstddef>
#include <cstdint>

namespace graupel::dsm {

class Wire {
public:
  class Receiver {
  public:
    /// Copies the packet. Must not send.
    virtual void arrived(const uint8_t *Packet, size_t Size) = 0;

  protected:
    ~Receiver() = default;
  };

  virtual ~Wire() = default;

  /// Where the next packet is to be written: MaxPacket bytes, until post().
  virtual uint8_t *buffer() = 0;

  /// Sends `Size` bytes of buffer(). Never waits.
  virtual void post(int Destination, size_t Size) = 0;

  /// Lets the network work; arrivals go to the receiver.
  virtual void progress() = 0;

  /// True if all that was posted has left this process.
  virtual bool flushed() = 0;

  /// From now on descriptor() becomes readable when progress() has something to
  /// do. False if it has already.
  virtual bool arm() = 0;
  /// -1 if the network has none.
  virtual int descriptor() = 0;
};

} // namespace graupel::dsm

#endif
