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

/** The name of the abstract SOCK_SEQPACKET socket, without the leading 0. */
#define GRAUPEL_AGENT_VARIABLE "GRAUPEL_AGENT"

/** Questions are one of these. */
#define GRAUPEL_AGENT_PROGRAM 'P' /**< The process is about to begin. */
#define GRAUPEL_AGENT_LIBRARY                                                  \
  'L' /**< The path behind it is about to be opened. */

/** Answers. */
#define GRAUPEL_AGENT_GO_ON 'g'
#define GRAUPEL_AGENT_AGAIN 'a' /**< There is another program there now. */

#endif /* GRAUPEL_AGENT_H */
