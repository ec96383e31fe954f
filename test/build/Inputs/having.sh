# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# having.sh SECTION FILE...: prints the files that have a section of this name.
section=$1
shift
for file; do
  if llvm-readelf -SW "$file" | grep -q "] $section "; then echo "$file"; fi
done
