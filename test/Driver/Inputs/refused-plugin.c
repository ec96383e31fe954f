// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What graupelGetBoltPassPluginInfo of another version would return: the first
// two fields are where they always are.
#define TEXT_(X) #X
#define TEXT(X) TEXT_(X)

struct Info {
  unsigned ABI;
  const char *LLVMVersion, *Name, *Version;
  void (*RegisterPasses)(void *);
};

struct Info graupelGetBoltPassPluginInfo(void) {
  struct Info Result = {PLUGIN_ABI, TEXT(PLUGIN_LLVM_VERSION), "old", "1", 0};
  return Result;
}
