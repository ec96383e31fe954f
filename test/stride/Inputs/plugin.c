// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int plugin_data[5000];
void plugin(long n) {
  for (long i = 0; i < n; ++i)
    plugin_data[i] = i;
}
