#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
echo "incompatible file format" >&2
exit 255
