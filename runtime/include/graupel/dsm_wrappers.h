/*===- graupel/dsm_wrappers.h - The C library on shared memory -----*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What llvm-passes/Fgdsm calls instead of a function of the C library when an
|* argument may point to shared memory; programs never name them. Each takes,
|* returns, and sets errno as the function of the C library does, for private and
|* shared pointers in any combination, and calls that function at once if none is
|* shared. Any thread may call them; each call is a handshake point
|* (dsm_checks.h).
|*
|* Memory and strings: no block is fetched that the C library would not touch.
|* Blocks are acquired a few KiB at a time, with polls in between, so nodes that
|* want a part of a huge range need not wait for all of it; like a loop of loads
|* and stores, a call as a whole is not atomic.
|*
|* Input and output: the kernel knows no tags, so data go through private memory.
|* While a call may block the thread relies on no tag and the rest of its node
|* serves (Schoinas 1998, 5.2), also if the buffer is private. Differences:
|*   - a read or write of more than 1 MiB of a file (not of a pipe, socket or
|*     terminal) is done in parts of that size, so others may come in between;
|*   - memory of the shared region that belongs to no allocation of gdsm_alloc is
|*     EFAULT to system calls as unmapped memory is, but only by chunks of 4 MiB.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_DSM_WRAPPERS_H
#define GRAUPEL_DSM_WRAPPERS_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void *graupel_dsm_memcpy(void *to, const void *from, size_t size);
void *graupel_dsm_memmove(void *to, const void *from, size_t size);
void *graupel_dsm_memset(void *to, int byte, size_t size);
int graupel_dsm_memcmp(const void *a, const void *b, size_t size);
int graupel_dsm_bcmp(const void *a, const void *b, size_t size);
void *graupel_dsm_memchr(const void *s, int byte, size_t size);

size_t graupel_dsm_strlen(const char *s);
size_t graupel_dsm_strnlen(const char *s, size_t most);
char *graupel_dsm_strcpy(char *to, const char *from);
char *graupel_dsm_stpcpy(char *to, const char *from);
char *graupel_dsm_strncpy(char *to, const char *from, size_t size);
int graupel_dsm_strcmp(const char *a, const char *b);
int graupel_dsm_strncmp(const char *a, const char *b, size_t most);
char *graupel_dsm_strcat(char *to, const char *from);
char *graupel_dsm_strncat(char *to, const char *from, size_t most);
char *graupel_dsm_strchr(const char *s, int byte);
char *graupel_dsm_strrchr(const char *s, int byte);

ssize_t graupel_dsm_read(int file, void *to, size_t size);
ssize_t graupel_dsm_write(int file, const void *from, size_t size);
ssize_t graupel_dsm_pread(int file, void *to, size_t size, off_t at);
ssize_t graupel_dsm_pwrite(int file, const void *from, size_t size, off_t at);
ssize_t graupel_dsm_send(int socket, const void *from, size_t size, int flags);
ssize_t graupel_dsm_recv(int socket, void *to, size_t size, int flags);

size_t graupel_dsm_fread(void *to, size_t size, size_t count, FILE *file);
size_t graupel_dsm_fwrite(const void *from, size_t size, size_t count,
                          FILE *file);
int graupel_dsm_fputs(const char *s, FILE *file);
int graupel_dsm_puts(const char *s);
char *graupel_dsm_fgets(char *to, int size, FILE *file);

#ifdef __cplusplus
}
#endif

#endif
