/*===- graupel/agent.h - Between agents and `graupel learn` -------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* An agent in each dynamic process asks before a file is loaded, and waits for
|* the answer. One connection a question: a packet there, a byte back. If there
|* is no answer it goes on.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_AGENT_H
#define GRAUPEL_AGENT_H

/** The name of the abstract SOCK_SEQPACKET socket, without the leading 0;
   behind a slash, how many seccomp filters `graupel learn` itself has. */
#define GRAUPEL_AGENT_VARIABLE "GRAUPEL_AGENT"

/** The tunable of glibc that says how large the reserve of static thread-local
    storage is, what it is otherwise, and what it is while programs learn. */
#define GRAUPEL_AGENT_TUNABLES "GLIBC_TUNABLES"
#define GRAUPEL_AGENT_TUNABLE "glibc.rtld.optional_static_tls"
#define GRAUPEL_AGENT_USUAL_RESERVE 512
#define GRAUPEL_AGENT_LARGER_RESERVE 1024

/** Questions are one of these. */
#define GRAUPEL_AGENT_PROGRAM                                                  \
  'P' /**< The process is about to begin; the path behind it may be empty, and \
         is for where the kernel knows none any more. */
#define GRAUPEL_AGENT_LIBRARY                                                  \
  'L' /**< The path behind it is about to be opened. */

/** Answers. */
#define GRAUPEL_AGENT_GO_ON 'g'
#define GRAUPEL_AGENT_AGAIN 'a' /**< There is another program there now. */
#define GRAUPEL_AGENT_LEAVE                                                    \
  'l' /**< What the program starts is to have no agent: it is no process. */

#define GRAUPEL_AGENT_ORIGINALS                                                \
  'o' /**< The program is to see originals: with the answer come descriptors   \
         of a mount namespace and perhaps of a user namespace, to join. */

#endif /* GRAUPEL_AGENT_H */
