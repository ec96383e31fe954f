//===- Show.h - The environment as text ----------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_ENVIRONMENT_SHOW_H
#define GRAUPEL_TOOLS_ENVIRONMENT_SHOW_H

#include "Environment/Actions/Describe.h"
#include "Environment/Actions/Make.h"
#include "Environment/Output/Shown.h"

namespace graupel {

using output::shown;

/// Prints a value as JSON to standard output. 0, or 1 if that failed.
int printJSON(llvm::json::Value V);

/// "3 minutes ago".
std::string age(int64_t Time);
/// "12.3 MB".
std::string sizeText(int64_t Bytes);

/// An image of an application by its path, in whatever way.
std::optional<environment::Image> imageNamed(environment::Environment &E,
                                             const std::string &Text);

void printStatus(const std::vector<environment::ApplicationState> &All);
void printApplication(const environment::ApplicationState &A);
void printMeasurement(const environment::Measurement &M);
void printImage(const environment::ImageState &I,
                const std::vector<environment::Application> &Applications);

/// Prints the outcome for each image in a line.
void printMade(const std::vector<environment::MadeImage> &All);
llvm::json::Value madeToJSON(const environment::MadeImage &M);
llvm::json::Value madeToJSON(const std::vector<environment::MadeImage> &All);

/// The use of counts of older builds, or nothing.
std::string olderCounts(const environment::MadeImage &M);

/// Whether graupel-bolt failed with one.
bool anyFailed(const std::vector<environment::MadeImage> &All);

/// Work on images, for who waits at a terminal. The line goes away.
class ProgressLine {
public:
  explicit ProgressLine(const char *Verb);
  ~ProgressLine() { clear(); }
  void operator()(const environment::Progress &P);
  void clear();

private:
  const char *Verb;
  bool Shown;
};

} // namespace graupel

#endif
