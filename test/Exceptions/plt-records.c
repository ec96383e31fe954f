// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PLT and code that no symbol names keep their unwind records: from each
// instruction, stepped through with the trap flag, a handler sees all callers.
//
// REQUIRES: x86_64, gcc
// RUN: %differential %s --out %t --compilers gcc --flags="-O2" --flags="-O2 -no-pie -fno-pie" --flags="-O2 -fcf-protection=full -Wl,-z,ibtplt" --train "0" --test "1"
// RUN: gcc -O2 %s -o %t.exe -Wl,--emit-relocs
// RUN: graupel-bolt %t.exe -o %t.counted -instrument -instrumentation-file=%t.fdata
// RUN: %t.counted 0
// RUN: graupel-bolt %t.exe -o %t.out -data=%t.fdata -verify
// RUN: llvm-dwarfdump --eh-frame %t.out | FileCheck %s
// CHECK: DW_CFA_def_cfa_expression: DW_OP_breg7 RSP+8, DW_OP_breg16 RIP+0, DW_OP_lit15, DW_OP_and
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unwind.h>

static int Steps, Lost;

static _Unwind_Reason_Code see(struct _Unwind_Context *Context, void *Seen) {
  (void)Context;
  ++*(int *)Seen;
  return _URC_NO_REASON;
}

static void step(int Signal, siginfo_t *Info, void *Context) {
  int Seen = 0;
  (void)Signal;
  (void)Info;
  (void)Context;
  _Unwind_Backtrace(see, &Seen);
  ++Steps;
  Lost += Seen < 6; // This handler, the kernel's frame, main and its callers.
}

/// BOLT removes the no-operations: there is room for all code in its old place.
__asm__(".text\n"
        ".type roomy,@function\n"
        "roomy: .fill 8192, 1, 0x90\n"
        "  ret\n"
        ".size roomy, . - roomy\n");

/// Turns the trap flag on or off.
void toggleTrapFlag(void);
__asm__(".text\n"
        ".type toggleTrapFlag,@function\n"
        "toggleTrapFlag:\n"
        "  .cfi_startproc\n"
        "  pushfq\n"
        "  .cfi_adjust_cfa_offset 8\n"
        "  xorq $0x100, (%rsp)\n"
        "  popfq\n"
        "  .cfi_adjust_cfa_offset -8\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size toggleTrapFlag, . - toggleTrapFlag\n");

__attribute__((noinline, noclone)) static int work(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += (int)strtol("7", NULL, 10);
  return Sum;
}

/// Not run in training, so its calls go by the PLT.
__attribute__((noinline, noclone)) static int workStepped(void) {
  return (int)strtol("12", NULL, 10) + (int)strtoul("34", NULL, 10);
}

int main(int Argc, char **Argv) {
  struct sigaction Action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
  int Sum;
  sigaction(SIGTRAP, &Action, NULL);
  Sum = work(1000);
  if (Argc > 1 && *Argv[1] == '1') {
    toggleTrapFlag();
    Sum += workStepped();
    toggleTrapFlag();
  }
  printf("%d, stepped %s, lost %d\n", Sum, Steps ? "some" : "none", Lost);
  return 0;
}
