//===- Import.cpp - graupel import ----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Actions/Import.h"
#include "Command.h"
#include "Environment/Actions/Register.h"
#include "Parse.h"
#include "Show.h"
#include <cstdio>

using namespace graupel;
using namespace graupel::environment;
using llvm::toString;

/// The image as it is on disk now, by its path or as the main one of an
/// application.
static llvm::Expected<Image> wantedImage(Environment &E,
                                         const std::string &Text) {
  std::optional<Image> I = imageNamed(E, Text);
  if (!I) {
    auto A = requireApplication(E, Text);
    if (!A)
      return A.takeError();
    I = findImage(E.database(), A->Main);
    if (!I)
      return llvm::createStringError(A->Main + ": is not known; `graupel "
                                               "register` it again");
  }
  auto Now = lookAtImage(E.database(), I->Path);
  if (!Now)
    return Now.takeError();
  if (!Now->Unfit.empty())
    return llvm::createStringError(Now->Path + ": " + Now->Unfit);
  Transaction T(E.database());
  Now->Id = putImage(E.database(), *Now);
  if (llvm::Error Err = T.commit())
    return Err;
  return *Now;
}

int graupel::importCommand(const Arguments &A) {
  const CommandDescription &C = description("import");
  int Status = 1;
  auto P = parse(C, A, 2, 2, Status);
  if (!P)
    return Status;
  auto fail = [&](llvm::Error Err) {
    return failCommand(C, toString(std::move(Err)));
  };
  auto E = Environment::open();
  if (!E)
    return fail(E.takeError());
  auto I = wantedImage(**E, P->Words[0]);
  if (!I)
    return fail(I.takeError());
  auto Result = importProfile(**E, *I, P->Words[1]);
  if (!Result)
    return fail(Result.takeError());
  if (*Result == Imported::Nothing)
    return failCommand(C, P->Words[1] + ": has no counts of " + I->Path +
                              "; name the image that it is of");
  if (P->has("json"))
    return printJSON(llvm::json::Object{{"path", llvm::json::fixUTF8(I->Path)},
                                        {"added", *Result == Imported::Added}});
  printf("%s %s\n", *Result == Imported::Added ? "added to" : "is already in",
         I->Path.c_str());
  return 0;
}
