/*===- peak.c - What a program took at most ---------------------------------===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* peak FILE PROGRAM [ARGUMENT...]: runs a program, adds a line with its peak
|* memory in kilobytes to a file, and ends as it did. A process that a large one
|* starts is told to have had that one's memory; here the one that starts it is
|* small.
|*
\*===----------------------------------------------------------------------===*/

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child)
    return 2;
  FILE *file = fopen(argv[1], "a");
  if (!file || fprintf(file, "%ld\n", usage.ru_maxrss) < 0 || fclose(file))
    return 2;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
