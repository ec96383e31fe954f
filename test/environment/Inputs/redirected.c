// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// redirected [LIBRARY PATH]: what a program sees of itself and of its libraries
// first, second and third, of LIBRARY by its name and by PATH, and whether each is
// a version: a file of a store.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libgen.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

unsigned first(unsigned), second(unsigned), third(unsigned);

static const char *kindOf(const void *address) {
  FILE *maps = fopen("/proc/self/maps", "r");
  static char line[5000];
  const char *kind = "unknown";
  while (fgets(line, sizeof(line), maps)) {
    unsigned long from, to;
    if (sscanf(line, "%lx-%lx", &from, &to) == 2 && (unsigned long)address >= from &&
        (unsigned long)address < to)
      kind = strstr(line, "/graupel/store/") ? "version" : "original";
  }
  fclose(maps);
  return kind;
}

static void show(const char *what, void *handle, const char *symbol) {
  char origin[4096] = "";
  Dl_info info = {0};
  struct link_map *map = NULL;
  void *address = handle ? dlsym(handle, symbol) : NULL;
  if (!address || !dladdr(address, &info) || dlinfo(handle, RTLD_DI_ORIGIN, origin) ||
      dlinfo(handle, RTLD_DI_LINKMAP, &map)) {
    printf("%s: %s\n", what, dlerror());
    return;
  }
  printf("%s: %s, dladdr %s, name %s, origin %s\n", what, kindOf(address), info.dli_fname,
         map->l_name, origin);
}

static int count(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  *(int *)data += strstr(info->dlpi_name, "libf") != NULL;
  if (strstr(info->dlpi_name, "/store/"))
    printf("dl_iterate_phdr %s\n", info->dlpi_name);
  return 0;
}

static int copies(void) {
  int n = 0;
  dl_iterate_phdr(count, &n);
  return n;
}

int main(int argc, char **argv) {
  char exe[4096] = "", buffer[4096];
  if (readlink("/proc/self/exe", exe, sizeof(exe) - 1) < 0)
    return 1;
  printf("argv[0] %s\nexe %s\nexecfn %s\n", argv[0], exe, (char *)getauxval(AT_EXECFN));
  printf("program: %s\n", kindOf((void *)main));
  printf("sum %u\n", first(10) ^ second(10) ^ third(10));
  show("needed", dlopen("libfirst.so", RTLD_NOW), "first");
  // The same file by other names is the same library.
  snprintf(buffer, sizeof(buffer), "%s/../lib/./libfirst.so", dirname(exe));
  show("again by a path", dlopen(buffer, RTLD_NOW), "first");
  show("again by its folder", dlopen("$ORIGIN/../lib/libfirst.so", RTLD_NOW), "first");
  printf("copies of it %d\n", copies());
  if (argc < 3)
    return 0;
  void *handle = dlopen(argv[2], RTLD_NOW);
  show("by a path", handle, "fourth");
  void *same = dlopen(argv[1], RTLD_NOW);
  printf("then by its name: %s\n", same == handle ? "the same" : "another");
  dlclose(handle);
  dlclose(same);
  handle = dlopen(argv[1], RTLD_NOW);
  show("by its name", handle, "fourth");
  same = dlopen(argv[2], RTLD_NOW);
  printf("then by a path: %s\n", same == handle ? "the same" : "another");
  dlclose(handle);
  dlclose(same);
  return 0;
}
