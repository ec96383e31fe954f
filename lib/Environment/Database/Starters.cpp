//===- Database/Starters.cpp - Files that start programs ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Starters.h"

using namespace llvm;
using namespace graupel::environment;

#define STARTER "file, application, unit, program, text, folder, at"

static Starter readStarter(Statement &S) {
  return {S.text(0), S.integer(1), S.text(2),   S.text(3),
          S.text(4), S.text(5),    S.integer(6)};
}

std::vector<Starter> graupel::environment::starters(Connection &DB,
                                                    int64_t Application) {
  Statement S(DB, "SELECT " STARTER " FROM starters WHERE application=? "
                  "ORDER BY file");
  S << Application;
  return S.rows(readStarter);
}

std::optional<Starter> graupel::environment::findStarter(Connection &DB,
                                                         StringRef File) {
  Statement S(DB, "SELECT " STARTER " FROM starters WHERE file=?");
  S << File;
  return S.row(readStarter);
}

void graupel::environment::putStarter(Connection &DB, const Starter &Row) {
  Statement S(DB, "INSERT OR REPLACE INTO starters(" STARTER
                  ") VALUES(?,?,?,?,?,?,?)");
  (S << Row.File << Row.Application << Row.Unit << Row.Program << Row.Text
     << Row.Folder << now())
      .run();
}

void graupel::environment::removeStarter(Connection &DB, StringRef File) {
  Statement S(DB, "DELETE FROM starters WHERE file=?");
  (S << File).run();
}
