//===- Output.cpp - The nodes' output in whole lines ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <unistd.h>

using namespace graupel;

bool Output::write() {
  // A pipe that poll() calls writable takes this much without waiting.
  size_t Size = std::min<size_t>(Pending.size() - Written, PIPE_BUF);
  ssize_t Done = ::write(File, Pending.data() + Written, Size);
  if (Done < 0) {
    if (errno == EINTR || errno == EAGAIN)
      return true;
    Pending.clear();
    Written = 0;
    return false;
  }
  Written += size_t(Done);
  if (Written == Pending.size()) {
    Pending.clear();
    Written = 0;
  } else if (Written > (1 << 16)) {
    Pending.erase(0, Written);
    Written = 0;
  }
  return true;
}

bool Output::finish() {
  while (pending()) {
    pollfd Wait{File, POLLOUT, 0};
    if (poll(&Wait, 1, -1) < 0 ? errno != EINTR : !write())
      return false;
  }
  return true;
}

void LineRelay::read(bool Last) {
  static char Bytes[1 << 16]; // The stack may be small.
  do {
    ssize_t Size = ::read(File, Bytes, sizeof(Bytes));
    if (Size > 0)
      take({Bytes, size_t(Size)});
    else if (Size < 0 && errno == EINTR)
      continue;
    else if (Size == 0 || errno != EAGAIN || Last)
      return end();
    else
      return;
  } while (Last);
}

void LineRelay::take(std::string_view Text) {
  size_t Newline = Text.rfind('\n');
  if (Newline != Text.npos) {
    To.add(Line);
    Line.clear();
    To.add(Text.substr(0, Newline + 1));
    Text.remove_prefix(Newline + 1);
  }
  Line += Text;
  if (Line.size() > MaxLine) {
    To.add(Line);
    Line.clear();
  }
}

void LineRelay::end() {
  if (!Line.empty())
    To.add(Line + "\n");
  Line.clear();
  close(File);
  File = -1;
}
