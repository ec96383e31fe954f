/*===- graupel/dsm_wrappers.h - Library functions on shared memory -*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*\
|*
|* What llvm-passes/Fgdsm calls in the place of functions of the C library that
|* might be given shared memory: graupel_dsm_NAME for each NAME that
|* graupel/dsm_library.def calls WRAPPED, with its namesake's parameters. Those below
|* are what wrappers and tests call themselves. Each does what its namesake does,
|* with the same results and errno, on any mixture of private and shared memory, and
|* may be called by any thread. All are handshake points: checks before a call are
|* void behind it. If there is no memory for a private copy, the program ends with a
|* message, unless the function has a way to say so.
|*
|* Memory is made valid a page at a time, so a copy is not atomic to other nodes,
|* no more than memcpy is to other threads. Functions that enter the system do it
|* on private memory and copy: the kernel knows no tags, and a thread that waits
|* in it holds no block.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_DSM_WRAPPERS_H
#define GRAUPEL_DSM_WRAPPERS_H

#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void *graupel_dsm_memcpy(void *to, const void *from, size_t size);
void *graupel_dsm_memmove(void *to, const void *from, size_t size);
void *graupel_dsm_memset(void *to, int byte, size_t size);
int graupel_dsm_memcmp(const void *a, const void *b, size_t size);
int graupel_dsm_bcmp(const void *a, const void *b, size_t size);
void *graupel_dsm_memchr(const void *in, int byte, size_t size);
void *graupel_dsm_memrchr(const void *in, int byte, size_t size);
void *graupel_dsm_rawmemchr(const void *in, int byte);
void *graupel_dsm_mempcpy(void *to, const void *from, size_t size);
void *graupel_dsm_memccpy(void *to, const void *from, int byte, size_t size);
void *graupel_dsm_memmem(const void *in, size_t size, const void *what,
                         size_t length);
void graupel_dsm_bcopy(const void *from, void *to, size_t size);
void graupel_dsm_bzero(void *to, size_t size);
void graupel_dsm_explicit_bzero(void *to, size_t size);
void *graupel_dsm___memcpy_chk(void *to, const void *from, size_t size,
                               size_t room);
void *graupel_dsm___mempcpy_chk(void *to, const void *from, size_t size,
                                size_t room);
void *graupel_dsm___memmove_chk(void *to, const void *from, size_t size,
                                size_t room);
void *graupel_dsm___memset_chk(void *to, int byte, size_t size, size_t room);
void graupel_dsm___explicit_bzero_chk(void *to, size_t size, size_t room);

size_t graupel_dsm_strlen(const char *string);
size_t graupel_dsm_strnlen(const char *string, size_t size);
char *graupel_dsm_strcpy(char *to, const char *from);
char *graupel_dsm_stpcpy(char *to, const char *from);
char *graupel_dsm_strncpy(char *to, const char *from, size_t size);
int graupel_dsm_strcmp(const char *a, const char *b);
int graupel_dsm_strncmp(const char *a, const char *b, size_t size);
char *graupel_dsm_strcat(char *to, const char *from);
char *graupel_dsm_strncat(char *to, const char *from, size_t size);
char *graupel_dsm_strchr(const char *in, int byte);
char *graupel_dsm_strrchr(const char *in, int byte);
char *graupel_dsm_strchrnul(const char *in, int byte);
char *graupel_dsm_index(const char *in, int byte);
char *graupel_dsm_rindex(const char *in, int byte);
char *graupel_dsm_stpncpy(char *to, const char *from, size_t size);
size_t graupel_dsm_strlcpy(char *to, const char *from, size_t size);
size_t graupel_dsm_strlcat(char *to, const char *from, size_t size);
void graupel_dsm_free(void *memory);
void *graupel_dsm_realloc(void *memory, size_t size);
void *graupel_dsm_reallocarray(void *memory, size_t count, size_t size);
char *graupel_dsm_strdup(const char *string);
char *graupel_dsm_strndup(const char *string, size_t size);
char *graupel_dsm_strstr(const char *in, const char *what);
char *graupel_dsm_strcasestr(const char *in, const char *what);
char *graupel_dsm_strpbrk(const char *in, const char *set);
int graupel_dsm_strncasecmp(const char *a, const char *b, size_t size);
char *graupel_dsm_strtok(char *string, const char *set);
char *graupel_dsm_strtok_r(char *string, const char *set, char **state);
char *graupel_dsm_strsep(char **state, const char *set);

ssize_t graupel_dsm_read(int file, void *to, size_t size);
ssize_t graupel_dsm_write(int file, const void *from, size_t size);
ssize_t graupel_dsm_pread(int file, void *to, size_t size, off_t at);
ssize_t graupel_dsm_pwrite(int file, const void *from, size_t size, off_t at);
ssize_t graupel_dsm_send(int socket, const void *from, size_t size, int flags);
ssize_t graupel_dsm_recv(int socket, void *to, size_t size, int flags);
ssize_t graupel_dsm_sendto(int socket, const void *from, size_t size, int flags,
                           const struct sockaddr *to, socklen_t length);
ssize_t graupel_dsm_recvfrom(int socket, void *to, size_t size, int flags,
                             struct sockaddr *from, socklen_t *length);

size_t graupel_dsm_fread(void *to, size_t size, size_t count, FILE *file);
size_t graupel_dsm_fwrite(const void *from, size_t size, size_t count,
                          FILE *file);
int graupel_dsm_fputs(const char *string, FILE *file);
int graupel_dsm_puts(const char *string);
char *graupel_dsm_fgets(char *to, int size, FILE *file);

#ifdef __cplusplus
}
#endif

#endif
