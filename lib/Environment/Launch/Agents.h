//===- Launch/Agents.h - Images that processes load ----------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_AGENTS_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_AGENTS_H

#include "Environment/Substitution/Descriptor.h"
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace graupel::environment {

/// A question of an agent, which waits for the answer and then goes on.
struct AgentQuestion {
  pid_t Process;
  bool IsProgram; ///< The one that has just been started; otherwise a library.
  bool IsOthers;  ///< The process is of another user.
  std::string Path; ///< Without symbolic links.
};

/// One of <graupel/agent.h>, and what goes with it.
struct AgentAnswer {
  AgentAnswer(char Answer, std::vector<int> Files = {})
      : Answer(Answer), Files(std::move(Files)) {}
  char Answer;
  std::vector<int> Files; ///< At most two.
};

/// The agent's library as LD_AUDIT can have it, readable for all users if this
/// one is root; empty if there is none.
std::string auditLibrary();
/// Sets the variables that every process needs that loads the library.
void setAuditVariables(const std::string &Library);

/// Answers the agents (runtime/agent) in all processes that are started after
/// setVariables().
class Agents {
public:
  Agents() = default;
  Agents(const Agents &) = delete;
  ~Agents();
  /// Nothing, and errno, if that is not possible.
  bool listen();
  /// "LD_AUDIT" and so on are set for processes that are started from now on.
  /// False if the agent's library is not there.
  bool setVariables() const;
  /// Then: what is wrong, and what to do.
  const char *whyNoLibrary() const;
  /// Can be read when somebody asks.
  int file() const { return Events.number(); }
  /// Processes that wait, or ask from now on, go on.
  void stop();
  /// Takes a connection or a question if one is there, and waits for none.
  void answer(const std::function<AgentAnswer(const AgentQuestion &)> &);

private:
  /// A process that has not asked yet.
  struct Peer {
    substitution::Descriptor File;
    pid_t Process;
    bool IsOthers;
  };
  substitution::Descriptor accept();
  void admit();
  void listenTo(const substitution::Descriptor &File);

  substitution::Descriptor Socket, Events;
  std::vector<Peer> Peers;        ///< The oldest first.
  substitution::Descriptor Spare; ///< For peers when no descriptor is free.
  std::string Name;
  std::string Library; ///< The agent's, as LD_AUDIT can have it.
  std::string Folder;  ///< Has a link to it, to be removed; or empty.
  pid_t Owner = 0;     ///< The folder's.
};

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_AGENTS_H
