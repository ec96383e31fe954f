//===- Import.cpp - graupel import ----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Actions/Import.h"
#include "Environment/Actions/Register.h"
#include "Session.h"
#include "Show.h"
#include "Support/Command.h"
#include <cstdio>

using namespace graupel;
using namespace graupel::environment;

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

int graupel::importCommand(const CommandDescription &C, const Parsed &P) {
  Session S(C, P);
  if (!S)
    return S.Status;
  const std::string &File = S.P.Words[1];
  auto I = wantedImage(*S.E, S.P.Words[0]);
  if (!I)
    return S.fail(I.takeError());
  auto Result = importProfile(*S.E, *I, File);
  if (!Result)
    return S.fail(Result.takeError());
  if (*Result == Imported::Nothing)
    return failCommand(S.C, File + ": has no counts of " + I->Path +
                                "; name the image that it is of");
  if (S.json())
    return printJSON(llvm::json::Object{{"path", llvm::json::fixUTF8(I->Path)},
                                        {"added", *Result == Imported::Added}});
  printf("%s %s\n", *Result == Imported::Added ? "added to" : "is already in",
         shown(I->Path).c_str());
  return 0;
}
