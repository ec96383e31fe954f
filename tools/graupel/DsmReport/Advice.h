//===- Advice.h - What might make a program faster -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of each object on which much time is lost:
//
//   1. False sharing is a good part of its misses: smaller blocks, if the
//      comparison of old and new contents shows that they would have kept most
//      of the changes apart; else other places for the data.
//   2. Most misses follow one of the neighbouring block: larger blocks, as long
//      as the runs are, if there is hardly any false sharing.
//   3. Most misses to store are of one node, and the home is another: home
//      there, because home has no messages to send for what only it uses, and
//      one less for what others read. Or each page has a node that does most:
//      first touch. Who only reads would not miss less at any home.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_DSMREPORT_ADVICE_H
#define GRAUPEL_TOOLS_DSMREPORT_ADVICE_H

#include "Profile.h"

namespace graupel::dsm {

struct Advice {
  enum class Kind { SmallerBlock, Apart, LargerBlock, Home, FirstTouch };
  unsigned Object;
  Kind What;
  int Value;           ///< The block size, or the node.
  std::string Text;    ///< What to do.
  std::string Reasons; ///< And why, with figures.
};
llvm::StringRef kindName(Advice::Kind);

/// For the object on which most time is lost first.
std::vector<Advice> advise(const Profile &);

} // namespace graupel::dsm

#endif
