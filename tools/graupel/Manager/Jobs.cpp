//===- Manager/Jobs.cpp - What buttons have started -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Jobs.h"
#include "llvm/ADT/STLExtras.h"

using namespace graupel::ui;
using graupel::environment::Progress;

static const char *name(Outcome::State S) {
  static const char *const Names[] = {"done", "in part", "failed"};
  return Names[int(S)];
}

Jobs::Jobs() : Worker([this] { work(); }) {}

Jobs::~Jobs() {
  {
    std::lock_guard L(Lock);
    Ends = true;
  }
  Change.notify_all();
  Worker.join();
}

int64_t Jobs::add(std::string Title, Work W) {
  std::lock_guard L(Lock);
  All.push_back(
      {++Last, std::move(Title), "waiting", "", 0, 0, {}, std::move(W)});
  while (All.size() > Kept && !All.front().W)
    All.pop_front();
  Change.notify_all();
  return Last;
}

Jobs::Job *Jobs::find(int64_t Id) {
  for (Job &J : All)
    if (J.Id == Id)
      return &J;
  return nullptr;
}

void Jobs::work() {
  std::unique_lock L(Lock);
  for (;;) {
    auto Next =
        llvm::find_if(All, [](const Job &J) { return J.State == "waiting"; });
    if (Ends)
      return;
    if (Next == All.end()) {
      Change.wait(L);
      continue;
    }
    // One that has work stays in the list, so it can be found again.
    const int64_t Id = Next->Id;
    const Work W = Next->W;
    Next->State = "running";
    L.unlock();
    const Outcome Result = W([&](const Progress &P) {
      std::lock_guard Inner(Lock);
      Job *J = find(Id);
      J->Done = P.Done;
      J->Total = P.Total;
      J->Image = P.Image.str();
    });
    L.lock();
    Job *J = find(Id);
    J->State = name(Result.Became);
    J->Lines = Result.Lines;
    J->W = nullptr;
  }
}

llvm::json::Array Jobs::describe() const {
  std::lock_guard L(Lock);
  llvm::json::Array List;
  for (const Job &J : llvm::reverse(All)) {
    llvm::json::Array Lines;
    for (const std::string &Line : J.Lines)
      Lines.push_back(llvm::json::fixUTF8(Line));
    List.push_back(llvm::json::Object{{"id", J.Id},
                                      {"title", llvm::json::fixUTF8(J.Title)},
                                      {"state", J.State},
                                      {"done", int64_t(J.Done)},
                                      {"total", int64_t(J.Total)},
                                      {"image", llvm::json::fixUTF8(J.Image)},
                                      {"lines", std::move(Lines)}});
  }
  return List;
}
