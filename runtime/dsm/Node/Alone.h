//===- Alone.h - The transport of a job of one node -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_ALONE_H
#define GRAUPEL_DSM_NODE_ALONE_H

#include "Transport/Transport.h"

namespace graupel::dsm {

/// Has nobody to send to, and needs no network library. Its threads sleep and
/// wake like those of other jobs.
class Alone final : public Transport {
public:
  explicit Alone(ControlPage &Control) : Control(Control) {}

  ControlPage &control() override { return Control; }
  int controlFile(uint64_t &) override { return -1; }
  ControlPage *controlOf(int) override { return &Control; }
  bool send(int, const Message &, bool) override { return true; }
  bool progress() override { return false; }
  const Message *next() override { return nullptr; }
  void release() override {}
  bool quiet() override {
    Control.Poll.store(0, std::memory_order_seq_cst);
    return false;
  }
  void sleep(uint32_t WakeSeen, unsigned Microseconds) override;
  void notify() override;
  bool flushed() override { return true; }
  const TransportStatistics &statistics() const override { return Nothing; }

private:
  ControlPage &Control;
  TransportStatistics Nothing = {};
};

} // namespace graupel::dsm

#endif
