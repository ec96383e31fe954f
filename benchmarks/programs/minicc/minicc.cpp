// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A C compiler as a benchmark subject: the largest realistic program that can be
// linked with relocations without compiling LLVM. It compiles each C file named
// on the command line to an object in the current directory, in one process.
//
//   minicc [clang options] a.c b.c ...      writes a.o b.o ...
//
// 1. Options (arguments that start with '-') are shared by all files.
// 2. Clang's driver logic turns options and a file into a compiler invocation,
//    which finds the system headers as the installed clang does (MINICC_CLANG).
// 3. The invocation, which that logic restricts to parsing, is given an output
//    file and run with the action that emits an object.

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <vector>

using llvm::StringRef;

static bool compileFile(const std::vector<const char *> &Options,
                        const char *File) {
  std::vector<const char *> Args{MINICC_CLANG};
  Args.insert(Args.end(), Options.begin(), Options.end());
  Args.push_back(File);

  std::shared_ptr<clang::CompilerInvocation> Invocation =
      clang::createInvocation(Args);
  if (!Invocation)
    return false;
  Invocation->getFrontendOpts().ProgramAction = clang::frontend::EmitObj;
  Invocation->getFrontendOpts().OutputFile =
      (llvm::sys::path::stem(File) + ".o").str();

  clang::CompilerInstance Compiler(std::move(Invocation));
  Compiler.createVirtualFileSystem();
  Compiler.createDiagnostics();
  clang::EmitObjAction Action;
  return Compiler.ExecuteAction(Action);
}

int main(int argc, char **argv) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();

  std::vector<const char *> Options, Files;
  for (int I = 1; I < argc; ++I)
    (StringRef(argv[I]).starts_with("-") ? Options : Files).push_back(argv[I]);
  for (const char *File : Files)
    if (!compileFile(Options, File)) {
      llvm::errs() << "minicc: cannot compile " << File << '\n';
      return 1;
    }
  return Files.empty();
}
