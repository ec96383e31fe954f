/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs one script: duktape FILE SCALE. The script finds SCALE in `scale` and has `print`.
 */

#include <stdio.h>
#include <stdlib.h>

#include "duktape.h"

static duk_ret_t print(duk_context *context) {
  puts(duk_safe_to_string(context, 0));
  return 0;
}

static char *contents(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  fseek(file, 0, SEEK_END);
  long end = ftell(file);
  rewind(file);
  char *text = end < 0 ? NULL : malloc((size_t)end + 1);
  *size = text ? fread(text, 1, (size_t)end, file) : 0;
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  size_t size = 0;
  char *text = argc == 3 ? contents(argv[1], &size) : NULL;
  if (!text) {
    fprintf(stderr, "usage: duktape FILE SCALE\n");
    return 2;
  }
  duk_context *context = duk_create_heap_default();
  duk_push_c_function(context, print, 1);
  duk_put_global_string(context, "print");
  duk_push_number(context, atof(argv[2]));
  duk_put_global_string(context, "scale");
  int failed = duk_peval_lstring(context, text, size);
  if (failed)
    fprintf(stderr, "%s\n", duk_safe_to_string(context, -1));
  duk_destroy_heap(context);
  free(text);
  return failed != 0;
}
