/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of the C library's that C leaves to programs: wrapped, refused, interposed,
   quiet and unknown ones. UCX calls none of the FEW. */
#define FEW F(index) F(link) F(memccpy) F(rindex) F(warn)
#define NAMES                                                                  \
  FEW F(accept) F(access) F(bind) F(close) F(connect) F(dirname) F(drand48)     \
  F(err) F(getdelim) F(getline) F(kill) F(mlock) F(open) F(pipe) F(poll)        \
  F(popen) F(random) F(read) F(select) F(send) F(stat) F(stpcpy) F(strsep)      \
  F(times) F(wait) F(write)
