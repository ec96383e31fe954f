// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls of the C library whose wrappers were wrong once: node 1 uses what node 0 has
   written. */
#define _GNU_SOURCE
#include <errno.h>
#include <graupel/dsm.h>
#include <printf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Strings = 8, Apart = 4096 };

static int wrong;
#define EXPECT(got, wanted)                                                    \
  (strcmp(got, wanted)                                                         \
       ? (void)(++wrong, printf("line %d: '%s', not '%s'\n", __LINE__, got,    \
                                wanted))                                       \
       : (void)0)

/* A string that this node has not fetched. */
static char *next(char **shared) { return *shared += Apart; }

/* %V: an int, in angles. */
static int print_angles(FILE *to, const struct printf_info *info,
                        const void *const *arguments) {
  (void)info;
  return fprintf(to, "<%d>", *(const int *)arguments[0]);
}
static int sizes_of_angles(const struct printf_info *info, size_t count,
                           int *types, int *sizes) {
  (void)info;
  if (count > 0)
    types[0] = PA_INT, sizes[0] = sizeof(int);
  return 1;
}

static void formats(char *shared) {
  char text[200], format[8];
  /* The format is no constant, and a constant behind it has a %. */
  for (const char *from = "%s %s\0", *end = from + 6; from != end; ++from)
    format[6 - (end - from)] = *from;
  snprintf(text, sizeof(text), format, next(&shared), "100%");
  EXPECT(text, "written on node 0 100%");
  snprintf(text, sizeof(text), "%#b %s", 5, next(&shared));
  EXPECT(text, "0b101 written on node 0");
  snprintf(text, sizeof(text), "%y %s %.7s", next(&shared), next(&shared));
  EXPECT(text, "%y written on node 0 written");
  register_printf_specifier('V', print_angles, sizes_of_angles);
  snprintf(text, sizeof(text), "%V %f %s %V", 1, 2.5, next(&shared), 3);
  EXPECT(text, "<1> 2.500000 written on node 0 <3>");
}

static void results(char *shared) {
  char *text = strerror_r(12345, shared, 100);
  EXPECT(text, "Unknown error 12345");
  EXPECT(shared, "Unknown error 12345");
  text = strerror_r(ENOENT, shared, 100);
  EXPECT(text, "No such file or directory");
}

static void lines(char *shared) {
  FILE *to = tmpfile();
  fputs("a line\nthe last", to);
  rewind(to);
  /* An error that is not of this call: the stream cannot be written. */
  FILE *from = fdopen(fileno(to), "r");
  fputc('x', from);
  if (!ferror(from))
    ++wrong, puts("no error was made");
  if (!fgets(shared, 100, from))
    ++wrong, puts("no first line");
  EXPECT(shared, "a line\n");
  if (!fgets(shared, 100, from))
    ++wrong, puts("the last line is lost");
  EXPECT(shared, "the last");
  fclose(from);
}

int main(void) {
  char *shared = NULL;
  if (gdsm_node() == 0) {
    shared = gdsm_malloc(Strings * Apart);
    for (int i = 0; i < Strings; ++i)
      strcpy(shared + i * Apart, "written on node 0");
  }
  gdsm_broadcast(&shared, sizeof(shared), 0);
  gdsm_barrier();
  if (gdsm_node() == 1) {
    formats(shared);
    results(shared);
    lines(shared);
    printf("%d wrong\n", wrong);
  }
  gdsm_barrier();
  return wrong != 0;
}
