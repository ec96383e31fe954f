# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What bash would offer.
source <(graupel completion bash)
compopt() { :; } # Only while somebody types.
offer() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _graupel
  echo "$*: ${COMPREPLY[*]}"
}
offer graupel reg
offer graupel optimize kno
offer graupel optimize --js
offer graupel learn --na
offer graupel completion z
offer graupel stride rec
