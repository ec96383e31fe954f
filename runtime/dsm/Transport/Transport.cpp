//===- Transport.cpp - Active messages between nodes ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/CreditTransport.h"
#include "Transport/UcxWire.h"

using namespace graupel::dsm;

unsigned Transport::requestsPerThread(int Nodes, int ThreadsPerNode,
                                      unsigned Most) {
  return Credits::requestsPerThread(Nodes, ThreadsPerNode, Most);
}

std::unique_ptr<Transport> Transport::open(Bootstrap &Boot, int RequestsPerNode,
                                           unsigned Window) {
  auto Pages = ControlPages::open(Boot);
  ControlPages &Places = *Pages;
  CreditTransport::Parameters P;
  P.Node = Boot.node();
  P.Nodes = Boot.nodes();
  P.Window =
      Window ? Window : Credits::defaultWindow(Boot.nodes(), RequestsPerNode);
  auto T = std::make_unique<CreditTransport>(
      P, std::make_unique<Doorbell>(Boot.node(), std::move(Pages)));
  T->connect(UcxWire::open(Boot, Places, T->receiver()));
  return T;
}
