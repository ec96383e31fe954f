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
offer graupel dsm run --thr
offer graupel dsm run --report = fold
offer graupel dsm run -n 2 --report fold
offer graupel dsm run -n 4 graupel-bo
offer graupel dsm report fold
offer graupel dsm report --format j
offer graupel dsm report --format = h
offer graupel numa run --json = file-to-sho
offer graupel man dsm-r
offer graupel dsm run --sta
