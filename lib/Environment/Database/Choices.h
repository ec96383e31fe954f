//===- Database/Choices.h - Versions chosen for single images - -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_DATABASE_CHOICES_H
#define GRAUPEL_ENVIRONMENT_DATABASE_CHOICES_H

#include "Tables.h"

namespace graupel::environment {

/// The choice for one image, regardless of the mode of its applications.
struct Choice {
  Mode Runs = Mode::Original;
  std::string Store; ///< A version's; empty: the newest of its kind.
};

std::optional<Choice> choiceFor(Connection &DB, int64_t Image);
/// Nothing: as its applications. In a transaction.
void setChoice(Connection &DB, int64_t Image, const std::optional<Choice> &C);
/// Removes choices for images that belong to no application any more.
void removeLonelyChoices(Connection &DB);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_DATABASE_CHOICES_H
