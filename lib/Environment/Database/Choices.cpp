//===- Database/Choices.cpp - Versions chosen for single images -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Choices.h"

using namespace graupel::environment;

std::optional<Choice> graupel::environment::choiceFor(Connection &DB,
                                                      int64_t Image) {
  Statement S(DB, "SELECT mode, store FROM choices WHERE image=?");
  S << Image;
  if (!S.next())
    return std::nullopt;
  return Choice{modeFromName(S.text(0)).value_or(Mode::Original), S.text(1)};
}

void graupel::environment::setChoice(Connection &DB, int64_t Image,
                                     const std::optional<Choice> &C) {
  Statement Old(DB, "DELETE FROM choices WHERE image=?");
  (Old << Image).run();
  if (!C)
    return;
  Statement S(DB, "INSERT INTO choices(image, mode, store) VALUES(?,?,?)");
  (S << Image << name(C->Runs) << C->Store).run();
}

void graupel::environment::removeLonelyChoices(Connection &DB) {
  DB.execute("DELETE FROM choices WHERE image NOT IN "
             "(SELECT image FROM application_images)");
}
