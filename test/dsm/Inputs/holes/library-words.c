/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
static int word(const unsigned char *p) { return p[0] << 8 | p[1]; }
int getw(const unsigned char *p) { return word(p); }
int llvm_word(const unsigned char *p) { return word(p); }
int gdsm_word(const unsigned char *p) { return word(p); }
