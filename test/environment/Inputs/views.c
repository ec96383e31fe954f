// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All the ways in which a program sees where it and its libraries are.
#include "views.h"
#include <errno.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#ifndef STATIC
void linked_views(void);
#endif

static int module(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  if (strchr(info->dlpi_name, '/'))
    printf("dl_iterate_phdr %s\n", info->dlpi_name);
  return 0;
}

static void maps(void) {
  FILE *file = fopen("/proc/self/maps", "r");
  char line[4500], last[4500] = "";
  while (fgets(line, sizeof(line), file)) {
    char *path = strchr(line, '/');
    if (path && strcmp(path, last))
      printf("maps %s", strcpy(last, path));
  }
  fclose(file);
}

static void link_of(const char *path) {
  char text[4096];
  ssize_t length = readlink(path, text, sizeof(text) - 1);
  text[length < 0 ? 0 : length] = 0;
  printf("%s %s\n", path, text);
}

static void rights(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  while (fgets(line, sizeof(line), file))
    if (!strncmp(line, "Cap", 3) || !strncmp(line, "NoNewPrivs", 10) ||
        (!strncmp(line, "Sig", 3) && line[3] != 'Q') ||
        !strncmp(line, "Seccomp", 7))
      fputs(line, stdout);
  fclose(file);
  printf("users %d %d %d %d\n", getuid(), geteuid(), getgid(), getegid());
}

static void descriptors(void) {
  for (int file = 0; file < 256; ++file) {
    struct stat status;
    if (fstat(file, &status) == 0)
      printf("descriptor %d\n", file);
  }
}

int main(int argc, char **argv) {
  for (int n = 0; n < argc; ++n)
    printf("argv %s\n", argv[n]);
  printf("AT_EXECFN %s\n", (const char *)getauxval(AT_EXECFN));
  printf("AT_SECURE %lu\n", getauxval(AT_SECURE));
  printf("names %s %s\n", program_invocation_name,
         program_invocation_short_name);
  link_of("/proc/self/exe");
  link_of("/proc/self/cwd");
  char comm[32] = "";
  FILE *file = fopen("/proc/self/comm", "r");
  printf("comm %s", fgets(comm, sizeof(comm), file));
  fclose(file);
  for (char **variable = environ; *variable; ++variable)
    printf("environment %s\n", *variable);
  say_address("program", (void *)main);
#ifndef STATIC
  linked_views();
  void *loaded = dlopen("libloaded.so", RTLD_NOW);
  if (!loaded) {
    printf("%s\n", dlerror());
    return 2;
  }
  ((void (*)(void))dlsym(loaded, "loaded_views"))();
  dl_iterate_phdr(module, NULL);
#endif
  maps();
  rights();
  descriptors();
  return 7;
}
