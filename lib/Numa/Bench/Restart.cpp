//===- Numa/Bench/Restart.cpp - Latency until work goes on ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Restart.h"
#include "Kernels.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>

namespace graupel::numa::bench {

/// void *(void *First, size_t Turns): rax walks, rcx is 0 and is added, which
/// no processor can know beforehand.
static std::vector<uint8_t> encode(unsigned Additions) {
  std::vector<uint8_t> Code;
  auto Emit = [&](std::initializer_list<uint8_t> Bytes) {
    Code.insert(Code.end(), Bytes);
  };
  Emit({0x48, 0x89, 0xf8});       // mov rax, rdi
  Emit({0x31, 0xc9});             // xor ecx, ecx
  Emit({0x48, 0x8d, 0x49, 0x00}); // lea rcx, [rcx + 0]
  const size_t Start = Code.size();
  for (size_t N = 0; N < Unrolled; ++N) {
    Emit({0x48, 0x8b, 0x00}); // mov rax, [rax]
    for (unsigned A = 0; A < Additions; ++A)
      Emit({0x48, 0x01, 0xc8}); // add rax, rcx
  }
  Emit({0x48, 0xff, 0xce, 0x0f, 0x85}); // dec rsi; jnz Start
  int32_t Back = int32_t(Start) - int32_t(Code.size() + 4);
  uint8_t Bytes[4];
  memcpy(Bytes, &Back, 4);
  Code.insert(Code.end(), Bytes, Bytes + 4);
  Emit({0xc3}); // ret
  return Code;
}

WorkKernel::WorkKernel(unsigned Additions) {
  std::vector<uint8_t> Text = encode(Additions);
  Bytes = (Text.size() + 4095) / 4096 * 4096;
  void *Got = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Got == MAP_FAILED)
    return;
  memcpy(Got, Text.data(), Text.size());
  if (mprotect(Got, Bytes, PROT_READ | PROT_EXEC) != 0)
    munmap(Got, Bytes);
  else
    Code = Got;
}

WorkKernel::~WorkKernel() {
  if (Code)
    munmap(Code, Bytes);
}

void *WorkKernel::run(void *First, size_t Steps) const {
  using Function = void *(void *, size_t);
  return reinterpret_cast<Function *>(Code)(First, Steps / Unrolled);
}

bool RestartWatch::add(double Nanoseconds) {
  Values.push_back(Nanoseconds);
  if (Values.size() < Rule.Window)
    return false;
  double Sum = 0;
  for (size_t N = Values.size() - Rule.Window; N < Values.size(); ++N)
    Sum += Values[N];
  double Mean = Sum / Rule.Window;
  if (!HasAnchor || std::abs(Mean - Anchor) > Rule.Tolerance) {
    HasAnchor = true;
    Anchor = Mean;
    Stayed = 0;
  } else {
    ++Stayed;
    if (!Rule.FromStart)
      Anchor = Mean;
  }
  return settled();
}

double RestartWatch::result() const {
  size_t Count = std::min<size_t>(Values.size(), Rule.Window + Rule.Run);
  return *std::min_element(Values.end() - long(Count), Values.end());
}

} // namespace graupel::numa::bench
